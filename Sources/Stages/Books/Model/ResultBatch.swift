public import Bytes
import Database
public import Pipeline

/// Records ready to be written: keys computed, lists encoded, lineage packed. What is left to the sink is what only
/// it can know, in input order: which of it is new.
public struct ResultBatch: Payload {
    /// The bytes that all texts point into.
    public var arena: Arena
    /// One for each record, in input order.
    public var drafts: [ResultDraft]
    /// Columns of works and editions, ``WorkColumns/count`` and ``EditionColumns/count`` for each draft.
    var columns: [Text]
    /// ISBNs of all editions, the record's own first.
    var isbns: [Int64]
    var authors: [AuthorDraft]
    var candidates: [CandidateDraft]
    /// What was noticed of records, in their order.
    var notices: [DraftWarning]
    /// What the new rows of the first record are to be known by (``RowNumbers``); those of the others follow.
    var firstRow: Int64
    /// The new rows of records, laid out to be copied into the store; nil where there are none.
    var image: DatabaseImage?
    /// Names of the columns of the export, as a JSON array.
    var layout: String
    /// What the columns mean.
    var exportColumns: ColumnMap

    init(arena: consuming Arena, firstRow: Int64, layout: String, exportColumns: ColumnMap) {
        self.arena = arena
        self.firstRow = firstRow
        self.layout = layout
        self.exportColumns = exportColumns
        drafts = []
        columns = []
        isbns = []
        authors = []
        candidates = []
        notices = []
    }

    /// Records.
    public var count: Int { drafts.count }
    /// Bytes of the arena, the columns, the drafts and the image.
    public var byteCount: Int {
        arena.byteCount + columns.count * MemoryLayout<Text>.stride
            + drafts.count * MemoryLayout<ResultDraft>.stride
            + authors.count * MemoryLayout<AuthorDraft>.stride + (image?.bytes.count ?? 0)
    }

    /// Records that begin before a position of the input.
    public func count(before position: Position) -> Int {
        drafts.indices.partitioningIndex {
            (drafts[$0].position.file, drafts[$0].position.record) >= (position.file, position.record)
        }
    }
}

/// One record, ready to be written.
public struct ResultDraft: Sendable {
    /// Where the record began.
    public var position: Position
    /// Whether a provider matched.
    var isEnriched: Bool
    /// Whether the record has a valid ISBN.
    var hasISBN: Bool
    /// Whether a provider matched by that ISBN.
    var isISBNMatch: Bool
    var isSynthetic: Bool
    var quality: UInt8
    var reviewStatus: ReviewStatus
    /// Contract names of the providers, the work's first, as a JSON array; empty where none matched.
    var providers: Text
    /// First column of its work in ``ResultBatch/columns``; its edition's columns follow.
    var columns: Int
    /// ISBNs of the edition, in ``ResultBatch/isbns``.
    var isbns: Range<Int>
    /// Public key of the work if it is new, and where it is found by.
    var workKey: Text
    var editionKey: Text
    /// Where the work is found by its Open Library key; nil where none is known.
    var openLibraryKey: TextKey?
    /// Where work and edition are found by title, author and language; nil where something stronger is known.
    var titleKey: TextKey?
    var workLineage: Text
    var editionLineage: Text
    var authors: Range<Int>
    var candidates: Range<Int>
    var entry: EntryDraft
    /// Services that have not answered: the record is pending.
    package var unanswered: [UnansweredQuery] = []
    /// Where the library and the layout of the entry are left open in ``ResultBatch/image``; 0 where the record is not in it.
    var openEntry: UInt32 = 0
    /// What was found and not taken.
    var abstention: MatchAbstention?
    /// Whether the file ends within it: its last cell, and those that would follow, say nothing of what is stored.
    var isCutOff = false
}

/// Something noticed of a record, ready to be written.
struct DraftWarning: Sendable {
    /// Index of the record's draft.
    var draft: Int
    /// Number of the notice among those of its record, from 0.
    var number: Int
    var notice: Warning
}

/// The reader's entry of a record.
struct EntryDraft: Sendable {
    var key: TextKey
    /// The source's own id, or `~` and what stands in for it.
    var sourceID: Text
    /// The title as the row has it, whatever a provider may say.
    var title: Text
    /// The first author as the row names it.
    var author: Text
    var rating: Double?
    var shelf: Text
    var shelves: Text
    var dateRead: Text
    var dateAdded: Text
    var readCount: Text
    var ownedCopies: Text
    var review: Text
    var notes: Text
    /// All cells (``PackedCells``), the review's left out.
    var cells: Text
    /// Fields whose cells cannot be read: what is stored of them stays.
    var unreadable: LibraryFields
    /// Hash of all that the record contributes, community columns left out: equal means nothing new.
    var contribution: Int64
    /// Hash of the community columns (Average Rating, shelf positions).
    var community: Int64
}

/// A person of a record, ready to be written.
struct AuthorDraft: Sendable {
    var key: Text
    var place: TextKey
    var author: BookAuthor
    /// Where the author's row is left open in ``ResultBatch/image``.
    var openAuthor: UInt32 = 0
}

/// A candidate of a record, ready to be written.
struct CandidateDraft: Sendable {
    var provider: Provider
    var match: Candidate.Match
    var record: Text
    var place: TextKey
    var body: Text
}

/// What becomes of a record (contract.md section 7): every record ends in exactly one. Raw values are stored.
public enum RecordOutcome: UInt8, Sendable, CaseIterable, Hashable {
    /// Stored, and new to its library.
    case created = 1
    /// Stored: a reader's or bibliographic field changed.
    case updated
    /// Stored, but a provider has not answered yet; a later pass takes it up.
    case pending
    /// Nothing new in it.
    case duplicate
    /// Turned away, with its reason.
    case rejected

    /// The name in outputs.
    public var name: String { String(describing: self) }
}
