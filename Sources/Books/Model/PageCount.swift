import Bytes

/// The number of pages in a text.
package enum PageCount {
    /// The number in `350 p.`, `1,200`, `1.200 Seiten` or `xii, 340 p. : ill. ; 24 cm`.
    ///
    /// - Returns: 1…999,999; nil for any other text.
    package static func read(_ bytes: UnsafeRawBufferPointer) -> Int? {
        guard let pages = grouped(bytes) ?? described(bytes), pages < 1_000_000 else { return nil }
        return pages
    }

    /// The greatest number before a word for pages or leaves; nil without one, as in `3 v.` or `1 audio disc`.
    package static func described(_ bytes: UnsafeRawBufferPointer) -> Int? {
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

    /// A number with a separator of thousands, alone or before a word for pages.
    private static func grouped(_ bytes: UnsafeRawBufferPointer) -> Int? {
        guard let (thousands, end) = number(bytes, 0), thousands > 0, end <= 3, end + 4 <= bytes.count,
            bytes[end] == UInt8(ascii: ",") || bytes[end] == UInt8(ascii: "."),
            let (rest, after) = number(bytes, end + 1), after == end + 4
        else { return nil }
        let words = bytes[after...].split { !$0.isLetter }
        // A whole number with decimals: 350.000.
        if bytes[end] == UInt8(ascii: "."), rest == 0, words.isEmpty { return nil }
        guard words.isEmpty && after == bytes.count || words.first.map(isPages) == true else { return nil }
        return thousands * 1_000 + rest
    }

    /// The digits at an offset as a number, and where they end. Only the first nine digits count.
    package static func number(_ bytes: UnsafeRawBufferPointer, _ start: Int) -> (value: Int, end: Int)? {
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
        "p", "pp", "pages", "page", "pg", "leaves", "l", "s", "seiten", "sider", "sidor", "str", "strony",
        "stron",
        "pagine", "pag", "paginas", "blz", "f", "leaf",
    ]
}
