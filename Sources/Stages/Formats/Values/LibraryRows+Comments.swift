import Books
import Bytes

/// Lines that people and programs write between the records of a table: comments, rules, rows of signs.
extension LibraryRows {
    /// Whether a row is a comment or consists of signs. A title may begin with `#`, so a row that has a title and
    /// anything else that a book has is a book.
    func isCommentLine(_ row: LibraryRow) -> Bool {
        guard let first = row.cells.first, let mark = arena.withBytes(cells[first], { CommentMark($0) })
        else {
            return false
        }
        if mark == .signs {
            return row.cells.allSatisfy { arena.withBytes(cells[$0]) { $0.allSatisfy(CommentMark.isSign) } }
        }
        let others = row.cells.dropFirst().filter { !arena.trimmed(cells[$0]).isEmpty }
        if others.isEmpty { return mark == .prose || columns.names.count > 1 }
        // `# a comment, with a comma` is an incomplete row whose other cells begin as words after a comma do.
        let isIncomplete = row.cells.count != columns.names.count
        return others.allSatisfy { other in
            arena.withBytes(cells[other]) { cell in
                let isBlankLed = cell.first == 0x20
                let first = cell.first { $0 != 0x20 }
                let isLower = first.map { $0 >= UInt8(ascii: "a") && $0 <= UInt8(ascii: "z") } ?? false
                if cell.count(where: \.isDigit) >= CommentMark.fewestDigits { return false }
                return mark == .prose ? isBlankLed || isLower : isIncomplete && isBlankLed && isLower
            }
        }
    }
}

/// Start of a line that may be a comment.
private enum CommentMark {
    /// `#` and a word, as in the title `#GirlBoss`.
    case hash
    /// `# ` or `//`: no title begins so.
    case prose
    /// Signs only: `----`, `;;;;`.
    case signs

    /// A cell with as many digits may be an ISBN, and then the row is a book.
    static let fewestDigits = 9

    /// Nil for other text.
    init?(_ cell: UnsafeRawBufferPointer) {
        let range = cell.trimmedBlanks
        guard let first = range.isEmpty ? nil : cell[range.lowerBound] else { return nil }
        let rest = cell[range].dropFirst()
        if cell[range].allSatisfy(Self.isSign) {
            self = .signs
        } else if first == UInt8(ascii: "#") {
            self = rest.first.map { $0 <= 0x20 || $0 == first } ?? true ? .prose : .hash
        } else if first == UInt8(ascii: "/"), rest.first == first {
            self = .prose
        } else {
            return nil
        }
    }

    /// Whether a byte is a blank or a punctuation mark as in lines between records. `?` and `!` are titles.
    static func isSign(_ byte: UInt8) -> Bool {
        switch byte {
        case 0...0x20, UInt8(ascii: "-"), UInt8(ascii: "="), UInt8(ascii: "_"), UInt8(ascii: "*"),
            UInt8(ascii: "~"),
            UInt8(ascii: ";"), UInt8(ascii: ","), UInt8(ascii: "|"), UInt8(ascii: "#"), UInt8(ascii: "/"),
            UInt8(ascii: "+"), UInt8(ascii: "."), UInt8(ascii: ":"):
            true
        default: false
        }
    }
}
