package import Books
package import Bytes
import Database
import Pipeline
package import System

/// Records ready to be written: keys computed, lists encoded, lineage packed. Only the sink, which sees
/// records in input order, can decide which of it is new.
package struct ResultBatch: Payload {
    /// The bytes of all texts.
    package var arena: Arena
    /// One per record, in input order.
    package var rows: [PreparedRow]
    /// Columns of works and editions: ``WorkColumns/count`` and ``EditionColumns/count`` for each prepared row.
    var columns: [Text]
    /// ISBNs of all editions, the record's own first.
    package var isbns: [Int64]
    var authors: [PreparedAuthor]
    var candidates: [PreparedCandidate]
    /// Warnings about records, in the order of the records.
    var warnings: [PreparedWarning]
    /// The id of the first record's new rows (``RowNumbers``); the ids of the others follow.
    var firstRow: Int64
    /// New rows, laid out as SQLite pages to be copied into the store; nil if there are none.
    var image: DatabaseImage?
    /// Column names of the export, as a JSON array.
    var layout: String
    /// Meaning of the columns.
    var exportColumns: ColumnMap

    init(arena: consuming Arena, firstRow: Int64, layout: String, exportColumns: ColumnMap) {
        self.arena = arena
        self.firstRow = firstRow
        self.layout = layout
        self.exportColumns = exportColumns
        rows = []
        columns = []
        isbns = []
        authors = []
        candidates = []
        warnings = []
    }

    /// Number of records.
    package var count: Int { rows.count }
    /// Bytes of the arena, the columns, the prepared rows and the image.
    package var byteCount: Int {
        arena.byteCount + columns.count * MemoryLayout<Text>.stride
            + rows.count * MemoryLayout<PreparedRow>.stride
            + authors.count * MemoryLayout<PreparedAuthor>.stride + (image?.bytes.count ?? 0)
    }

    /// Number of records that start before a position of the input.
    package func count(before position: Position) -> Int {
        rows.indices.partitioningIndex {
            (rows[$0].position.file, rows[$0].position.record) >= (position.file, position.record)
        }
    }
}

/// One record, ready to be written.
package struct PreparedRow: Sendable {
    /// Where the record starts.
    package var position: Position
    /// Whether a provider matched.
    var isEnriched: Bool
    /// Whether the record has a valid ISBN.
    var hasISBN: Bool
    /// Whether a provider matched by that ISBN.
    var isISBNMatch: Bool
    var isSynthetic: Bool
    var quality: UInt8
    var reviewStatus: ReviewStatus
    /// Contract names of the providers, the work's first, as a JSON array; empty if none matched.
    var providers: Text
    /// Index of the work's first column in ``ResultBatch/columns``; the edition's columns follow.
    var columns: Int
    /// ISBNs of the edition, in ``ResultBatch/isbns``.
    package var isbns: Range<Int>
    /// The public key the work gets if it is new.
    var workKey: Text
    var editionKey: Text
    /// The lookup key for the work's Open Library key; nil if it has none.
    var openLibraryKey: TextKey?
    /// The lookup key for title, author and language, of work and edition; nil if a stronger key is known.
    var titleKey: TextKey?
    var workLineage: Text
    var editionLineage: Text
    var authors: Range<Int>
    var candidates: Range<Int>
    var entry: PreparedEntry
    /// Queries that services did not answer. If there are any, the record is pending.
    package var unanswered: [UnansweredQuery] = []
    /// Offset in ``ResultBatch/image`` where library and layout of the entry are filled in later; 0 if the
    /// record is not in the image.
    var entryPlaceholder: UInt32 = 0
    /// Possible matches of which none was certain enough.
    var abstention: MatchAbstention?
    /// Certainty of a match by title or identifier.
    var match: AcceptedMatch?
    /// Whether the file ends within the record. Its last cell and the missing ones then replace no stored
    /// value.
    var isCutOff = false
}

/// A warning about a record, ready to be written.
struct PreparedWarning: Sendable {
    /// Index of the record's prepared row.
    var row: Int
    /// Index of the warning among those of its record, from 0.
    var number: Int
    var warning: Warning
}

/// The user's entry for a record.
struct PreparedEntry: Sendable {
    var key: TextKey
    /// The source's own id, or `~` and a substitute.
    var sourceID: Text
    /// The title in the row, regardless of the providers.
    var title: Text
    /// The first author in the row.
    var author: Text
    var rating: Double?
    var shelf: Text
    var shelves: Text
    var dateRead: Text
    var dateAdded: Text
    var dateStarted: Text
    /// A stored list (``StoredReadings``); empty for none.
    var earlierReadings: Text
    var readCount: Text
    var ownedCopies: Text
    var review: Text
    var notes: Text
    /// Details of the copy.
    var location: Text
    var lentTo: Text
    var price: Text
    var condition: Text
    var barcode: Text
    /// All cells (``PackedCells``) except the review.
    var cells: Text
    /// Fields whose cells cannot be read; their stored values stay.
    var unreadable: LibraryFields
    /// Hash of everything the record contributes, except community columns. An equal hash means nothing new.
    var contentHash: Int64
    /// Hash of the community columns (Average Rating, shelf positions).
    var community: Int64
}

/// A person of a record, ready to be written.
struct PreparedAuthor: Sendable {
    var key: Text
    var place: TextKey
    var author: BookAuthor
    /// Offset in ``ResultBatch/image`` where the author's row is filled in later.
    var authorPlaceholder: UInt32 = 0
}

/// A candidate of a record, ready to be written.
struct PreparedCandidate: Sendable {
    var provider: Provider
    var match: Candidate.Match
    var record: Text
    var place: TextKey
    var body: Text
}

/// The outcome of a record; each record has exactly one. Raw values are stored.
package enum RecordOutcome: UInt8, Sendable, CaseIterable, Hashable {
    /// Stored as a new entry of its library.
    case created = 1
    /// Stored; a field of the user or of the book changed.
    case updated
    /// Stored, but a provider did not answer yet; a later pass asks again.
    case pending
    /// It contained nothing new.
    case duplicate
    /// Rejected, with a reason.
    case rejected

    /// The name in outputs.
    package var name: String { String(describing: self) }
}
