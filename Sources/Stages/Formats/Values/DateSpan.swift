import Books
import Bytes

/// Two dates in one cell, from the first day of a reading to its last: `2023/03/01 → 2023/03/09`.
struct DateSpan {
    /// Where the dates are in the cell.
    let first: Range<Int>
    let last: Range<Int>

    /// What stands between the dates. A bare hyphen is tried last, because dates contain it too.
    private static let separators: [StaticString] = [
        "→", "->", "–", "—", "…", "~", "～", " - ", " to ", " until ", " bis ", " a ", " à ", "..", ";", "-",
    ]

    /// Nil if the cell is not two dates, of which the second is not in an earlier year.
    init?(_ bytes: UnsafeRawBufferPointer) {
        for separator in Self.separators {
            let mark = separator.withUTF8Buffer { Array($0) }
            guard let found = bytes.firstRange(of: mark) else { continue }
            let first = bytes.trimmedBlanks(in: 0..<found.lowerBound)
            let last = bytes.trimmedBlanks(in: found.upperBound..<bytes.count)
            guard let start = CalendarDate(UnsafeRawBufferPointer(rebasing: bytes[first])),
                let end = CalendarDate(UnsafeRawBufferPointer(rebasing: bytes[last])), start.year <= end.year
            else { continue }
            (self.first, self.last) = (first, last)
            return
        }
        return nil
    }
}

extension LibraryRows {
    /// Reads a cell with the first and the last day of a reading into both fields; false for anything else.
    mutating func readSpan(_ cell: Text, in field: LibraryField, of row: inout LibraryRow) -> Bool {
        guard let span = arena.withBytes(cell, { DateSpan($0) }) else { return false }
        let (first, last) = (cell.part(span.first), cell.part(span.last))
        read(field, as: field == .dateRead ? last : first, of: &row)
        switch field {
        case .dateRead where self.cell(.dateStarted, of: row).isEmpty: read(.dateStarted, as: first, of: &row)
        case .dateStarted where self.cell(.dateRead, of: row).isEmpty: read(.dateRead, as: last, of: &row)
        default: break
        }
        return true
    }
}
