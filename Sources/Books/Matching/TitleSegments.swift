import Bytes

/// Splits titles at brackets and separators. It works on bytes, because a catalog splits every title it
/// does not find.
///
/// Every split is next to an ASCII byte, so the pieces are valid UTF-8.
package enum TitleSegments {
    /// Removes the text in brackets and calls `take` with it, from the last bracket to the first. A title
    /// that consists only of a bracket is kept.
    ///
    /// - Parameter canVanish: Whether the result can be empty, as for a subtitle.
    package static func takeOutBrackets(
        of title: inout [UInt8], canVanish: Bool = false, _ take: (ArraySlice<UInt8>) -> Void = { _ in }
    ) {
        while let open = title.lastIndex(where: { $0 == UInt8(ascii: "(") || $0 == UInt8(ascii: "[") }) {
            let close = title[open...].firstIndex { $0 == UInt8(ascii: ")") || $0 == UInt8(ascii: "]") }
            let rest = close.map { $0 + 1 } ?? title.endIndex
            guard canVanish || hasLetters(title[..<open]) || hasLetters(title[rest...]) else { return }
            take(title[(open + 1)..<(close ?? title.endIndex)])
            title.removeSubrange(open..<rest)
        }
    }

    /// Separator between a piece of a title and the one before it.
    package enum Separator {
        /// It is the first piece.
        case none
        case colon
        case semicolon
        case dash
        case slash
        /// `, or`; the piece starts with it.
        case or
        /// The period between title and subtitle in German: `Das Kapital. Erster Band`.
        case period
    }

    /// A piece of a title, without a moved article (``withoutMovedArticle(_:of:)``).
    package struct Piece: Equatable {
        package var range: Range<Int>
        package var separator: Separator
    }

    /// The pieces between colons, semicolons, dashes, slashes, periods and `, or`; those without a letter are
    /// left out.
    package static func pieces(of title: [UInt8]) -> [Piece] {
        var pieces: [Piece] = []
        title.withUnsafeBytes { title in
            var start = 0
            var index = 0
            var separator = Separator.none
            func end() {
                guard hasLetters(title[start..<index]) else { return }
                pieces.append(
                    Piece(
                        range: withoutMovedArticle(start..<index, of: title),
                        separator: pieces.isEmpty ? .none : separator))
            }
            while index < title.count {
                if let (next, length) = Self.separator(at: index, of: title) {
                    end()
                    index += length
                    start = index
                    separator = next
                } else {
                    index += 1
                }
            }
            end()
        }
        return pieces
    }

    /// Whether a piece ends in the numbers of several volumes: `Dune 1-3`. Years have more digits.
    package static func endsInRange(_ piece: ArraySlice<UInt8>) -> Bool {
        var rest = piece
        func dropNumber() -> Bool {
            let digits = rest.reversed().prefix { $0.isDigit }.count
            rest = rest.dropLast(digits)
            return (1...2).contains(digits)
        }
        guard dropNumber() else { return false }
        let enDash: [UInt8] = [0xE2, 0x80, 0x93]
        if rest.last == UInt8(ascii: "-") {
            rest = rest.dropLast()
        } else if rest.suffix(3).elementsEqual(enDash) {
            rest = rest.dropLast(3)
        } else {
            return false
        }
        return dropNumber() && rest.last == UInt8(ascii: " ")
    }

    /// A part of a title without the article that libraries move to its end: `Hobbit, The`.
    package static func withoutMovedArticle(_ range: Range<Int>, of title: UnsafeRawBufferPointer) -> Range<
        Int
    > {
        guard let comma = title[range].lastIndex(of: UInt8(ascii: ",")), comma > range.lowerBound,
            range.upperBound - comma <= longestArticle
        else { return range }
        let behind = UnsafeRawBufferPointer(rebasing: title[(comma + 1)..<range.upperBound]).trimmed
        var word: [UInt8] = []
        for byte in behind { word.append(byte.isLetter ? byte | 0x20 : byte) }
        return word.withUnsafeBytes { TitleWords.isArticle($0) } ? range.lowerBound..<comma : range
    }

    /// Bytes of the longest article with the comma and blanks around it.
    private static let longestArticle = 8

    /// Writes `#3` as `nr 3`, because folding removes the sign.
    package static func spellOutNumberSigns(in title: inout [UInt8]) {
        guard title.contains(UInt8(ascii: "#")) else { return }
        for index in title.indices.reversed()
        where title[index] == UInt8(ascii: "#") && index + 1 < title.count && title[index + 1].isDigit {
            title.replaceSubrange(index...index, with: " nr ".utf8)
        }
    }

    /// A title without its brackets, and the first piece of that. Each is nil if it is not shorter, or if the
    /// title is too long to be parsed. They are used for a lookup if the whole title finds nothing.
    package static func shorter(_ title: String) -> (bare: String?, first: String?) {
        guard title.utf8.count <= ParsedTitle.byteLimit else { return (nil, nil) }
        let whole = Array(title.utf8)
        var bare = whole
        takeOutBrackets(of: &bare)
        let first = pieces(of: bare).first?.range
        return (
            bare.count < whole.count ? String(decoding: bare, as: UTF8.self) : nil,
            first.flatMap { $0.count < bare.count ? String(decoding: bare[$0], as: UTF8.self) : nil }
        )
    }

    /// Whether a text has a letter or digit.
    package static func hasLetters(_ text: some Collection<UInt8>) -> Bool {
        text.contains { $0 >= 0x80 || ($0 | 0x20) &- 0x61 < 26 || $0 &- 0x30 < 10 }
    }

    /// The separator at an index, with its length in bytes.
    @inline(__always)
    private static func separator(
        at index: Int, of title: UnsafeRawBufferPointer
    ) -> (Separator, length: Int)? {
        func follows(_ text: StaticString) -> Bool {
            title.part(index, title.count - index).begins(with: text)
        }
        switch title[index] {
        case UInt8(ascii: ":"):
            // 10:04 is a title.
            let isInNumber =
                index > 0 && title[index - 1].isDigit && index + 1 < title.count && title[index + 1].isDigit
            return isInNumber ? nil : (.colon, 1)
        case UInt8(ascii: ";"): return (.semicolon, 1)
        case UInt8(ascii: ","): return follows(", or ") ? (.or, 1) : nil
        case UInt8(ascii: "."): return endsSentence(index, of: title) ? (.period, 1) : nil
        case UInt8(ascii: " "):
            if follows(" - ") { return (.dash, 3) }
            if follows(" / ") { return (.slash, 3) }
            return follows(" – ") || follows(" — ") ? (.dash, 5) : nil
        default: return nil
        }
    }

    /// Whether a period ends more than an abbreviation: the word before it has four letters or more, and a
    /// capital letter follows.
    private static func endsSentence(_ index: Int, of title: UnsafeRawBufferPointer) -> Bool {
        guard index >= 4, index + 2 < title.count, title[index + 1] == 0x20 else { return false }
        let next = title[index + 2]
        guard next >= 0x80 || (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(next) else { return false }
        return title[(index - 4)..<index].allSatisfy { $0.isLetter || $0 >= 0x80 }
    }
}
