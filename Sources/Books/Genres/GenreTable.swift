import Bytes

/// The map from spellings to canonical genres: `genres.tsv`, and the user's rules before it. It is parsed once
/// and read by all workers.
///
/// A spelling either names its genre, or only hints at it because it is also an ordinary word: `magic` hints at
/// Fantasy. ``GenreSelection`` decides what hints are worth.
package struct GenreTable: Sendable {
    /// A genre: its index in ``names``.
    package typealias Genre = UInt16

    /// Whether the books of a genre are fiction.
    package enum Side: UInt8 { case either, fiction, nonfiction }

    /// Meaning of a spelling.
    package enum Meaning: Hashable {
        case genre(Genre)
        /// A genre without a canonical one. It keeps the provider's spelling.
        case ownSpelling
        case hint(Genre)
        /// Not a genre, whatever it looks like.
        case topic
    }

    /// The built-in table.
    package static let standard = GenreTable(PackageResources.genres_tsv)

    /// The built-in table with the user's rules.
    package static func with(_ rules: GenreRules) -> GenreTable {
        rules.isEmpty ? standard : GenreTable(PackageResources.genres_tsv, rules: rules)
    }

    /// The names of the genres, UTF-8, by index.
    package let names: [[UInt8]]
    /// The genre of fiction of any kind, and that of books about literature; nil if the table lacks it.
    package let fiction: Genre?
    package let criticism: Genre?
    /// The genre of nonfiction of any kind.
    package let nonfiction: Genre?
    private let sides: [Side]
    /// The user's rules; nil without any.
    private let rules: GenreKeys?
    private let certain: GenreKeys
    private let hints: GenreKeys
    private let adjectives: GenreKeys
    private let joined: JoinedSpellings

    /// Values of ``rules`` and ``certain`` that are not genres.
    private static let ownSpelling = Genre.max
    private static let topic = Genre.max - 1

    /// - Parameters:
    ///   - text: Lines of `canonical<TAB>spelling; spelling; …`. A genre can have several lines. The comment in
    ///     `genres.tsv` describes the marks.
    ///   - rules: Rules that override the text.
    package init(_ text: [UInt8], rules: GenreRules = GenreRules()) {
        var reader = Reader(expected: text.count / 12)
        for rule in rules.genres { reader.add(rule) }
        for spelling in rules.topics { reader.rules.insert(Array(spelling.utf8), as: Self.topic) }
        text.withUnsafeBytes { text in
            for line in TableLines(text) {
                let canonical = line.field(0)
                let items = line.items(1)
                switch canonical.count == 1 ? canonical[0] : 0 {
                case UInt8(ascii: "="):
                    for item in items { reader.certain.insert(item, as: Self.ownSpelling) }
                case UInt8(ascii: "-"): for item in items { reader.certain.insert(item, as: Self.topic) }
                case UInt8(ascii: "~"): for item in items { reader.adjectives.insert(item, as: 0) }
                case UInt8(ascii: "+"): for item in items { reader.setSide(.fiction, of: item) }
                case UInt8(ascii: "!"): for item in items { reader.setSide(.nonfiction, of: item) }
                default: reader.add(Array(canonical), items)
                }
            }
        }
        names = reader.names
        sides = reader.sides
        self.rules = rules.isEmpty ? nil : reader.rules
        certain = reader.certain
        hints = reader.hints
        adjectives = reader.adjectives
        joined = reader.joined
        fiction = certain.value(ofSpelling: "fiction")
        criticism = certain.value(ofSpelling: "literary criticism")
        nonfiction = certain.value(ofSpelling: "nonfiction")
    }

    /// Whether the books of a genre are fiction.
    package func side(of genre: Genre) -> Side { sides[Int(genre)] }

    /// Meaning of a key (``GenreKey``): as written, in its singular form, or without an adjective such as
    /// `American`; nil if the table does not have it.
    package func meaning(of key: UnsafeRawBufferPointer, scratch: inout [UInt8]) -> Meaning? {
        if let value = rules?.value(of: key) { return Self.meaning(value) }
        if let rules, let value = SingularForm.first(of: key, scratch: &scratch, { rules.value(of: $0) }) {
            return Self.meaning(value)
        }
        if let meaning = exactMeaning(of: key) { return meaning }
        if let meaning = SingularForm.first(of: key, scratch: &scratch, { exactMeaning(of: $0) }) {
            return meaning
        }
        return withoutAdjective(key).flatMap { genre(of: $0) }.map { .genre($0) }
    }

    /// The genre that a key names as written.
    @inline(__always)
    package func genre(of key: UnsafeRawBufferPointer) -> Genre? {
        guard let value = rules?.value(of: key) ?? certain.value(of: key), value < Self.topic else {
            return nil
        }
        return value
    }

    /// The genre of fiction that a key hints at: what `magic` means in a subject such as `Magic -- Fiction`.
    package func hintInFiction(of key: UnsafeRawBufferPointer, scratch: inout [UInt8]) -> Genre? {
        let genre =
            hints.value(of: key) ?? SingularForm.first(of: key, scratch: &scratch) { hints.value(of: $0) }
        return genre.flatMap { side(of: $0) == .fiction ? $0 : nil }
    }

    /// The genre of words that the table has in another spelling (``JoinedSpellings``).
    func genreOfVariant(
        of key: UnsafeRawBufferPointer, isMistyped: Bool, scratch: inout [UInt8]
    ) -> Genre? {
        joined.genre(of: key, isMistyped: isMistyped, scratch: &scratch)
    }

    /// Whether a word is an adjective such as `American`.
    func isAdjective(_ word: UnsafeRawBufferPointer) -> Bool { adjectives.value(of: word) != nil }

    private func exactMeaning(of key: UnsafeRawBufferPointer) -> Meaning? {
        certain.value(of: key).map { Self.meaning($0) } ?? hints.value(of: key).map { .hint($0) }
    }

    private static func meaning(_ value: Genre) -> Meaning {
        switch value {
        case ownSpelling: .ownSpelling
        case topic: .topic
        default: .genre(value)
        }
    }

    /// The key without an adjective before it or, as libraries write it, behind it: `short stories/english`. A
    /// language's literature is not literary fiction, and no genre.
    private func withoutAdjective(_ key: UnsafeRawBufferPointer) -> UnsafeRawBufferPointer? {
        if let slash = key.lastIndex(of: UInt8(ascii: "/")) {
            let last = UnsafeRawBufferPointer(rebasing: key[(slash + 1)...])
            return adjectives.value(of: last) != nil ? UnsafeRawBufferPointer(rebasing: key[..<slash]) : nil
        }
        var words = 0
        for (index, byte) in key.enumerated() where byte == 0x20 {
            let rest = UnsafeRawBufferPointer(rebasing: key[(index + 1)...])
            if adjectives.value(of: UnsafeRawBufferPointer(rebasing: key[..<index])) != nil,
                !("literature" == rest)
            {
                return rest
            }
            words += 1
            if words == 2 { break }
        }
        return nil
    }

    /// A table while it is read.
    private struct Reader {
        var names: [[UInt8]] = []
        /// The genres by the keys of their names.
        private var numbers: [[UInt8]: Genre] = [:]
        var sides: [Side] = []
        var rules = GenreKeys(expected: 64)
        var certain: GenreKeys
        var hints: GenreKeys
        var adjectives = GenreKeys(expected: 64)
        var joined = JoinedSpellings()

        init(expected: Int) {
            certain = GenreKeys(expected: expected)
            hints = GenreKeys(expected: expected / 8)
        }

        /// Adds spellings of a genre. Spellings that are known already keep their meaning.
        mutating func add(_ name: [UInt8], _ spellings: TableLine.Pieces) {
            let genre = index(of: name)
            // A user's rule may spell the name in another way.
            names[Int(genre)] = name
            for spelling in spellings {
                if spelling.last == UInt8(ascii: "?") {
                    hints.insert(UnsafeRawBufferPointer(rebasing: spelling.dropLast()), as: genre)
                } else {
                    certain.insert(spelling, as: genre)
                    joined.insert(spelling, as: genre)
                }
            }
        }

        mutating func add(_ rule: GenreRules.Entry) {
            let genre = index(of: Array(rule.name.utf8))
            rules.insert(Array(rule.name.utf8), as: genre)
            for spelling in rule.spellings { rules.insert(Array(spelling.utf8), as: genre) }
        }

        mutating func setSide(_ side: Side, of name: UnsafeRawBufferPointer) {
            sides[Int(index(of: Array(name)))] = side
        }

        /// The index of a genre, which is added if it is new.
        private mutating func index(of name: [UInt8]) -> Genre {
            var key: [UInt8] = []
            name.withUnsafeBytes { GenreKey.append($0, to: &key) }
            if let known = numbers[key] { return known }
            let genre = Genre(names.count)
            numbers[key] = genre
            names.append(name)
            sides.append(.either)
            certain.insert(name, as: genre)
            name.withUnsafeBytes { joined.insert($0, as: genre) }
            return genre
        }
    }
}
