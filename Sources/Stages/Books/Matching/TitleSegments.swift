import Bytes

/// Where a title is cut: at its brackets, and at what parts its pieces. On bytes, for a catalog cuts each title that it
/// does not find.
///
/// Every cut is beside a byte of ASCII, so what is UTF-8 stays so.
enum TitleSegments {
    /// Takes out what stands in brackets and hands it over, from the last one inwards. A title that is nothing but a
    /// bracket stays.
    ///
    /// - Parameter canVanish: Whether nothing need be left, as of a subtitle.
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

    /// Where the pieces between colons, semicolons, dashes and `, or` are, those without a letter left out.
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

    /// A title without what stands in brackets, and the first of the pieces of that; each nil where it is no less, or
    /// the title too long to be taken apart. Who asks with a title asks with them where the whole finds nothing.
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

    /// Whether there is a letter or a digit in a text.
    static func hasLetters(_ text: some Collection<UInt8>) -> Bool {
        text.contains { $0 >= 0x80 || ($0 | 0x20) &- 0x61 < 26 || $0 &- 0x30 < 10 }
    }

    /// Bytes of what parts a title at a place; 0 where nothing does.
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
