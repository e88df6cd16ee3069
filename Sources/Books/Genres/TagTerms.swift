import Bytes

/// The terms of a user's tag: `to-read-poetry-and-plays` has the genres `poetry` and `plays`, joined by `and`, and the
/// words `to` and `read`, which say nothing.
///
/// The words are covered with as few terms as possible, so that `science-fiction-fantasy` has no term `fantasy
/// fiction` or `science`. A buffer for many tags, one after the other.
struct TagTerms {
    /// What a term is.
    enum Kind {
        case genre(GenreTable.Genre)
        case hint(GenreTable.Genre)
        /// Known, and no genre.
        case empty
        /// `and`.
        case link
        case unknown
    }

    struct Term {
        var words: Range<Int>
        var kind: Kind
        /// Whether `and` is before it.
        var isLinked = false

        /// The genre that it names or hints at.
        var genre: GenreTable.Genre? {
            switch kind {
            case .genre(let genre), .hint(let genre): genre
            case .empty, .link, .unknown: nil
            }
        }
        var isGenre: Bool { if case .genre = kind { true } else { false } }
        var isHint: Bool { if case .hint = kind { true } else { false } }
        var isLink: Bool { if case .link = kind { true } else { false } }
        var isUnknown: Bool { if case .unknown = kind { true } else { false } }
    }

    /// Longer tags are sentences, and have no terms.
    private static let mostWords = 12
    private static let mostWordsOfTerm = 5

    let table: GenreTable
    let list: TagWords
    /// The genres, hints and unknown words of the last tag.
    private(set) var terms: [Term] = []
    private var words: [Range<Int>] = []
    private var key: [UInt8] = []
    private var scratch: [UInt8] = []
    private var costs: [Int] = []
    private var choices: [Term] = []
    private var isMistyped = false

    init(table: GenreTable, list: TagWords) {
        self.table = table
        self.list = list
    }

    /// Finds the terms of a tag's key (``GenreKey``).
    ///
    /// - Parameter isMistyped: Whether it may have typing errors.
    mutating func read(_ text: UnsafeRawBufferPointer, isMistyped: Bool) {
        self.isMistyped = isMistyped
        terms.removeAll(keepingCapacity: true)
        split(text)
        guard words.count <= Self.mostWords else { return }
        cover()
        var isLinked = false
        var next = 0
        while next < words.count {
            var term = choices[next]
            next = term.words.upperBound
            term.isLinked = isLinked
            isLinked = term.isLink
            if term.genre != nil || term.isUnknown { terms.append(term) }
        }
    }

    /// Whether a term is of a kind in the list.
    func contains(_ term: Term, as kind: TagWords.Kind) -> Bool {
        key.withUnsafeBytes { list.contains(text(of: term.words, $0), as: kind) }
    }

    /// Whether the last word of a term is of a kind in the list.
    func endsIn(_ kind: TagWords.Kind, _ term: Term) -> Bool {
        let last = term.words.upperBound - 1
        return key.withUnsafeBytes { list.contains(text(of: last..<last + 1, $0), as: kind) }
    }

    /// The genre of fiction at which a term hints.
    mutating func fictionHint(of term: Term) -> GenreTable.Genre? {
        key.withUnsafeBytes { table.hintInFiction(of: text(of: term.words, $0), scratch: &scratch) }
    }

    /// The hash of a term's words.
    func hash(of term: Term) -> UInt64 { key.withUnsafeBytes { KeyHash.hash(text(of: term.words, $0)) } }

    // MARK: Words

    /// Splits at blanks and signs. A number is a word of its own: `1nonfiction`.
    private mutating func split(_ text: UnsafeRawBufferPointer) {
        key.removeAll(keepingCapacity: true)
        words.removeAll(keepingCapacity: true)
        var start = 0
        for index in 0...text.count {
            let byte = index < text.count ? text[index] : 0x20
            guard byte == 0x20 || Self.signs.contains(byte) else { continue }
            append(text.part(start, index - start))
            if byte == UInt8(ascii: "/") { append(text.part(index, 1)) }
            start = index + 1
        }
    }

    private static let signs: [UInt8] = [UInt8(ascii: "_"), UInt8(ascii: "."), UInt8(ascii: "/")]

    /// Appends a word. `children s books` becomes `childrens books`, and `can t` becomes `cant`.
    private mutating func append(_ word: UnsafeRawBufferPointer) {
        if word.isEmpty { return }
        if Self.endings.contains(where: { $0 == word }), let last = words.popLast() {
            key.append(contentsOf: word)
            return words.append(last.lowerBound..<key.count)
        }
        let digits = word.prefix(while: \.isDigit).count
        if digits > 0, word.count > digits + 2 {
            append(word.part(0, digits))
            return append(word.part(digits, word.count - digits))
        }
        if !key.isEmpty { key.append(0x20) }
        words.append(key.count..<key.count + word.count)
        key.append(contentsOf: word)
    }

    private static let endings: [StaticString] = ["s", "t", "ve"]

    /// The words of a range in the key's bytes.
    private func text(of range: Range<Int>, _ key: UnsafeRawBufferPointer) -> UnsafeRawBufferPointer {
        let start = words[range.lowerBound].lowerBound
        return key.part(start, words[range.upperBound - 1].upperBound - start)
    }

    // MARK: Terms

    /// Chooses the term at each word that leads to the lowest cost of all terms. Among equal ones, the longest.
    private mutating func cover() {
        costs = Array(repeating: Int.max, count: words.count + 1)
        choices = Array(repeating: Term(words: 0..<0, kind: .unknown), count: words.count)
        costs[words.count] = 0
        for first in words.indices.reversed() {
            for end in (first + 1...min(words.count, first + Self.mostWordsOfTerm)).reversed() {
                let term = Term(words: first..<end, kind: kind(of: first..<end))
                if term.isUnknown, end > first + 1 { continue }
                let cost = Self.cost(term.kind) + costs[end]
                if cost < costs[first] { (costs[first], choices[first]) = (cost, term) }
            }
        }
    }

    private static func cost(_ kind: Kind) -> Int {
        switch kind {
        case .genre, .hint: 10
        case .empty, .link: 11
        case .unknown: 100
        }
    }

    private mutating func kind(of range: Range<Int>) -> Kind {
        key.withUnsafeBytes { key in
            let text = text(of: range, key)
            if list.contains(text, as: .filler) { return .empty }
            if let meaning = meaning(of: text) {
                return switch meaning {
                case .genre(let genre): .genre(genre)
                case .hint(let genre): list.contains(text, as: .named) ? .genre(genre) : .hint(genre)
                case .ownSpelling, .topic: .empty
                }
            }
            guard range.count == 1 else { return .unknown }
            if "/" == text || list.contains(text, as: .link) { return .link }
            return text.count == 1 || Self.isNumber(text) || table.isAdjective(text) ? .empty : .unknown
        }
    }

    /// Numbers and ordinals: `2016`, `19th`.
    private static func isNumber(_ word: UnsafeRawBufferPointer) -> Bool {
        let rest = UnsafeRawBufferPointer(rebasing: word.drop(while: \.isDigit))
        return rest.count < word.count && (rest.isEmpty || ordinals.contains { $0 == rest })
    }

    private static let ordinals: [StaticString] = ["st", "nd", "rd", "th", "s", "c"]

    /// The meaning of words as the table has them, or in another spelling.
    private mutating func meaning(of text: UnsafeRawBufferPointer) -> GenreTable.Meaning? {
        if let meaning = table.meaning(of: text, scratch: &scratch) { return meaning }
        if let genre = table.genreOfVariant(of: text, isMistyped: isMistyped, scratch: &scratch) {
            return .genre(genre)
        }
        // In Arabic, `the` and `and` are written as a part of the word.
        for start in Self.arabicStarts where text.begins(with: start) {
            let length = start.utf8CodeUnitCount
            if let genre = table.genre(of: text.part(length, text.count - length)) { return .genre(genre) }
        }
        // `fantasybooks`
        for ending in Self.books where text.ends(with: ending) {
            return table.genre(of: text.part(0, text.count - ending.utf8CodeUnitCount)).map { .genre($0) }
        }
        return nil
    }

    private static let arabicStarts: [StaticString] = ["ال", "وال", "و"]
    private static let books: [StaticString] = ["books", "book"]
}
