package import Books
import Bytes
import Syntax

/// Problems that the parser found in a record, as warnings.
extension LibraryRow {
    mutating func note(_ flags: RecordFlags) {
        for (flag, reason) in Self.reasons where flags.contains(flag) { warnings.append(Warning(reason)) }
    }

    private static let reasons: [(RecordFlags, ReasonCode)] = [
        (.textAfterQuote, .textAfterQuote), (.strayQuote, .strayQuote),
        (.unterminatedQuote, .unterminatedQuote),
        (.nul, .nulByte), (.invalidUTF8, .invalidUTF8),
        (.wrongLengths, .wrongLengths), (.replacedCharacters, .replacedCharacters),
        (.bareControls, .bareControls),
    ]
}

extension LibraryRows {
    /// Decides where the cells of a record belong if their number differs from the number of columns. Extra
    /// cells that belong nowhere are stored unchanged. If they are all empty, nothing is lost, and there is
    /// no warning. If the alignment is doubtful, the record does not replace stored values.
    ///
    /// - Parameter delimiter: The file's delimiter; nil if unknown, in which case cells cannot be joined.
    package mutating func align(_ row: inout LibraryRow, to shapes: ColumnShapes, delimiter: UInt8?) {
        let (count, columnCount) = (row.cells.count, columns.names.count)
        let found = cells[row.cells].map(arena.bytes)
        var warning = Warning(
            .raggedRecord, value: String(count),
            message: "The record has \(count) cells, but the header has \(columnCount).")
        switch shapes.alignment(of: found, delimiter: delimiter ?? 0) {
        case .inPlace:
            if count > columnCount, found.dropFirst(columnCount).allSatisfy(\.isEmpty) { return }
        case .joined(let places):
            guard let delimiter else {
                row.refusal = .shiftedRecord
                return
            }
            let first = row.cells.lowerBound
            row.cells = first..<first + columnCount
            // Cells before the first joined one are unchanged.
            for (column, cell) in ColumnShapes.joined(found, at: places, by: delimiter).enumerated()
            where column + 1 >= places[0] { cells[first + column] = arena.append(cell) }
            let taken = cells[first + places[0] - 1]
            warning = Warning(.cellsJoined, field: columns.names[places[0] - 1], value: shown(taken))
        case .doubtful:
            row.isCutOff = true
            warning.message += " They may be in the wrong columns, so stored values are kept."
        case .unknown: row.refusal = .shiftedRecord
        }
        row.warnings.append(warning)
    }

    /// Details of a refused row, in addition to the reason's message.
    package func details(of row: LibraryRow, _ reason: ReasonCode) -> String {
        reason == .shiftedRecord
            ? "It has \(row.cells.count) cells, but the header has \(columns.names.count)." : ""
    }
}
