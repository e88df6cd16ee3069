import Pipeline
package import System

/// Rows with their validated ISBNs: the second payload of `csv_import`.
package struct ValidatedRows: Payload {
    /// The rows as read, without the rejected ones.
    package var library: LibraryRows
    /// The ISBN of each row.
    package var isbns: [RowISBN]

    /// Rows and equally many ISBNs.
    package init(library: LibraryRows, isbns: [RowISBN]) {
        self.library = library
        self.isbns = isbns
    }

    /// Number of rows.
    package var count: Int { library.count }
    /// Bytes of the rows and of their ISBNs.
    package var byteCount: Int { library.byteCount + isbns.count * MemoryLayout<RowISBN>.stride }
}

/// Validated rows with the providers' answers: the third payload of `csv_import`.
package struct MatchedRows: Payload {
    /// The rows as read, without the rejected ones.
    package var library: LibraryRows
    /// The ISBN of each row.
    package var isbns: [RowISBN]
    /// Candidates of all rows. Those of one row are in the providers' order of preference.
    package var candidates: [Candidate]
    /// The range of each row's candidates in ``candidates``.
    package var candidatesOfRow: [Range<Int>]
    /// Values of all candidates.
    package var values: [CandidateValue]
    /// Queries that services did not answer, with the row that asked.
    package var unanswered: [UnansweredQuery] = []
    /// Rows with possible matches of which none was certain enough.
    package var abstentions: [MatchAbstention] = []
    /// Certainty of the matches by title, in the order of the rows.
    package var matches: [RowMatch] = []

    /// Rows that were not looked up yet; none has candidates.
    package init(_ validated: consuming ValidatedRows) {
        library = validated.library
        isbns = validated.isbns
        candidates = []
        candidatesOfRow = Array(repeating: 0..<0, count: library.count)
        values = []
    }

    /// Number of rows.
    package var count: Int { library.count }
    /// Bytes of the rows, ISBNs, candidates and values.
    package var byteCount: Int {
        library.byteCount + isbns.count * MemoryLayout<RowISBN>.stride
            + candidates.count * MemoryLayout<Candidate>.stride
            + values.count * MemoryLayout<CandidateValue>.stride
    }
}

/// The ISBN of a row, determined from its cells.
package struct RowISBN: Sendable, Hashable {
    /// The row's ISBN, if a cell has a valid one or one that could be repaired with certainty.
    package var isbn: ISBN?
    /// A second valid ISBN that belongs to another book: the row's two ISBN cells contradict each other.
    package var other: ISBN?
    /// The rule that repaired the ISBN; nil if it was valid.
    package var repair: ISBNRepair?
    /// The only number that fits a damaged cell of a row without an ISBN. It is used if the book with it has the
    /// row's title.
    package var proposal: ISBN?
    /// Whether the book with the ISBN has a different title and author, so the ISBN is no evidence for the row's
    /// book.
    package var isContradicted = false
    /// Differences between the row and the book with its ISBN. The book is used, and shown for review.
    package var doubt: Doubt?

    /// See ``doubt``.
    package enum Doubt: Sendable {
        /// The title is another one; it can be a translation or a shorter form.
        case title
        /// The book has the row's title, but other people.
        case people
    }

    /// The result for a row. Without arguments: the row has no ISBN.
    package init(isbn: ISBN? = nil, other: ISBN? = nil, repair: ISBNRepair? = nil, proposal: ISBN? = nil) {
        self.isbn = isbn
        self.other = other
        self.repair = repair
        self.proposal = proposal
    }
}

/// A row's match by title and author.
package struct RowMatch: Sendable, Hashable {
    /// Index of the row in its batch.
    package var row: Int
    /// Its certainty.
    package var match: AcceptedMatch

    /// A match of a row.
    package init(row: Int, match: AcceptedMatch) {
        self.row = row
        self.match = match
    }
}

/// A query of a row that a service did not answer: the reason the row is pending.
package struct UnansweredQuery: Sendable, Hashable {
    /// Index of the row in its batch.
    package var row: Int
    /// Name of the service: `openlibrary`, `wikidata`.
    package var service: String
    /// The outcome instead of an answer.
    package var outcome: LookupOutcome
    /// Whether the answer may have a key of the book's author.
    package var mayHaveAuthorKey = false

    /// An unanswered query.
    package init(row: Int, service: String, outcome: LookupOutcome, mayHaveAuthorKey: Bool = false) {
        self.row = row
        self.service = service
        self.outcome = outcome
        self.mayHaveAuthorKey = mayHaveAuthorKey
    }
}
