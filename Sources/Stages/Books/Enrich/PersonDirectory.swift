package import Pipeline
package import Services

/// Where people of Wikidata are found: the catalog, or in tests a list.
package protocol PersonDirectory: Sendable {
    /// Whether there is nobody to be found, so that nobody need be asked for.
    var isEmpty: Bool { get }

    /// Whether it is there and holds nobody, as a catalog without Wikidata's dump: each search would find no one.
    var knowsNobody: Bool { get }

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
    package var unsettled: [Int: LookupOutcome] = [:]

    package init(people: [[PersonFacts]], unsettled: [Int: LookupOutcome] = [:]) {
        self.people = people
        self.unsettled = unsettled
    }
}

extension PersonDirectory {
    package var isEmpty: Bool { false }
    package var knowsNobody: Bool { false }
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
