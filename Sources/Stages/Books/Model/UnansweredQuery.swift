public import Services

/// A service that left a question of a row open: why the row is pending (contract.md section 7).
public struct UnansweredQuery: Sendable, Hashable {
    /// Number of the row in its batch.
    public var row: Int
    /// Name of the service: `openlibrary`, `wikidata`.
    public var service: String
    /// What came in place of an answer.
    public var outcome: LookupOutcome

    /// A question of a row that a service left open.
    public init(row: Int, service: String, outcome: LookupOutcome) {
        self.row = row
        self.service = service
        self.outcome = outcome
    }
}
