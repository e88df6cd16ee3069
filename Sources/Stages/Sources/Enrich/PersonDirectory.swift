import Books
import Bytes
package import System

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
    func find(_ queries: [PersonQuery]) async throws(ETLError) -> PeopleFound

    /// The other names of authors, such as those in other scripts, in the order of the keys; empty if none are known. No
    /// service is asked.
    ///
    /// - Parameter keys: Open Library's keys of the authors.
    func otherNames(ofAuthors keys: [String]) async throws(ETLError) -> [[String]]
}

/// The people that a directory has for queries.
package struct PeopleFound: Sendable {
    /// Why a query has no answer yet.
    package struct Gap: Sendable, Hashable {
        /// The service that did not answer.
        package var service: String
        package var outcome: LookupOutcome
    }

    /// People for each query, in the order of the queries.
    package var people: [[PersonFacts]]
    /// The queries that a service did not answer, by index.
    package var unanswered: [Int: Gap] = [:]

    package init(people: [[PersonFacts]]) { self.people = people }
}

extension PersonDirectory {
    package var isEmpty: Bool { false }
    package var isWithoutPeople: Bool { false }
    package var knowsTitles: Bool { false }

    package func otherNames(ofAuthors keys: [String]) async throws(ETLError) -> [[String]] {
        keys.map { _ in [] }
    }
}

/// Search terms. Each of the three can lead to a person; none of them is proof.
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
    /// Whether a provider that may have the author's key has not answered yet. Services then do not search by
    /// name: a search would cost a request that the key makes unnecessary.
    package var waitsForKey = false

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
                guard let gender = AuthorGender(contractName: name) else {
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

/// Several directories joined into one. Each person appears once; earlier directories come first. Services
/// are asked last, one after another, each only for the authors that nothing before it has.
package struct CompositePersonDirectory: PersonDirectory {
    private let catalogs: [any PersonDirectory]
    private let services: [any PersonDirectory]

    /// - Parameters:
    ///   - catalogs: In order of preference. Can be empty.
    ///   - services: In the order in which they are asked.
    package init(_ catalogs: [any PersonDirectory], services: [any PersonDirectory] = []) {
        self.catalogs = catalogs
        self.services = services
    }

    package var knowsTitles: Bool { (catalogs + services).contains(where: \.knowsTitles) }

    package var isWithoutPeople: Bool { (catalogs + services).allSatisfy(\.isWithoutPeople) }

    package var isEmpty: Bool { (catalogs + services).allSatisfy(\.isEmpty) }

    package func otherNames(ofAuthors keys: [String]) async throws(ETLError) -> [[String]] {
        var names: [[String]] = keys.map { _ in [] }
        for catalog in catalogs {
            for (index, found) in try await catalog.otherNames(ofAuthors: keys).enumerated()
            where index < names.count {
                names[index] += found
            }
        }
        return names
    }

    package func find(_ queries: [PersonQuery]) async throws(ETLError) -> PeopleFound {
        var found = PeopleFound(people: Array(repeating: [], count: queries.count))
        for catalog in catalogs where !catalog.isWithoutPeople {
            for (index, people) in try await catalog.find(queries).people.enumerated()
            where index < queries.count {
                for person in people where !found.people[index].contains(where: { $0.item == person.item }) {
                    found.people[index].append(person)
                }
            }
        }
        for service in services {
            let left = queries.indices.filter { found.people[$0].isEmpty }
            guard !left.isEmpty else { break }
            let answer = try await service.find(left.map { queries[$0] })
            for (index, query) in left.enumerated() where index < answer.people.count {
                found.people[query] = answer.people[index]
                if let gap = answer.unanswered[index] { found.unanswered[query] = gap }
            }
        }
        return found
    }
}
