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
