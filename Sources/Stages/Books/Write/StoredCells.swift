import Bytes

/// The cells of a stored entry, and what of them a column of its own holds.
struct StoredCells {
    /// The names that the cells stand under.
    let names: [String]
    /// Packed (``PackedCells``).
    let cells: [UInt8]
    let hasRating: Bool
    /// The dates as they are stored: as they stood, where they could not be read.
    let dates: [LibraryField: String?]

    /// The bytes of a field's cell, found by the name of its column; nil where it is empty.
    func cell(_ field: LibraryField, in layout: EntryLayout) -> [UInt8]? {
        guard let column = layout.columns[field],
            let place = names.firstIndex(of: layout.columns.names[column])
        else { return nil }
        return cells.withUnsafeBytes { bytes in
            guard let range = PackedCells.range(of: place, in: bytes), !range.isEmpty else { return nil }
            return Array(bytes[range])
        }
    }

    /// The fields whose cells said something that could not be read: `########`.
    func unreadable(in layout: EntryLayout) -> LibraryFields {
        var fields = LibraryFields()
        if !hasRating, let cell = cell(.rating, in: layout),
            cell.withUnsafeBytes({ StarRating.read($0) }) == .damaged
        {
            fields.insert(.rating)
        }
        for (field, date) in dates {
            guard let bytes = date.map({ Array($0.utf8) }) else { continue }
            let isRead = bytes.withUnsafeBytes { CalendarDate($0) != nil || $0.trimmedBlanks.isEmpty }
            if !isRead { fields.insert(field) }
        }
        return fields
    }
}

/// What of a stored entry outlasts a record whose own cells cannot be read: a spreadsheet saved `########` for a date,
/// and the date that is known stays. An empty cell is another matter: it says that there is nothing any more.
struct PreservedValues {
    /// A bit for each of ``EntryDraft/readersColumns`` that stays.
    let columns: Int64
    /// The record's cells, with the stored ones in the places of those that cannot be read.
    let cells: UnsafeRawBufferPointer

    /// All that a record says replaces what is stored.
    init(nothingOf entry: EntryDraft, _ batch: ResultBatchView) {
        columns = 0
        cells = batch.bytes(of: entry.cells)
    }

    /// - Parameters:
    ///   - stored: What is stored of the entry.
    ///   - scratch: Keeps the cells while the batch is written.
    init(
        _ stored: StoredCells, of entry: EntryDraft, _ batch: ResultBatchView, layout: EntryLayout,
        scratch: ScratchBytes
    ) {
        columns = EntryDraft.mask { entry.unreadable.contains($0) }
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
