import Bytes

/// Numbers in the free texts of a record.
enum MARCNumbers {
    /// The number of pages in `xii, 340 p. : ill. ; 24 cm`: the greatest number before a word for pages or
    /// leaves; nil if there is none, as in `3 v.` or `1 audio disc`.
    static func pages(_ bytes: UnsafeRawBufferPointer) -> Int? {
        var best: Int?
        var pending: Int?
        var at = 0
        while at < bytes.count {
            if let (number, end) = number(bytes, at) {
                pending = max(pending ?? 0, number)
                at = end
                continue
            }
            let word = bytes[at...].prefix { $0.isLetter }
            if word.isEmpty {
                // Another part of the description begins.
                if bytes[at] == UInt8(ascii: ";") || bytes[at] == UInt8(ascii: "(") { pending = nil }
                at += 1
                continue
            }
            if !isRoman(word) {
                if let pages = pending, isPages(word), pages > 0 { best = max(best ?? 0, pages) }
                pending = nil
            }
            at = word.endIndex
        }
        return best
    }

    /// The first year in a text: exactly four digits, from 1000 to 2099, as in `[c1998]` or `MDCCC [1800]`.
    static func year(_ bytes: UnsafeRawBufferPointer) -> Int? {
        var at = 0
        while at < bytes.count {
            guard let (value, end) = number(bytes, at) else {
                at += 1
                continue
            }
            if end - at == 4, (1000...2099).contains(value) { return value }
            at = end
        }
        return nil
    }

    /// The digits at an offset as a number, and where they end. Only the first nine digits count.
    private static func number(_ bytes: UnsafeRawBufferPointer, _ start: Int) -> (value: Int, end: Int)? {
        let digits = bytes[start...].prefix { $0.isDigit }
        guard !digits.isEmpty else { return nil }
        return (digits.prefix(9).reduce(0) { $0 * 10 + Int($1 - UInt8(ascii: "0")) }, digits.endIndex)
    }

    private static func isRoman(_ word: Slice<UnsafeRawBufferPointer>) -> Bool {
        word.allSatisfy { byte in "ivxlcdm".utf8.contains(byte | 0x20) }
            && !(word.count == 1 && word.first == 0x6C)
    }

    /// `p`, `pages`, `pp`, `leaves`, `l`, `S` and `Seiten`, `s` and `sider`, `str`, and `f` for folios.
    private static func isPages(_ word: Slice<UnsafeRawBufferPointer>) -> Bool {
        words.contains { known in
            known.withUTF8Buffer { utf8 in word.elementsEqual(utf8) { $0 | 0x20 == $1 } }
        }
    }

    private static let words: [StaticString] = [
        "p", "pp", "pages", "page", "pg", "leaves", "l", "s", "seiten", "sider", "str", "strony", "pagine",
        "blz", "f", "leaf",
    ]
}
