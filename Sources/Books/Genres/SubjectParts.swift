import Bytes

/// The parts of a compound subject: `Fiction / Thrillers / Suspense`, `Fiction, fantasy, general`, `Magic --
/// Fiction`, `Books > Fantasy`.
struct SubjectParts {
    /// Longer subjects are sentences, not compounds, and are not split.
    static let longestCompound = 512

    /// The parts as trimmed ranges of the subject; none is empty.
    private(set) var ranges: [Range<Int>] = []
    private var key: [UInt8] = []

    /// Splits the range of a subject.
    mutating func split(_ subject: UnsafeRawBufferPointer, _ whole: Range<Int>) {
        ranges.removeAll(keepingCapacity: true)
        guard Self.mayHaveSeparators(subject, whole), whole.count <= Self.longestCompound else {
            return add(whole, of: subject)
        }
        var start = whole.lowerBound
        var index = start
        while index < whole.upperBound {
            let width = Self.strongSeparator(at: index, subject, whole)
            if width > 0 {
                splitSlashes(subject, start..<index)
                start = index + width
                index = start
            } else {
                index += 1
            }
        }
        splitSlashes(subject, start..<whole.upperBound)
    }

    /// Text in brackets at the end of a subject, or after its last comma or colon, and the text before it.
    ///
    /// - Returns: Nil if there is neither, or one of the two is empty.
    static func qualifier(
        of subject: UnsafeRawBufferPointer, _ whole: Range<Int>
    ) -> (head: Range<Int>, inside: Range<Int>)? {
        let opening: UInt8? =
            switch subject[whole].last {
            case UInt8(ascii: ")"): UInt8(ascii: "(")
            case UInt8(ascii: "]"): UInt8(ascii: "[")
            default: nil
            }
        let isMark = { (byte: UInt8) in
            opening.map { byte == $0 } ?? (byte == UInt8(ascii: ",") || byte == UInt8(ascii: ":"))
        }
        guard let mark = subject[whole].lastIndex(where: isMark) else { return nil }
        let head = trimmed(whole.lowerBound..<mark, of: subject)
        let inside = trimmed(mark + 1..<whole.upperBound - (opening == nil ? 0 : 1), of: subject)
        return head.isEmpty || inside.isEmpty ? nil : (head, inside)
    }

    /// Adds the parts of a qualifier after those of the subject before it.
    ///
    /// - Parameter splittingCommas: Whether commas separate parts, as after a top BISAC heading.
    mutating func append(
        _ subject: UnsafeRawBufferPointer, _ qualifier: Range<Int>, splittingCommas: Bool
    ) {
        var start = qualifier.lowerBound
        for index in qualifier where Self.separates(subject[index], orComma: splittingCommas) {
            add(start..<index, of: subject)
            start = index + 1
        }
        add(start..<qualifier.upperBound, of: subject)
    }

    private static func separates(_ byte: UInt8, orComma comma: Bool) -> Bool {
        byte == UInt8(ascii: "/") || byte == UInt8(ascii: ">") || byte == UInt8(ascii: "|")
            || comma && (byte == UInt8(ascii: ",") || byte == UInt8(ascii: ";"))
    }

    /// Also splits at slashes without blanks (`Mystery/Thriller`) if there are words on both sides: not in
    /// `M/M Romance`, `N/A`.
    private mutating func splitSlashes(_ subject: UnsafeRawBufferPointer, _ range: Range<Int>) {
        var start = range.lowerBound
        for index in range where subject[index] == UInt8(ascii: "/") {
            guard Self.isBetweenWords(index, subject, range) else { continue }
            splitCommas(subject, start..<index)
            start = index + 1
        }
        splitCommas(subject, start..<range.upperBound)
    }

    /// Splits at commas and colons only after a top BISAC heading: `Fiction, fantasy, general`, `FICTION: Horror`,
    /// but not `Legends, myths, fables`.
    private mutating func splitCommas(_ subject: UnsafeRawBufferPointer, _ range: Range<Int>) {
        let piece = Self.trimmed(range, of: subject)
        let separates = { (byte: UInt8) in byte == UInt8(ascii: ",") || byte == UInt8(ascii: ":") }
        guard let comma = subject[piece].firstIndex(where: separates) else {
            return add(piece, of: subject)
        }
        key.removeAll(keepingCapacity: true)
        GenreKey.append(UnsafeRawBufferPointer(rebasing: subject[piece.lowerBound..<comma]), to: &key)
        guard key.withUnsafeBytes({ BISACHeads.contains($0) }) else { return add(piece, of: subject) }
        var start = piece.lowerBound
        for index in piece where separates(subject[index]) {
            add(start..<index, of: subject)
            start = index + 1
        }
        add(start..<piece.upperBound, of: subject)
    }

    private mutating func add(_ range: Range<Int>, of subject: UnsafeRawBufferPointer) {
        let range = Self.trimmed(range, of: subject)
        if !range.isEmpty { ranges.append(range) }
    }

    /// Whether a subject contains a character that can be a separator. Most subjects are plain words, for which
    /// this single pass is enough.
    @inline(__always)
    private static func mayHaveSeparators(_ subject: UnsafeRawBufferPointer, _ range: Range<Int>) -> Bool {
        var found = false
        for index in range {
            switch subject[index] {
            case UInt8(ascii: "/"), UInt8(ascii: ","), UInt8(ascii: ">"), UInt8(ascii: "|"),
                UInt8(ascii: ":"):
                found = true
            case UInt8(ascii: "-") where index > range.lowerBound:
                found = found || subject[index - 1] == UInt8(ascii: "-") || isBlank(subject[index - 1])
            default: continue
            }
        }
        return found
    }

    /// Length of the separator at `index` in bytes: `>`, `|`, a slash with a blank before or after it, two hyphens,
    /// or a hyphen between blanks; 0 for none.
    @inline(__always)
    private static func strongSeparator(
        at index: Int, _ subject: UnsafeRawBufferPointer, _ range: Range<Int>
    ) -> Int {
        switch subject[index] {
        case UInt8(ascii: ">"), UInt8(ascii: "|"): return 1
        case UInt8(ascii: "/"):
            let blankBefore = index > range.lowerBound && isBlank(subject[index - 1])
            let blankBehind = index + 1 < range.upperBound && isBlank(subject[index + 1])
            return blankBefore || blankBehind ? 1 : 0
        case UInt8(ascii: "-"):
            guard index + 1 < range.upperBound else { return 0 }
            if subject[index + 1] == UInt8(ascii: "-") { return 2 }
            let isBetweenBlanks =
                index > range.lowerBound && isBlank(subject[index - 1]) && isBlank(subject[index + 1])
            return isBetweenBlanks ? 1 : 0
        default: return 0
        }
    }

    /// Whether the slash at `index` has words of at least two letters on both sides, but not digits on both.
    private static func isBetweenWords(
        _ index: Int, _ subject: UnsafeRawBufferPointer, _ range: Range<Int>
    ) -> Bool {
        guard index - 2 >= range.lowerBound, index + 2 < range.upperBound else { return false }
        let before = subject[index - 1]
        let behind = subject[index + 1]
        guard before.isWordByte, subject[index - 2].isWordByte, behind.isWordByte,
            subject[index + 2].isWordByte
        else { return false }
        return !(before.isDigit && behind.isDigit)
    }

    /// The range without blanks at its ends, including no-break spaces (U+00A0).
    @inline(__always)
    static func trimmed(_ range: Range<Int>, of subject: UnsafeRawBufferPointer) -> Range<Int> {
        var start = range.lowerBound
        var end = range.upperBound
        while start < end {
            if isBlank(subject[start]) {
                start += 1
            } else if start + 1 < end, subject[start] == 0xC2, subject[start + 1] == 0xA0 {
                start += 2
            } else {
                break
            }
        }
        while end > start {
            if isBlank(subject[end - 1]) {
                end -= 1
            } else if end - 1 > start, subject[end - 1] == 0xA0, subject[end - 2] == 0xC2 {
                end -= 2
            } else {
                break
            }
        }
        return start..<end
    }

    @inline(__always)
    private static func isBlank(_ byte: UInt8) -> Bool { byte <= 0x20 }
}

/// BISAC's top headings, as keys (``GenreKey``). After one of them, commas separate the parts of a compound.
enum BISACHeads {
    static func contains(_ key: UnsafeRawBufferPointer) -> Bool { heads.contains { $0 == key } }

    private static let heads: [StaticString] = [
        "fiction", "juvenile fiction", "young adult fiction", "nonfiction", "juvenile nonfiction",
        "young adult nonfiction", "antiques and collectibles", "architecture", "art", "bibles", "biography",
        "biography and autobiography", "business and economics", "comics and graphic novels", "computers",
        "cooking",
        "crafts and hobbies", "design", "drama", "education", "family and relationships",
        "foreign language study",
        "games and activities", "gardening", "health and fitness", "history", "house and home", "humor",
        "language arts and disciplines", "law", "literary collections", "literary criticism", "mathematics",
        "medical",
        "music", "nature", "performing arts", "pets", "philosophy", "photography", "poetry",
        "political science",
        "psychology", "reference", "religion", "science", "self help", "social science",
        "sports and recreation",
        "study aids", "technology and engineering", "transportation", "travel", "true crime",
    ]
}
