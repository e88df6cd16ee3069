import Books
import Bytes
import Syntax

/// Number of times that a record's cells were encoded in UTF-8, judged by those with characters beyond ASCII.
enum DoubledText {
    /// All are ASCII.
    case none
    /// At least one was encoded once.
    case once
    /// All were encoded twice: the decoded texts, by index, and whether it cannot be chance.
    case twice([(cell: Int, text: [UInt8])], isCertain: Bool)

    init(_ cells: ArraySlice<Text>, in arena: borrowing Arena) {
        var decoded: [(cell: Int, text: [UInt8])] = []
        var isCertain = false
        for index in cells.indices where !arena.withBytes(cells[index], { DoubleEncoding.isASCII($0) }) {
            guard let cell = arena.withBytes(cells[index], { DoubleEncoding.decoded($0) }) else {
                self = .once
                return
            }
            decoded.append((index, cell.text))
            isCertain = isCertain || cell.isCertain
        }
        self = decoded.isEmpty ? .none : .twice(decoded, isCertain: isCertain || decoded.count > 1)
    }
}

extension LibraryRows {
    /// Whether a row may have text that was encoded twice. A quick look, for every record.
    ///
    /// - Parameter isText: Whether the row's bytes are its cells as text.
    @inline(__always)
    func mayBeDoublyEncoded(_ row: borrowing LibraryRow, isText: Bool) -> Bool {
        if columns.areTextsDoublyEncoded { return true }
        if isText { return arena.withBytes(row.raw) { DoubleEncoding.mayBe(in: $0) } }
        return cells[row.cells].contains { arena.withBytes($0) { DoubleEncoding.mayBe(in: $0) } }
    }

    /// Decodes the cells of a row whose text was encoded twice, and notes the first one. A row with any cell that was
    /// encoded once is left as it is.
    mutating func undoDoubleEncoding(of row: inout LibraryRow) {
        guard case .twice(let decoded, let isCertain) = DoubledText(cells[row.cells], in: arena),
            isCertain || columns.areTextsDoublyEncoded, let first = decoded.first
        else { return }
        for (cell, text) in decoded { cells[cell] = arena.append(text) }
        let column = first.cell - row.cells.lowerBound
        let name = columns.names.indices.contains(column) ? columns.names[column] : nil
        row.warnings.append(Warning(.doubleEncoding, field: name, value: shown(cells[first.cell])))
    }
}
