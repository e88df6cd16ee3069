import Bytes
import Syntax

/// What the reader of its syntax found odd about a record, as notices.
extension LibraryRow {
    mutating func note(_ flags: RecordFlags) {
        for (flag, reason) in Self.reasons where flags.contains(flag) { notices.append(Warning(reason)) }
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
    /// Settles where the cells of a record belong that are not as many as the columns. Cells too many that belong nowhere
    /// are carried along; where they are all empty nothing is lost or doubtful, and nothing is said. Of a doubtful record
    /// nothing replaces what is known.
    ///
    /// - Parameter delimiter: What parted them; nil where that is not known, and nothing can be joined.
    package mutating func align(_ row: inout LibraryRow, to shapes: ColumnShapes, delimiter: UInt8?) {
        let (count, columnCount) = (row.cells.count, columns.names.count)
        let found = cells[row.cells].map(arena.bytes)
        var notice = Warning(
            .raggedRecord, value: String(count),
            message: "The record has \(count) cells, the header \(columnCount).")
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
            // Those before the first that was joined are the same.
            for (column, cell) in ColumnShapes.joined(found, at: places, by: delimiter).enumerated()
            where column + 1 >= places[0] { cells[first + column] = arena.append(cell) }
            let taken = cells[first + places[0] - 1]
            notice = Warning(.cellsJoined, field: columns.names[places[0] - 1], value: shown(taken))
        case .doubtful:
            row.isCutOff = true
            notice.message += " They may stand under the wrong names: what is known of the book stays."
        case .unknown: row.refusal = .shiftedRecord
        }
        row.notices.append(notice)
    }

    /// What is to be said of a refused row beside the reason's own words.
    package func details(of row: LibraryRow, _ reason: ReasonCode) -> String {
        reason == .shiftedRecord
            ? "It has \(row.cells.count) cells, the header \(columns.names.count)." : ""
    }
}
