import Bytes
import Syntax

/// Knows a file's header where it comes once more among its records: two exports were joined one behind the other.
struct RepeatedHeader: Sendable {
    /// The header's cells.
    private let names: [[UInt8]]

    init(_ header: HeaderNames) { names = header.names.map { Array($0.utf8) } }

    /// Whether a row's cells are the header's, all of them.
    func isRepeated(by row: LibraryRow, in rows: borrowing LibraryRows) -> Bool {
        guard row.cells.count == names.count else { return false }
        for (place, name) in names.enumerated() {
            let cell = rows.cells[row.cells.lowerBound + place]
            guard Int(cell.length) >= name.count else { return false }
            let isName = rows.arena.withBytes(cell) { bytes in
                // The second file may begin with a byte order mark.
                let mark = TextEncoding.utf8.byteOrderMark
                let begin = place == 0 && bytes.starts(with: mark) ? mark.count : 0
                return bytes[bytes.trimmedBlanks(in: begin..<bytes.count)].elementsEqual(name)
            }
            guard isName else { return false }
        }
        return true
    }
}
