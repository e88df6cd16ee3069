/// What the reader of its syntax found odd about a record, as notices.
extension LibraryRow {
    mutating func note(_ flags: RecordFlags) {
        for (flag, reason) in Self.reasons where flags.contains(flag) { notices.append(Notice(reason)) }
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
    /// Notes a record whose cells are not as many as the columns. Cells too many are carried along; where
    /// they are all empty nothing is lost or doubtful, and nothing is said.
    func noteRagged(_ row: inout LibraryRow, columnCount: Int) {
        let count = row.cells.count
        if count > columnCount, cells[row.cells].dropFirst(columnCount).allSatisfy(\.isEmpty) { return }
        row.notices.append(
            Notice(
                .raggedRecord, value: String(count),
                message: "The record has \(count) cells, the header \(columnCount)."))
    }
}
