import Database

/// A stored entry, as far as it decides what a record is.
struct StoredEntry {
    let id: Int64
    let edition: Int64
    let contribution: Int64
    let community: Int64

    /// Whether its job has brought it up to date before, and does so once more (``JobRollback``).
    var isToComeAgain: Bool { contribution == JobRollback.forgottenContribution }
}

/// Finds the entries of a library's records.
///
/// Keys lie scattered, entries one behind the other: so the entry that a record is guessed to be (``EntryPrediction``) is read
/// before its key is looked up. If it has the record's own name, that was all.
final class EntryFinder {
    private let tables: LibraryTables
    private let library: Int64
    private var order = EntryPrediction()
    /// The profile that a layout belongs to.
    private var profiles: [Int64: String] = [:]

    /// - Parameter library: Whose entries the records are.
    init(tables: LibraryTables, library: Int64) {
        self.tables = tables
        self.library = library
    }

    enum Found {
        case stored(StoredEntry)
        /// Where its key is or would be. Where it is, the row cannot be read before its batch's rows are copied.
        case at(KeyIndex.Place)
    }

    /// Finds a record's entry. Records come in their order.
    ///
    /// - Parameter number: Index of the record's draft.
    func find(_ number: Int, of batch: ResultBatchView, layout: EntryLayout) throws(SQLiteError) -> Found {
        // A draft is large: of what stands in the batch only what is asked for is read.
        if !tables.indexes.entries.isCertainlyNew(batch.drafts[number].entry.key),
            let guessed = try guess(batch.bytes(of: batch.drafts[number].entry.sourceID), layout)
        {
            return .stored(guessed)
        }
        let found = try lookUp(number, of: batch)
        if case .stored(let entry) = found { order.note(entry.id) }
        return found
    }

    /// Finds the entry of any record by its key.
    func lookUp(_ number: Int, of batch: ResultBatchView) throws(SQLiteError) -> Found {
        let place = try tables.indexes.entries.place(of: batch.drafts[number].entry.key)
        guard let row = place.row, let stored = try read(row, batch) else { return .at(place) }
        return .stored(stored)
    }

    /// The entry that is guessed to be of a source's id, if it is.
    private func guess(
        _ sourceID: UnsafeRawBufferPointer, _ layout: EntryLayout
    ) throws(SQLiteError) -> StoredEntry? {
        guard let row = order.guess else { return nil }
        let read = tables.readNextEntry
        read.bind(1, row)
        defer { read.reset() }
        guard try read.step(), read.withBytes(4, { $0.elementsEqual(sourceID) }), read.integer(5) == library,
            try isAlike(read.integer(6), layout)
        else {
            order.noteMiss()
            return nil
        }
        let stored = Self.entry(read)
        order.note(stored.id)
        return stored
    }

    /// Whether entries of two layouts are told apart by their sources' ids: those of one profile are.
    private func isAlike(_ stored: Int64, _ layout: EntryLayout) throws(SQLiteError) -> Bool {
        if stored == layout.id { return true }
        if profiles[stored] == nil {
            let read = tables.readProfile
            read.bind(1, stored)
            defer { read.reset() }
            profiles[stored] = try read.step() ? read.string(0) : ""
        }
        return profiles[stored] == layout.columns.profile
    }

    /// An entry by its row; nil where there is none.
    func read(_ id: Int64, _ batch: ResultBatchView) throws(SQLiteError) -> StoredEntry? {
        try tables.new.settle(entry: id, batch)
        let read = tables.readEntry
        read.bind(1, id)
        defer { read.reset() }
        return try read.step() ? Self.entry(read) : nil
    }

    private static func entry(_ read: Statement) -> StoredEntry {
        StoredEntry(
            id: read.integer(0), edition: read.integer(1), contribution: read.integer(2),
            community: read.integer(3))
    }
}

/// Guesses where a record's entry is: an export mostly keeps its order from one import to the next, so the entry behind
/// the one found last is mostly that of the next known record.
///
/// A guess that was wrong is followed by none until entries are found one behind the other again: what comes in an order
/// of its own costs one guess in vain, not one a record.
struct EntryPrediction {
    /// Rows between two entries at the most that count as one behind the other: those of records that turned out to be
    /// known leave gaps.
    private static let widestGap: Int64 = 1 << 10

    private var last: Int64 = 0
    private var isKept = true

    /// The row behind which the next entry is guessed to be; nil where there is nothing to go by.
    var guess: Int64? { isKept ? last : nil }

    /// Notes that the guess was wrong.
    mutating func noteMiss() { isKept = false }

    /// Notes where an entry was found, with or without a guess.
    mutating func note(_ row: Int64) {
        isKept = row > last && row - last <= Self.widestGap
        last = row
    }
}
