/// The apostrophe that keeps a spreadsheet from running a cell as a formula (`--csv-safe`).
///
/// A cell that already has apostrophes before a would-be formula gets one more. So each guarded cell has
/// exactly one to remove, and its original value is certain.
package enum FormulaGuard {
    static let apostrophe = UInt8(ascii: "'")

    /// The column that marks the rows of an exported table of books as guarded.
    package static let column = "csvSafe"
    /// The value of this column: a word that spreadsheets do not convert or respell.
    package static let mark = "yes"

    /// Whether a cell of the column marks its row as guarded.
    package static func isMark(_ cell: some Sequence<UInt8>) -> Bool {
        String(decoding: Array(cell), as: UTF8.self).lowercased() == mark
    }

    /// Whether a cell needs an apostrophe.
    static func isNeeded(_ cell: UnsafeRawBufferPointer) -> Bool {
        guard let first = cell.first else { return false }
        return looksLikeFormula(first == apostrophe ? bare(cell) : cell)
    }

    /// Whether a cell of a guarded table was given an apostrophe.
    package static func isGuarded(_ cell: UnsafeRawBufferPointer) -> Bool {
        cell.first == apostrophe && looksLikeFormula(bare(cell))
    }

    /// A cell of a guarded table without the added apostrophe.
    package static func takenOff(_ cell: String) -> String {
        var cell = cell
        return cell.withUTF8 { isGuarded(UnsafeRawBufferPointer($0)) } ? String(cell.dropFirst()) : cell
    }

    private static func bare(_ cell: UnsafeRawBufferPointer) -> UnsafeRawBufferPointer {
        UnsafeRawBufferPointer(rebasing: cell.drop { $0 == apostrophe })
    }

    /// Whether a spreadsheet would run the cell as a formula (OWASP, "CSV Injection"). That is a cell that
    /// begins with `=`, `@`, a tab or a line end, with a full-width form of a formula character, or with a
    /// sign unless it is a plain number. Spaces and quotes before that are skipped, because some spreadsheets
    /// ignore them.
    private static func looksLikeFormula(_ cell: UnsafeRawBufferPointer) -> Bool {
        let utf8 = UnsafeRawBufferPointer(
            rebasing: cell.drop { $0 == UInt8(ascii: " ") || $0 == UInt8(ascii: "\"") })
        guard let first = utf8.first else { return false }
        switch first {
        case UInt8(ascii: "="), UInt8(ascii: "@"), UInt8(ascii: "\t"), UInt8(ascii: "\r"), UInt8(ascii: "\n"):
            return true
        case UInt8(ascii: "+"), UInt8(ascii: "-"):
            return !isNumber(utf8.dropFirst())
        case 0xEF:
            // ＋ － ＝ ＠, U+FF0B, U+FF0D, U+FF1D, U+FF20.
            return utf8.count >= 3
                && (utf8[1] == 0xBC && [0x8B, 0x8D, 0x9D, 0xA0].contains(utf8[2]))
        default:
            return false
        }
    }

    /// Whether the text is digits with at most one decimal point.
    private static func isNumber(_ utf8: Slice<UnsafeRawBufferPointer>) -> Bool {
        var (digits, points) = (0, 0)
        for byte in utf8 {
            switch byte {
            case UInt8(ascii: "0")...UInt8(ascii: "9"): digits += 1
            case UInt8(ascii: "."): points += 1
            default: return false
            }
        }
        return digits > 0 && points <= 1
    }
}
