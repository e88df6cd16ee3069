import Bytes
package import Pipeline
package import Services

/// A source of people of Wikidata: a catalog, a service, or in tests a list.
package protocol PersonDirectory: Sendable {
    /// Whether there is no directory at all, so that no lookup is needed.
    var isEmpty: Bool { get }

    /// Whether the directory has no people, such as a catalog without Wikidata's dump.
    var isWithoutPeople: Bool { get }

    /// Whether the directory has titles of people's works, which can confirm a name.
    var knowsTitles: Bool { get }

    /// Finds people who may be the author, at most a few per query, in the order of the queries: those with
    /// item ``PersonQuery/item``, those who name the Open Library author ``PersonQuery/authorKey`` (P648),
    /// and those whose label or alias folds to ``PersonQuery/foldedName``. Each person appears once per
    /// query, in any order.
    func find(_ queries: [PersonQuery]) async throws(StageFailure) -> [[PersonFacts]]

    /// The same, with the queries that a service did not answer.
    func search(_ queries: [PersonQuery]) async throws(StageFailure) -> PeopleFound
}

extension PersonDirectory {
    package func search(_ queries: [PersonQuery]) async throws(StageFailure) -> PeopleFound {
        PeopleFound(people: try await find(queries))
    }
}

/// The result of a search.
package struct PeopleFound: Sendable {
    /// People for each query, in the order of the queries.
    package var people: [[PersonFacts]]
    /// The queries that were not answered, by index, and why.
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

/// What to look for. Each of the three can lead to a person; none of them is proof.
package struct PersonQuery: Sendable, Hashable {
    /// Number of the item in a provider's record: 42 for `Q42`.
    package var item: UInt32?
    /// Open Library's key of the author, `OL34184A`; nil if only the name is known.
    package var authorKey: String?
    /// The folded name (`Folding`), UTF-8.
    package var foldedName: [UInt8]
    /// Whether a year of birth or death is known that could confirm the name.
    package var isDated = false
    /// Whether a title is known that could confirm the name. The directory then returns titles for people
    /// with this name.
    package var hasTitle = false

    package init(item: UInt32? = nil, authorKey: String? = nil, foldedName: [UInt8]) {
        self.item = item
        self.authorKey = authorKey
        self.foldedName = foldedName
    }
}

/// Wikidata items used as values of P21 and P172.
enum PersonItems {
    /// The gender of a value of P21 (sex or gender); `other` if the table does not have it.
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

/// Several directories joined into one. Each person appears once; earlier directories come first. The network
/// is asked last, and only for authors the other directories do not have.
package struct CompositePersonDirectory: PersonDirectory {
    private let directories: [any PersonDirectory]
    private let network: (any PersonDirectory)?

    /// - Parameters:
    ///   - directories: In order of preference. Can be empty.
    ///   - network: Asked for the remaining authors.
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
