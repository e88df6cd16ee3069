import Database

/// The text format of PostgreSQL's COPY: a line for each row, cells separated by tabs, `\N` for NULL.
struct CopyText {
    private(set) var bytes: [UInt8] = []
    private var isRowEmpty = true

    /// Adds a column of a statement's current row as a cell.
    mutating func cell(_ column: Int32, of row: Statement, _ type: PostgreSQLTable.ColumnType) {
        if isRowEmpty { isRowEmpty = false } else { bytes.append(UInt8(ascii: "\t")) }
        guard !row.isNull(column) else {
            bytes += [UInt8(ascii: "\\"), UInt8(ascii: "N")]
            return
        }
        switch type {
        case .integer: bytes += Array(String(row.integer(column)).utf8)
        case .number: bytes += Array("\(row.double(column))".utf8)
        // Bytes that are not UTF-8 become U+FFFD. PostgreSQL would refuse the file because of them.
        case .text, .time: text(row.string(column))
        }
    }

    /// Ends the row.
    mutating func endRow() {
        bytes.append(UInt8(ascii: "\n"))
        isRowEmpty = true
    }

    mutating func removeAll() { bytes.removeAll(keepingCapacity: true) }

    private mutating func text(_ text: String) {
        for byte in text.utf8 {
            switch byte {
            case UInt8(ascii: "\\"): bytes += [UInt8(ascii: "\\"), byte]
            case UInt8(ascii: "\t"): bytes += [UInt8(ascii: "\\"), UInt8(ascii: "t")]
            case UInt8(ascii: "\n"): bytes += [UInt8(ascii: "\\"), UInt8(ascii: "n")]
            case UInt8(ascii: "\r"): bytes += [UInt8(ascii: "\\"), UInt8(ascii: "r")]
            // PostgreSQL has no text with this character.
            case 0: break
            default: bytes.append(byte)
            }
        }
    }
}
