import Bytes
package import Pipeline
package import Services

/// Where people of Wikidata are found: the catalog, or in tests a list.
package protocol PersonDirectory: Sendable {
    /// Whether there is nobody to be found, so that nobody need be asked for.
    var isEmpty: Bool { get }

    /// Whether it is there and holds nobody, as a catalog without Wikidata's dump: each search would find no one.
    var isWithoutPeople: Bool { get }

    /// Whether it tells titles of people's works, so that a title can bear out a name.
    var knowsTitles: Bool { get }

    /// People who may be the one asked for, at most a few for each query, in the queries' order: those whose
    /// item is ``PersonQuery/item``, those who name the Open Library author ``PersonQuery/authorKey`` (P648),
    /// and those of whom the label or an alias folds to ``PersonQuery/foldedName``. Each at most once, in any
    /// order.
    func find(_ queries: [PersonQuery]) async throws(StageFailure) -> [[PersonFacts]]

    /// The same, with the queries that were left open because a service did not answer.
    func search(_ queries: [PersonQuery]) async throws(StageFailure) -> PeopleFound
}

extension PersonDirectory {
    package func search(_ queries: [PersonQuery]) async throws(StageFailure) -> PeopleFound {
        PeopleFound(people: try await find(queries))
    }
}

/// What a directory found.
package struct PeopleFound: Sendable {
    /// People for each query, in the queries' order.
    package var people: [[PersonFacts]]
    /// Queries that are open, by number, and why.
    package var unanswered: [Int: LookupOutcome] = [:]

    package init(people: [[PersonFacts]], unanswered: [Int: LookupOutcome] = [:]) {
        self.people = people
        self.unanswered = unanswered
    }
}

extension PersonDirectory {
    package var isEmpty: Bool { false }
    package var isWithoutPeople: Bool { false }
    package var knowsTitles: Bool { false }
}

/// What to look for: any of the three may lead to a person, none proves one.
package struct PersonQuery: Sendable, Hashable {
    /// Number of the item that a provider's record names: 42 for `Q42`.
    package var item: UInt32?
    /// Open Library's key of the author, `OL34184A`; nil where the author is known by name alone.
    package var authorKey: String?
    /// The name, folded (``Folding``), as UTF-8.
    package var foldedName: [UInt8]
    /// Whether a year of birth or death is known that could bear the name out.
    package var isDated = false
    /// Whether a title is known that could: then the directory tells the titles of those who bear the name.
    package var hasTitle = false

    package init(item: UInt32? = nil, authorKey: String? = nil, foldedName: [UInt8]) {
        self.item = item
        self.authorKey = authorKey
        self.foldedName = foldedName
    }
}

/// Items of Wikidata with a meaning for people: values of P21 and P172.
enum PersonItems {
    /// The gender a value of P21 (sex or gender) means. What the table does not list is a gender of its own.
    static func gender(_ item: UInt32) -> AuthorGender { genders[item] ?? .other }

    /// Whether a value of P172 (ethnic group) is an indigenous people.
    static func isIndigenous(_ group: UInt32) -> Bool { indigenous.contains(group) }

    private static let genders: [UInt32: AuthorGender] = {
        var genders: [UInt32: AuthorGender] = [:]
        PackageResources.genders_tsv.withUnsafeBytes { text in
            for line in TableLines(text) {
                let name = String(decoding: line.field(0), as: UTF8.self)
                guard let gender = AuthorGender.allCases.first(where: { $0.contractName == name }) else {
                    continue
                }
                for item in line.items(1, separator: 0x20).compactMap(TableLine.number) {
                    genders[item] = gender
                }
            }
        }
        return genders
    }()

    private static let indigenous: Set<UInt32> = PackageResources.indigenous_tsv.withUnsafeBytes { text in
        Set(TableLines(text).compactMap { TableLine.number($0.field(0)) })
    }
}

/// Several directories asked as one: each person is named once, the directory asked first goes first. The network's is
/// asked last, and only for those of whom nobody else knows anything.
package struct CompositePersonDirectory: PersonDirectory {
    private let directories: [any PersonDirectory]
    private let network: (any PersonDirectory)?

    /// - Parameters:
    ///   - directories: In order of preference; with none, nobody is known.
    ///   - network: Asked for what is left.
    package init(_ directories: [any PersonDirectory], network: (any PersonDirectory)? = nil) {
        self.directories = directories
        self.network = network
    }

    package func search(_ queries: [PersonQuery]) async throws(StageFailure) -> PeopleFound {
        var found = PeopleFound(people: try await find(queries))
        guard let network else { return found }
        let left = queries.indices.filter { found.people[$0].isEmpty }
        guard !left.isEmpty else { return found }
        let answer = try await network.search(left.map { queries[$0] })
        for (number, query) in left.enumerated() where number < answer.people.count {
            found.people[query] = answer.people[number]
            found.unanswered[query] = answer.unanswered[number]
        }
        return found
    }

    package var knowsTitles: Bool {
        directories.contains(where: \.knowsTitles) || network?.knowsTitles == true
    }

    package var isWithoutPeople: Bool { directories.allSatisfy(\.isWithoutPeople) && network == nil }

    package var isEmpty: Bool { directories.allSatisfy(\.isEmpty) && network == nil }

    package func find(_ queries: [PersonQuery]) async throws(StageFailure) -> [[PersonFacts]] {
        var found = Array(repeating: [PersonFacts](), count: queries.count)
        for directory in directories where !directory.isWithoutPeople {
            for (index, people) in try await directory.find(queries).enumerated() where index < found.count {
                for person in people where !found[index].contains(where: { $0.item == person.item }) {
                    found[index].append(person)
                }
            }
        }
        return found
    }
}
