import Books
import Bytes
import System

/// Finds a record whose quoted cell has swallowed the end of this record and the beginning of a later one.
///
/// This happens if a stray quote opens a cell and another stray quote closes it in the same column of a later
/// record: the result has the right number of cells and valid quotes, but is made of several records. The parser
/// cannot see it. What gives it away is the cell's own lines: its first line continues with as many cells as the
/// record needs to its end, its last line begins with as many as a record has up to this column, and each line
/// between is a record.
extension ColumnShapes {
    /// Content of a cell of several lines.
    enum Swallowed {
        /// Text.
        case nothing
        /// Perhaps parts of several records: the number of cells agrees, but no other sign.
        case perhaps(column: Int)
        /// Parts of several records.
        case certainly(column: Int)
    }

    /// Fewer separators in the right places may be chance.
    private static let fewestSeparators = 3
    /// This many columns that each line agrees with are no chance, even in a review.
    private static let distinctiveColumns = 12

    func swallowed(in cells: [[UInt8]], delimiter: UInt8) -> Swallowed {
        guard cells.count == columnCount, columnCount > 1, areNamed else { return .nothing }
        for (column, cell) in cells.enumerated() where cell.contains(where: Self.endsLine) {
            let lines = cell.split(whereSeparator: Self.endsLine).map {
                $0.split(separator: delimiter, omittingEmptySubsequences: false).map(Array.init)
            }
            let separators = cell.count { $0 == delimiter }
            guard lines.count > 1, let head = lines.first, let tail = lines.last,
                head.count == columnCount - column, tail.count == column + 1, separators > 0,
                lines.dropFirst().dropLast().allSatisfy({ $0.count == columnCount })
            else { continue }
            let records =
                [Array(cells[..<column]) + head] + lines.dropFirst().dropLast()
                + [tail + Array(cells[(column + 1)...])]
            guard records.allSatisfy(fits) else { continue }
            // Which cells of each record the lines claim.
            let claimed = records.indices.map { index in
                switch index {
                case 0: column..<columnCount
                case records.count - 1: 0..<column + 1
                default: 0..<columnCount
                }
            }
            let isSign = zip(records, claimed).contains { holdsTypical($0, in: $1) }
            let isProof = zip(records, claimed).contains { holdsISBN($0, in: $1) }
            if isProof || !isProse(lines, besides: cells, column) { return .certainly(column: column) }
            let isLong = separators >= Self.fewestSeparators
            if holdsShortText(column) {
                return isSign || isLong ? .certainly(column: column) : .perhaps(column: column)
            }
            guard isLong else { continue }
            return isSign || columnCount >= Self.distinctiveColumns
                ? .certainly(column: column) : .perhaps(column: column)
        }
        return .nothing
    }

    /// Whether a cell's delimiters may be those of a text: a blank follows one of them, or digits are on both sides
    /// of all, as in `1,50`. If the program puts blanks before the record's own cells, blanks are no evidence.
    ///
    /// - Parameter lines: The cell's lines, split at the delimiter.
    private func isProse(_ lines: [[[UInt8]]], besides cells: [[UInt8]], _ column: Int) -> Bool {
        let isBlankOwn = cells.indices.contains { $0 > 0 && $0 != column && Self.isBlankLed(cells[$0]) }
        var isSeparated = false
        for line in lines {
            for (before, after) in zip(line, line.dropFirst()) {
                if !isBlankOwn, Self.isBlankLed(after) { return true }
                isSeparated =
                    isSeparated || !(before.last?.isDigit ?? false) || !(after.first?.isDigit ?? false)
            }
        }
        return !isSeparated
    }

    private static func endsLine(_ byte: UInt8) -> Bool {
        byte == UInt8(ascii: "\n") || byte == UInt8(ascii: "\r")
    }
}

extension LibraryRows {
    /// Checks a record of several lines, and refuses or notes it if it may be made of several.
    ///
    /// - Returns: If it is refused, where its quote is opened and closed.
    mutating func checkSwallowed(
        _ row: inout LibraryRow, _ shapes: ColumnShapes, delimiter: UInt8
    ) -> String? {
        let found = cells[row.cells].map(arena.bytes)
        switch shapes.swallowed(in: found, delimiter: delimiter) {
        case .nothing: return nil
        case .perhaps(let column):
            row.warnings.append(
                Warning(
                    .quotedRecords, field: columns.names[column],
                    value: shown(cells[row.cells.lowerBound + column])))
            return nil
        case .certainly(let column):
            row.refusal = .recordsMerged
            let before = found[..<column].reduce(0) { $0 + Self.lineEnds(in: $1) }
            let opened = row.position.line + before
            let closed = opened + Self.lineEnds(in: found[column])
            return "The quote in `\(columns.names[column])` on line \(opened) is closed on line \(closed)."
        }
    }

    private static func lineEnds(in cell: [UInt8]) -> Int {
        // A carriage return alone ends a line too.
        var ends = 0
        for (index, byte) in cell.enumerated() {
            let isPair = byte == UInt8(ascii: "\n") && index > 0 && cell[index - 1] == UInt8(ascii: "\r")
            if byte == UInt8(ascii: "\r") || byte == UInt8(ascii: "\n") && !isPair { ends += 1 }
        }
        return ends
    }
}
