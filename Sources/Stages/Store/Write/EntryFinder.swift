import Books
import Database
import System

/// The part of a stored entry that is compared with a record.
struct StoredEntry {
    let id: Int64
    let edition: Int64
    let contentHash: Int64
    let community: Int64
}

/// Finds the entries of a library's records.
///
/// Keys are scattered over the index, but entries are stored in sequence. Therefore the predicted entry
/// (``EntryPrediction``) is read before the record's key is looked up. If it has the record's source id, no
/// lookup is needed.
final class EntryFinder {
    private let tables: LibraryTables
    private let library: Int64
    private var order = EntryPrediction()
    /// The format of each layout.
    private var formatNames: [Int64: String] = [:]

    /// - Parameter library: The library of the entries.
    init(tables: LibraryTables, library: Int64) {
        self.tables = tables
        self.library = library
    }

    enum Found {
        case stored(StoredEntry)
        /// Place of its key in the index, whether or not it is there. If the key is there, the row cannot be
        /// read before the batch's rows are copied.
        case at(KeyIndex.Place)
    }

    /// Finds a record's entry. Must be called for records in their order.
    ///
    /// - Parameter number: Index of the record's prepared row.
    func find(_ number: Int, of batch: ResultBatchView, layout: EntryLayout) throws(ETLError) -> Found {
        // A prepared row is large, so only the fields needed are read from the batch.
        if !tables.indexes.entries.isCertainlyNew(batch.rows[number].entry.key),
            let guessed = try guess(batch.bytes(of: batch.rows[number].entry.sourceID), layout)
        {
            return .stored(guessed)
        }
        let found = try lookUp(number, of: batch)
        if case .stored(let entry) = found { order.note(entry.id) }
        return found
    }

    /// Finds the entry of any record by its key.
    func lookUp(_ number: Int, of batch: ResultBatchView) throws(ETLError) -> Found {
        let place = try tables.indexes.entries.place(of: batch.rows[number].entry.key)
        guard let row = place.row, let stored = try read(row, batch) else { return .at(place) }
        return .stored(stored)
    }

    /// The predicted entry, if it has the given source id.
    private func guess(
        _ sourceID: UnsafeRawBufferPointer, _ layout: EntryLayout
    ) throws(ETLError) -> StoredEntry? {
        guard let row = order.guess else { return nil }
        let read = tables.readNextEntry
        read.bind(1, row)
        defer { read.reset() }
        guard try read.next(), read.withBytes(4, { $0.elementsEqual(sourceID) }), read.integer(5) == library,
            try isAlike(read.integer(6), layout)
        else {
            order.noteMiss()
            return nil
        }
        let stored = Self.entry(read)
        order.note(stored.id)
        return stored
    }

    /// Whether the source ids of two layouts are comparable: they are if the layouts have the same format.
    private func isAlike(_ stored: Int64, _ layout: EntryLayout) throws(ETLError) -> Bool {
        if stored == layout.id { return true }
        if formatNames[stored] == nil {
            let read = tables.readFormatName
            read.bind(1, stored)
            defer { read.reset() }
            formatNames[stored] = try read.next() ? read.string(0) : ""
        }
        return formatNames[stored] == layout.columns.formatName
    }

    /// An entry by its row; nil if there is none.
    func read(_ id: Int64, _ batch: ResultBatchView) throws(ETLError) -> StoredEntry? {
        try tables.new.settle(entry: id, batch)
        let read = tables.readEntry
        read.bind(1, id)
        defer { read.reset() }
        return try read.next() ? Self.entry(read) : nil
    }

    private static func entry(_ read: Statement) -> StoredEntry {
        StoredEntry(
            id: read.integer(0), edition: read.integer(1), contentHash: read.integer(2),
            community: read.integer(3))
    }
}

/// Predicts where a record's entry is stored. An export mostly keeps its order from one import to the next,
/// so the next known record usually has the entry after the one found last.
///
/// After a wrong prediction there are no more until two entries are found in sequence again. So a file in a
/// different order costs only one wasted read, not one per record.
struct EntryPrediction {
    /// Maximum number of rows between two entries that count as consecutive. Records that turned out to be
    /// known leave gaps.
    private static let widestGap: Int64 = 1 << 10

    private var last: Int64 = 0
    private var isKept = true

    /// The row after which the next entry is expected; nil if there is no prediction.
    var guess: Int64? { isKept ? last : nil }

    /// Notes that the prediction was wrong.
    mutating func noteMiss() { isKept = false }

    /// Notes where an entry was found, with or without a prediction.
    mutating func note(_ row: Int64) {
        isKept = row > last && row - last <= Self.widestGap
        last = row
    }
}
