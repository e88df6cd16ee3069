import Bytes

/// Finds a record whose quoted cell has swallowed the end of this record and the beginning of a later one.
///
/// This happens if a stray quote opens a cell and another stray quote closes it in the same column of a later
/// record: the result has the right number of cells and valid quotes, but is made of two records. The parser
/// cannot see it. What gives it away is the cell's own lines: its first line continues with as many cells as the
/// record needs to its end, and its last line begins with as many as a record has up to this column.
extension ColumnShapes {
    /// What a cell of several lines is.
    enum Swallowed {
        /// Text.
        case nothing
        /// Perhaps parts of two records: the number of cells agrees, but no other sign.
        case perhaps(column: Int)
        /// Parts of two records: values such as dates and ISBNs are in the right places too.
        case certainly(column: Int)
    }

    /// Fewer separators in the right places may be chance.
    private static let fewestSeparators = 3

    func swallowed(in cells: [[UInt8]], delimiter: UInt8) -> Swallowed {
        guard cells.count == columnCount, areNamed else { return .nothing }
        for (column, cell) in cells.enumerated() where cell.contains(where: Self.endsLine) {
            let lines = cell.split(whereSeparator: Self.endsLine).map {
                $0.split(separator: delimiter, omittingEmptySubsequences: false)
            }
            guard lines.count > 1, let head = lines.first, let tail = lines.last,
                head.count == columnCount - column, tail.count == column + 1,
                lines.dropFirst().dropLast().allSatisfy({ $0.count == columnCount }),
                columnCount - 1 >= Self.fewestSeparators
            else { continue }
            let first = cells[..<column] + head.map(Array.init)
            let last = tail.map(Array.init) + cells[(column + 1)...]
            let fit = [Array(first), Array(last)].allSatisfy { self.fits($0) }
            guard fit else { continue }
            let signs = [
                hasShape(Array(first), in: column + 1..<columnCount), hasShape(Array(last), in: 0..<column),
            ].compactMap(\.self)
            let isProven = !signs.isEmpty && !signs.contains(false)
            return isProven || columnCount >= 12 ? .certainly(column: column) : .perhaps(column: column)
        }
        return .nothing
    }

    private static func endsLine(_ byte: UInt8) -> Bool {
        byte == UInt8(ascii: "\n") || byte == UInt8(ascii: "\r")
    }
}

extension LibraryRows {
    /// Checks a record of several lines, and rejects or notes it if it may be made of two.
    mutating func checkSwallowed(_ row: inout LibraryRow, _ shapes: ColumnShapes, delimiter: UInt8) {
        switch shapes.swallowed(in: cells[row.cells].map(arena.bytes), delimiter: delimiter) {
        case .nothing: break
        case .perhaps(let column):
            row.warnings.append(
                Warning(
                    .quotedRecords, field: columns.names[column],
                    value: shown(cells[row.cells.lowerBound + column])))
        case .certainly: row.refusal = .recordsMerged
        }
    }
}
