/// Where a tokenizer splits a text into words, whose tokens do not depend on each other.
enum WordSplitter: Sendable, Hashable {
    /// Nowhere.
    case never
    /// Before each run of a character that stands for spaces: `▁`.
    case before([UInt8])
    /// At spaces, which are left out, and around punctuation, each mark a word of its own.
    case words

    /// Calls `body` with each word of a text of UTF-8.
    func forEach(in text: UnsafeRawBufferPointer, _ body: (UnsafeRawBufferPointer) -> Void) {
        switch self {
        case .never: if !text.isEmpty { body(text) }
        case .before(let mark): Self.split(text, before: mark, body)
        case .words: Self.splitWords(text, body)
        }
    }

    private static func split(
        _ text: UnsafeRawBufferPointer, before mark: [UInt8], _ body: (UnsafeRawBufferPointer) -> Void
    ) {
        guard let first = mark.first else { return body(text) }
        var (start, index, isInRun) = (0, 0, true)
        while index < text.count {
            let isMark =
                text[index] == first && text.count - index >= mark.count
                && text[index..<index + mark.count].elementsEqual(mark)
            if isMark, !isInRun {
                body(UnsafeRawBufferPointer(rebasing: text[start..<index]))
                start = index
            }
            isInRun = isMark
            index += isMark ? mark.count : 1
        }
        if start < text.count { body(UnsafeRawBufferPointer(rebasing: text[start...])) }
    }

    private static func splitWords(_ text: UnsafeRawBufferPointer, _ body: (UnsafeRawBufferPointer) -> Void) {
        var (start, index) = (0, 0)
        func end(at place: Int) {
            if place > start { body(UnsafeRawBufferPointer(rebasing: text[start..<place])) }
        }
        while index < text.count {
            let (scalar, length) = scalar(in: text, at: index)
            switch kind(of: scalar) {
            case .letter: break
            case .space:
                end(at: index)
                start = index + length
            case .mark:
                end(at: index)
                body(UnsafeRawBufferPointer(rebasing: text[index..<index + length]))
                start = index + length
            }
            index += length
        }
        end(at: text.count)
    }

    private enum Kind {
        case letter, space, mark
    }

    private static func kind(of scalar: Unicode.Scalar) -> Kind {
        if scalar.value < 0x80 {
            switch UInt8(truncatingIfNeeded: scalar.value) {
            case 0x09...0x0D, 0x20: return .space
            case 0x21...0x2F, 0x3A...0x40, 0x5B...0x60, 0x7B...0x7E: return .mark
            default: return .letter
            }
        }
        let properties = scalar.properties
        if properties.isWhitespace { return .space }
        switch properties.generalCategory {
        case .connectorPunctuation, .dashPunctuation, .openPunctuation, .closePunctuation,
            .initialPunctuation,
            .finalPunctuation, .otherPunctuation:
            return .mark
        default: return .letter
        }
    }

    /// The character at a place of UTF-8, with its length in bytes.
    private static func scalar(
        in text: UnsafeRawBufferPointer, at index: Int
    ) -> (scalar: Unicode.Scalar, length: Int) {
        if text[index] < 0x80 { return (Unicode.Scalar(text[index]), 1) }
        var decoder = UTF8()
        var bytes = text[index...].makeIterator()
        guard case .scalarValue(let scalar) = decoder.decode(&bytes) else { return ("\u{FFFD}", 1) }
        return (scalar, UTF8.width(scalar))
    }
}
