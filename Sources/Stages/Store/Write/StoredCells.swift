import Books
import Bytes
import Database
import System

/// The cells of a stored entry, and values of its own columns.
struct StoredCells {
    /// The column names of the cells.
    let names: [String]
    /// Packed (``PackedCells``).
    let cells: [UInt8]
    let hasRating: Bool
    /// The dates as stored; nil for an unreadable one.
    let dates: [LibraryField: String?]

    /// The bytes of a field's cell, found by the name of its column; nil if it is empty.
    func cell(_ field: LibraryField, in layout: EntryLayout) -> [UInt8]? {
        guard let column = layout.columns[field],
            let place = names.firstIndex(of: layout.columns.names[column])
        else { return nil }
        return cells.withUnsafeBytes { bytes in
            guard let range = PackedCells.range(of: place, in: bytes), !range.isEmpty else { return nil }
            return Array(bytes[range])
        }
    }

    /// Whether a record has the same cells of some fields.
    func areSame(
        _ fields: [LibraryField], in record: PreparedEntry, of batch: ResultBatchView, layout: EntryLayout
    ) -> Bool {
        let new = batch.bytes(of: record.cells)
        return fields.allSatisfy { field in
            guard let column = layout.columns[field] else { return true }
            let range = PackedCells.range(of: column, in: new) ?? 0..<0
            return (cell(field, in: layout) ?? []).elementsEqual(new[range])
        }
    }

    /// The cells of a stored entry; nil if no entry has the id.
    static func read(
        _ entry: Int64, from tables: LibraryTables, _ layout: EntryLayout
    ) throws(ETLError) -> StoredCells? {
        let read = tables.readLayout
        read.bind(1, entry)
        defer { read.reset() }
        guard try read.next() else { return nil }
        return StoredCells(
            names: read.integer(0) == layout.id
                ? layout.columns.names : read.withBytes(1) { StoredList.strings($0) },
            cells: read.bytes(2), hasRating: !read.isNull(3),
            dates: [.dateRead: read.optionalString(4), .dateAdded: read.optionalString(5)])
    }

    /// The fields whose cells had an unreadable value such as `########`.
    func unreadable(in layout: EntryLayout) -> LibraryFields {
        var fields = LibraryFields()
        if !hasRating, let cell = cell(.rating, in: layout),
            cell.withUnsafeBytes({ StarRating.read($0) }) == .damaged
        {
            fields.insert(.rating)
        }
        for (field, date) in dates {
            guard let bytes = date.map({ Array($0.utf8) }) ?? cell(field, in: layout) else { continue }
            let isRead = bytes.withUnsafeBytes { CalendarDate($0) != nil || $0.trimmedBlanks.isEmpty }
            if !isRead { fields.insert(field) }
        }
        return fields
    }
}

/// The values of a stored entry that are kept because the record's cells cannot be read. For example, if a
/// spreadsheet saved `########` for a date, the stored date is kept. An empty cell is different: it clears
/// the stored value.
struct PreservedValues {
    /// A bit for each of ``PreparedEntry/userColumns`` that is kept.
    let columns: Int64
    /// The record's cells, with unreadable ones replaced by the stored ones.
    let cells: UnsafeRawBufferPointer

    /// All values of the record replace the stored ones.
    init(nothingOf entry: PreparedEntry, _ batch: ResultBatchView) {
        columns = 0
        cells = batch.bytes(of: entry.cells)
    }

    /// - Parameters:
    ///   - stored: The stored cells of the entry.
    ///   - scratch: Keeps the cells while the batch is written.
    init(
        _ stored: StoredCells, of entry: PreparedEntry, _ batch: ResultBatchView, layout: EntryLayout,
        scratch: ScratchBytes
    ) {
        columns = PreparedEntry.mask { entry.unreadable.contains($0) }
        var staying: [Int: [UInt8]] = [:]
        for field in LibraryField.allCases where entry.unreadable.contains(field) {
            if let column = layout.columns[field] { staying[column] = stored.cell(field, in: layout) }
        }
        let own = batch.bytes(of: entry.cells)
        cells =
            staying.isEmpty
            ? own : scratch.keep { PackedCells.append(own, replacing: staying, to: &$0) }
    }
}
