import Bytes

/// Where a title is split: at brackets and at separators. It works on bytes, because a catalog splits every
/// title it does not find.
///
/// Every split is next to an ASCII byte, so the pieces are valid UTF-8.
enum TitleSegments {
    /// Removes the text in brackets and calls `take` with it, from the last bracket to the first. A title
    /// that consists only of a bracket is kept.
    ///
    /// - Parameter canVanish: Whether the result can be empty, as for a subtitle.
    static func takeOutBrackets(
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

    /// The ranges between colons, semicolons, dashes and `, or`; those without a letter are left out.
    static func pieces(of title: [UInt8]) -> [Range<Int>] {
        var pieces: [Range<Int>] = []
        title.withUnsafeBytes { title in
            var start = 0
            var index = 0
            func end() { if hasLetters(title[start..<index]) { pieces.append(start..<index) } }
            while index < title.count {
                let length = separator(at: index, of: title)
                if length > 0 {
                    end()
                    index += length
                    start = index
                } else {
                    index += 1
                }
            }
            end()
        }
        return pieces
    }

    /// A title without its brackets, and the first piece of that. Each is nil if it is not shorter, or if the
    /// title is too long to be parsed. They are used for a lookup if the whole title finds nothing.
    static func shorter(_ title: String) -> (bare: String?, first: String?) {
        guard title.utf8.count <= ParsedTitle.byteLimit else { return (nil, nil) }
        let whole = Array(title.utf8)
        var bare = whole
        takeOutBrackets(of: &bare)
        let first = pieces(of: bare).first
        return (
            bare.count < whole.count ? String(decoding: bare, as: UTF8.self) : nil,
            first.flatMap { $0.count < bare.count ? String(decoding: bare[$0], as: UTF8.self) : nil }
        )
    }

    /// Whether a text has a letter or digit.
    static func hasLetters(_ text: some Collection<UInt8>) -> Bool {
        text.contains { $0 >= 0x80 || ($0 | 0x20) &- 0x61 < 26 || $0 &- 0x30 < 10 }
    }

    /// Length of the separator at an index in bytes; 0 if there is none.
    @inline(__always)
    private static func separator(at index: Int, of title: UnsafeRawBufferPointer) -> Int {
        switch title[index] {
        case UInt8(ascii: ":"), UInt8(ascii: ";"): return 1
        case UInt8(ascii: ","): return title.part(index, title.count - index).begins(with: ", or ") ? 1 : 0
        case UInt8(ascii: " "):
            let rest = title.part(index, title.count - index)
            if rest.begins(with: " - ") || rest.begins(with: " / ") { return 3 }
            return rest.begins(with: " – ") || rest.begins(with: " — ") ? 5 : 0
        default: return 0
        }
    }
}
