import Books
import Bytes
import Database
import System

/// Finds the entry of a record among the copies of its book.
///
/// Programs for collections list each copy in a row of its own, and few of them number the copies. So rows of a file
/// with one key are copies of one book if they differ in what they say about a copy (``LibraryField/copy``). The first
/// copy has the key itself, and the others have a number behind it: `~dune|frank herbert|9780441013593~#2`.
///
/// In a later file, a row is about the copy with the same content or the same details; else about the most similar one
/// that no earlier row of the file was about. Copies with different numbers (barcodes) are never one copy.
struct EntryCopies {
    /// The entry of a record.
    enum Place {
        case stored(StoredEntry)
        case new(EntryKey)
        /// The user has removed a copy that it may be about.
        case removed(Int64)
    }

    private struct Copy {
        let entry: StoredEntry
        let details: [[UInt8]]
    }

    private let tables: LibraryTables
    private let library: String
    private let job: Int64
    private let seen: EntriesOfFile

    /// - Parameter library: The name of the library of the entries.
    init(tables: LibraryTables, library: String, job: Int64) {
        self.tables = tables
        self.library = library
        self.job = job
        seen = EntriesOfFile(tables.connection, of: job)
    }

    /// Numbers in a row without a copy after which there are no further ones. An undo of one import of several takes
    /// copies out of the middle.
    private static let maxGap = 4

    /// The fields that a file numbers its copies with.
    private static let numbers = LibraryField.copy.prefix { $0 == .barcode || $0 == .bcid }

    /// Finds the place of a record whose key is known.
    ///
    /// - Parameters:
    ///   - stored: The entry with the key; nil if the user has removed it.
    ///   - row: The row of that entry.
    ///   - sourceID: The text that the key is made of.
    func place(
        of number: Int, in batch: ResultBatchView, besides stored: StoredEntry?, row: Int64,
        sourceID: UnsafeRawBufferPointer, layout: EntryLayout, by finder: EntryFinder
    ) throws(ETLError) -> Place {
        let own = stored.map(Place.stored) ?? .removed(row)
        guard layout.columns.listsCopies else { return own }
        var copies: [Copy] = []
        if let stored { copies.append(try copy(stored, layout)) }
        let wanted = details(of: number, in: batch, layout)
        var name = try key(2, of: sourceID, layout)
        if name.place.row == nil, copies.first?.details == wanted { return own }
        var (removed, free) = (stored == nil ? row : nil, EntryKey?.none)
        var (count, gap) = (2, 0)
        while gap < Self.maxGap {
            if let next = name.place.row {
                gap = 0
                if let entry = try finder.read(next, batch) {
                    copies.append(try copy(entry, layout))
                } else if tables.locked?.isRemoved(next) == true {
                    removed = next
                }
            } else {
                gap += 1
                free = free ?? name
            }
            count += 1
            name = try key(count, of: sourceID, layout)
        }
        let known = try known(number, in: batch, among: copies, wanted, hasRemoved: removed != nil)
        if let known { return .stored(known) }
        // The row can be that of the removed copy.
        if let removed { return .removed(removed) }
        return .new(free ?? name)
    }

    /// The copy that a record is about; nil for a new one.
    ///
    /// - Parameter hasRemoved: Whether the user has removed a copy. Then a row that agrees with none is about that one.
    private func known(
        _ number: Int, in batch: ResultBatchView, among copies: [Copy], _ wanted: [[UInt8]], hasRemoved: Bool
    ) throws(ETLError) -> StoredEntry? {
        guard !copies.isEmpty else { return nil }
        let hash = batch.rows[number].entry.contentHash
        if let same = copies.first(where: { $0.entry.contentHash == hash }) { return same.entry }
        var alike: StoredEntry?
        for copy in copies where copy.details == wanted {
            if try !seen.contains(copy.entry.id, before: number, of: batch) { return copy.entry }
            alike = alike ?? copy.entry
        }
        if let alike { return alike }
        let numbers = Self.numbers.indices
        if let numbered = copies.first(where: { copy in
            numbers.contains { !wanted[$0].isEmpty && wanted[$0] == copy.details[$0] }
        }) {
            return numbered.entry
        }
        // A record that is read again is about the same copy as before.
        let position = batch.rows[number].position
        if let before = try PackedOutcomesReader.record(
            position.record, file: position.file, of: job, in: tables.connection),
            let same = copies.first(where: { $0.entry.id == before.entry })
        {
            return same.entry
        }
        var (nearest, most): (StoredEntry?, Int) = (nil, hasRemoved ? 0 : -1)
        for copy in copies {
            let isOther = numbers.contains { !wanted[$0].isEmpty && !copy.details[$0].isEmpty }
            let agreeing = wanted.indices.count { !wanted[$0].isEmpty && wanted[$0] == copy.details[$0] }
            guard !isOther, agreeing > most,
                try !seen.contains(copy.entry.id, before: number, of: batch)
            else { continue }
            (nearest, most) = (copy.entry, agreeing)
        }
        return nearest
    }

    /// Notes the entry of a record that was written, in the order of the records.
    func note(_ entry: Int64, of number: Int, in batch: ResultBatchView) {
        seen.note(entry, ofFile: batch.rows[number].position.file)
    }

    /// Ends a batch whose records are about some entries, in their order.
    func end(_ batch: ResultBatchView, entries: some Sequence<Int64>) { seen.end(batch, entries: entries) }

    // MARK: Keys and details

    private func key(
        _ number: Int, of sourceID: UnsafeRawBufferPointer, _ layout: EntryLayout
    ) throws(ETLError) -> EntryKey {
        let text = tables.scratch.keep { out in
            out.append(contentsOf: sourceID)
            out.append(contentsOf: "~#\(number)".utf8)
        }
        return try EntryKey(text, library: library, layout: layout, in: tables)
    }

    private func copy(_ entry: StoredEntry, _ layout: EntryLayout) throws(ETLError) -> Copy {
        let cells = try StoredCells.read(entry.id, from: tables, layout)
        return Copy(
            entry: entry,
            details: LibraryField.copy.map { field in
                (cells?.cell(field, in: layout) ?? []).withUnsafeBytes { Array($0[$0.trimmedBlanks]) }
            })
    }

    /// A record's cells about the copy, in the order of ``LibraryField/copy``.
    private func details(
        of number: Int, in batch: ResultBatchView, _ layout: EntryLayout
    ) -> [[UInt8]] {
        let cells = batch.bytes(of: batch.rows[number].entry.cells)
        return LibraryField.copy.map { field in
            guard let column = layout.columns[field], let range = PackedCells.range(of: column, in: cells)
            else { return [] }
            return Array(cells[cells.trimmedBlanks(in: range)])
        }
    }
}

/// The entries that earlier records of a file were about.
///
/// Rarely needed, so they are read from the outcomes of the job's records on first use.
final class EntriesOfFile {
    private let connection: Connection
    private let job: Int64
    /// Those of the batches before the current one, in one file.
    private var before: (file: Int, entries: RowSet)?
    /// Entries of the current batch that are not among its new rows.
    private var currentBatch: [(file: Int, entry: Int64)] = []

    init(_ connection: Connection, of job: Int64) {
        self.connection = connection
        self.job = job
    }

    /// Adds the entry of a record of the current batch.
    func note(_ entry: Int64, ofFile file: Int) { currentBatch.append((file, entry)) }

    /// Ends a batch, whose outcomes are stored next.
    func end(_ batch: ResultBatchView, entries: some Sequence<Int64>) {
        currentBatch.removeAll(keepingCapacity: true)
        guard let file = before?.file else { return }
        for (row, entry) in zip(batch.rows, entries) where row.position.file == file {
            before?.entries.insert(entry)
        }
    }

    /// Whether a record of the same file before this one is about an entry.
    func contains(_ entry: Int64, before number: Int, of batch: ResultBatchView) throws(ETLError) -> Bool {
        let file = batch.rows[number].position.file
        let made = entry - batch.firstRow
        if made >= 0 { return made < Int64(number) && batch.rows[Int(made)].position.file == file }
        if currentBatch.contains(where: { $0 == (file, entry) }) { return true }
        if let before, before.file == file { return before.entries.contains(entry) }
        let seen = try PackedOutcomesReader(connection, of: job).entries(ofFile: file)
        before = (file, seen)
        return seen.contains(entry)
    }
}
