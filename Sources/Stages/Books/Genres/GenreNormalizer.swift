import Bytes

/// Turns a provider's subject into genres: splits compounds and maps each part. A part that the genre table
/// does not have keeps the provider's spelling, unless the noise table drops it.
///
/// The result depends only on the subject. A normalizer has its own buffers, so each worker uses its own.
struct GenreNormalizer {
    /// A genre found in a subject.
    struct Outcome: Hashable {
        /// The canonical genre; nil if the genre table has none and the provider's spelling is kept.
        var genre: GenreTable.Genre?
        /// Offset of the trimmed part in the subject.
        var start: UInt32
        var length: UInt32
        /// Hash of the part's key: equal for spellings that differ only in case.
        var hash: UInt64

        /// A book keeps only one of several outcomes with equal identities. Two different spellings share a
        /// hash with a probability of 2⁻⁶⁴.
        var identity: Identity { Identity(genre: genre, hash: genre == nil ? hash : 0) }

        struct Identity: Hashable {
            var genre: GenreTable.Genre?
            var hash: UInt64
        }
    }

    /// Longer subjects are sentences, not compounds, and are not split.
    static let longestCompound = 512

    let table: GenreTable
    private let noise: NonGenreSubjects
    private var key: [UInt8] = []
    private var scratch: [UInt8] = []

    init(table: GenreTable = .standard, noise: NonGenreSubjects = .standard) {
        self.table = table
        self.noise = noise
    }

    /// Appends the genres of one subject, in order of appearance.
    mutating func normalize(_ subject: UnsafeRawBufferPointer, into outcomes: inout [Outcome]) {
        var whole = trimmed(0..<subject.count, of: subject)
        guard !whole.isEmpty else { return }
        let stripped = noise.strippedPrefixLength(UnsafeRawBufferPointer(rebasing: subject[whole]))
        whole = trimmed(whole.lowerBound + stripped..<whole.upperBound, of: subject)
        let separators = separators(subject, whole)
        guard separators != 0, whole.count <= Self.longestCompound else {
            return resolve(subject, whole, in: whole, into: &outcomes)
        }
        // A list's tag can contain separators, so it is checked for noise before it is split.
        if subject[whole].contains(UInt8(ascii: ":")), isTag(subject, whole) { return }
        var start = whole.lowerBound
        var index = start
        while index < whole.upperBound {
            let width = strongSeparator(at: index, subject, whole)
            if width > 0 {
                splitSlashes(subject, start..<index, in: whole, into: &outcomes)
                start = index + width
                index = start
            } else {
                index += 1
            }
        }
        splitSlashes(subject, start..<whole.upperBound, in: whole, into: &outcomes)
    }

    /// The genre of a shelf name, if any.
    mutating func genre(ofShelf shelf: UnsafeRawBufferPointer) -> GenreTable.Genre? {
        key.removeAll(keepingCapacity: true)
        GenreKey.append(shelf, to: &key)
        return mapped()
    }

    // MARK: Compounds

    /// Also splits at slashes without blanks (`Mystery/Thriller`) if there are words on both sides: not in
    /// `M/M Romance`, `N/A`.
    private mutating func splitSlashes(
        _ subject: UnsafeRawBufferPointer, _ range: Range<Int>, in whole: Range<Int>,
        into outcomes: inout [Outcome]
    ) {
        var start = range.lowerBound
        for index in range where subject[index] == UInt8(ascii: "/") {
            guard isBetweenWords(index, subject, range) else { continue }
            splitCommas(subject, start..<index, in: whole, into: &outcomes)
            start = index + 1
        }
        splitCommas(subject, start..<range.upperBound, in: whole, into: &outcomes)
    }

    /// Splits at commas only after a top BISAC heading: `Fiction, fantasy, general`, but not `Legends, myths,
    /// fables`.
    private mutating func splitCommas(
        _ subject: UnsafeRawBufferPointer, _ range: Range<Int>, in whole: Range<Int>,
        into outcomes: inout [Outcome]
    ) {
        let piece = trimmed(range, of: subject)
        guard !piece.isEmpty else { return }
        guard let comma = subject[piece].firstIndex(of: UInt8(ascii: ",")),
            isHead(subject, piece.lowerBound..<comma)
        else { return resolve(subject, piece, in: whole, into: &outcomes) }
        var start = piece.lowerBound
        for index in piece where subject[index] == UInt8(ascii: ",") {
            resolve(subject, trimmed(start..<index, of: subject), in: whole, into: &outcomes)
            start = index + 1
        }
        resolve(subject, trimmed(start..<piece.upperBound, of: subject), in: whole, into: &outcomes)
    }

    // MARK: Parts

    /// Resolves one part: its genre, its spelling, or nothing.
    private mutating func resolve(
        _ subject: UnsafeRawBufferPointer, _ part: Range<Int>, in whole: Range<Int>,
        into outcomes: inout [Outcome]
    ) {
        guard !part.isEmpty else { return }
        makeKey(subject, part)
        guard key.contains(where: { $0 != UInt8(ascii: "/") }) else { return }
        let hash = KeyHash.hash(key)
        var genre = mapped()
        if genre == nil, part.lowerBound > whole.lowerBound {
            // The table may not have the part alone, but may have it together with the text before it:
            // `Fiction, family life`.
            makeKey(subject, whole.lowerBound..<part.upperBound)
            genre = key.withUnsafeBytes { table.genre(forKey: $0) }
            makeKey(subject, part)
        }
        if genre == nil, isNoise(subject, part) { return }
        outcomes.append(
            Outcome(
                genre: genre, start: UInt32(part.lowerBound), length: UInt32(part.count),
                hash: hash))
    }

    private mutating func makeKey(_ subject: UnsafeRawBufferPointer, _ range: Range<Int>) {
        key.removeAll(keepingCapacity: true)
        GenreKey.append(UnsafeRawBufferPointer(rebasing: subject[range]), to: &key)
    }

    /// The genre of ``key``, as written or in its singular form.
    private mutating func mapped() -> GenreTable.Genre? {
        key.withUnsafeBytes { key in
            table.genre(forKey: key) ?? table.genre(forSingularOf: key, scratch: &scratch)
        }
    }

    private func isNoise(_ subject: UnsafeRawBufferPointer, _ part: Range<Int>) -> Bool {
        let text = UnsafeRawBufferPointer(rebasing: subject[part])
        return key.withUnsafeBytes { noise.isNoise(text, key: $0) }
    }

    private mutating func isTag(_ subject: UnsafeRawBufferPointer, _ whole: Range<Int>) -> Bool {
        makeKey(subject, whole)
        return mapped() == nil && key.withUnsafeBytes { noise.hasNoisePrefix($0) }
    }

    private mutating func isHead(_ subject: UnsafeRawBufferPointer, _ range: Range<Int>) -> Bool {
        makeKey(subject, range)
        return key.withUnsafeBytes { BISACHeads.contains($0) }
    }
}

/// Where a subject's bytes are split.
extension GenreNormalizer {
    /// Nonzero if a subject contains a character that can be a separator. Most subjects are plain words, for
    /// which this single pass is enough.
    @inline(__always)
    func separators(_ subject: UnsafeRawBufferPointer, _ range: Range<Int>) -> UInt8 {
        var found: UInt8 = 0
        for index in range {
            switch subject[index] {
            case UInt8(ascii: "/"), UInt8(ascii: ","), UInt8(ascii: ":"): found = 1
            case UInt8(ascii: "-") where index > range.lowerBound && subject[index - 1] == UInt8(ascii: "-"):
                found = 1
            default: continue
            }
        }
        return found
    }

    /// Length of the separator at `index` in bytes: a slash with a blank before or after it, or two hyphens;
    /// 0 for none.
    @inline(__always)
    func strongSeparator(at index: Int, _ subject: UnsafeRawBufferPointer, _ range: Range<Int>) -> Int {
        switch subject[index] {
        case UInt8(ascii: "/"):
            let blankBefore = index > range.lowerBound && Self.isBlank(subject[index - 1])
            let blankBehind = index + 1 < range.upperBound && Self.isBlank(subject[index + 1])
            return blankBefore || blankBehind ? 1 : 0
        case UInt8(ascii: "-"):
            return index + 1 < range.upperBound && subject[index + 1] == UInt8(ascii: "-") ? 2 : 0
        default: return 0
        }
    }

    /// Whether the slash at `index` has words of at least two letters on both sides, but not digits on both.
    func isBetweenWords(_ index: Int, _ subject: UnsafeRawBufferPointer, _ range: Range<Int>) -> Bool {
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
    func trimmed(_ range: Range<Int>, of subject: UnsafeRawBufferPointer) -> Range<Int> {
        var start = range.lowerBound
        var end = range.upperBound
        while start < end {
            if Self.isBlank(subject[start]) {
                start += 1
            } else if start + 1 < end, subject[start] == 0xC2, subject[start + 1] == 0xA0 {
                start += 2
            } else {
                break
            }
        }
        while end > start {
            if Self.isBlank(subject[end - 1]) {
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
