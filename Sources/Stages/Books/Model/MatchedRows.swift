public import Pipeline
public import Services

/// Rows with the verdict on their ISBNs: the second shape of what travels.
public struct ValidatedRows: Payload {
    /// The rows as they were read, but for those turned away.
    public var library: LibraryRows
    /// One for each row.
    public var isbns: [RowISBN]

    /// Rows and as many verdicts.
    public init(library: LibraryRows, isbns: [RowISBN]) {
        self.library = library
        self.isbns = isbns
    }

    /// Rows.
    public var count: Int { library.count }
    /// Bytes of the rows and of the verdicts.
    public var byteCount: Int { library.byteCount + isbns.count * MemoryLayout<RowISBN>.stride }
}

/// Validated rows with what the providers answered: the third shape.
public struct MatchedRows: Payload {
    /// The rows as they were read, but for those turned away.
    public var library: LibraryRows
    /// The verdict on each row's ISBN, one for each row.
    public var isbns: [RowISBN]
    /// Candidates of all rows, in the providers' order of preference for each row.
    public var candidates: [Candidate]
    /// For each row its candidates, in ``candidates``.
    public var candidatesOfRow: [Range<Int>]
    /// Values of all candidates.
    public var values: [CandidateValue]
    /// Questions that services left open, by the rows that asked them.
    public var unanswered: [UnansweredQuery] = []
    /// Rows for which something was found and nothing taken.
    public var abstentions: [MatchAbstention] = []

    /// Rows that nobody has been asked about yet: each has no candidates.
    public init(_ validated: consuming ValidatedRows) {
        library = validated.library
        isbns = validated.isbns
        candidates = []
        candidatesOfRow = Array(repeating: 0..<0, count: library.count)
        values = []
    }

    /// Rows.
    public var count: Int { library.count }
    /// Bytes of the rows, verdicts, candidates and their values.
    public var byteCount: Int {
        library.byteCount + isbns.count * MemoryLayout<RowISBN>.stride
            + candidates.count * MemoryLayout<Candidate>.stride
            + values.count * MemoryLayout<CandidateValue>.stride
    }
}

/// The ISBN of a row, decided from its one or two cells.
public struct RowISBN: Sendable, Hashable {
    /// The row's ISBN, where a cell holds a valid one or one that could be repaired for certain.
    public var isbn: ISBN?
    /// A second, different valid ISBN in the row's other cell: ISBN-10 and -13 of different books.
    public var other: ISBN?
    /// The rule that repaired it; nil where it stood valid.
    public var repair: ISBNRepair?

    /// A verdict; without arguments that of a row that has no ISBN.
    public init(isbn: ISBN? = nil, other: ISBN? = nil, repair: ISBNRepair? = nil) {
        self.isbn = isbn
        self.other = other
        self.repair = repair
    }
}

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
