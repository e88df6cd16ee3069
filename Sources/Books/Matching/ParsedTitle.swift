/// A title, split for comparison: its parts, its volume, and what kind of book it names.
///
/// `A Storm of Swords, Part 2: Blood and Gold (A Song of Ice and Fire, #3.2)` has the parts `storm of swords`
/// and `blood gold` and the volume `2`. A series in brackets is a volume only if it has the title's name.
package struct ParsedTitle {
    /// A piece between separators, or a subtitle.
    package struct Part: Equatable {
        /// In the form in which they are compared (``TitleForm``).
        package var words: [String]
        /// The words joined without separators, so that `wallpaper` and `wall paper` are equal. After them
        /// come the signs that distinguish `C++` from `C`.
        package var key: String
        /// Whether the part describes the edition or fits any book: `A Novel`, `50th Anniversary Edition`.
        package var isIdle: Bool
        /// Whether the part reads like a subtitle and not like the title of another volume.
        package var isDescriptive: Bool
        /// Whether it has too many words for the usual title of a volume.
        package var isLong: Bool
        /// Whether the source had the part as a separate subtitle.
        package var isSubtitle: Bool
    }

    package private(set) var parts: [Part] = []
    private(set) var volume: VolumeNumber?
    /// Index of the part with the volume's number. The parts after it are the volume's own title.
    private(set) var partOfVolume = 0
    private(set) var kinds: Set<BookKind> = []

    /// The keys of all parts joined. Idle parts are left out unless there are no others.
    package private(set) var key = ""

    /// Longest title that is parsed, in bytes. The time grows with the square of the length. Longer titles
    /// match nothing.
    package static let byteLimit = 1_024

    /// - Parameter series: The row's series, if they were split off its title.
    package init(_ title: String, subtitle: String = "", series: [SeriesPosition] = []) {
        guard title.utf8.count <= Self.byteLimit else { return }
        var series = series
        read(title, isSubtitle: false, &series)
        if !subtitle.isEmpty, subtitle.utf8.count <= Self.byteLimit {
            read(subtitle, isSubtitle: true, &series)
        }
        for position in series { note(position) }
        let significant = significant
        key = (significant.isEmpty ? parts : significant).map(\.key).joined()
    }

    /// The parts that distinguish books.
    package var significant: [Part] { parts.filter { !$0.isIdle } }

    /// Whether it is a title that an author can have given to several books: `Selected Poems`.
    package var isGeneric: Bool {
        let significant = significant
        return significant.count == 1 && significant[0].words.allSatisfy(Self.generic.contains)
    }

    private static let generic: Set<String> = [
        "selected", "collected", "complete", "new", "best", "poems", "poetry", "poesie", "gedichte", "verse",
        "stories", "short", "tales", "novels", "novellas", "plays", "works", "essays", "letters", "writings",
        "prose", "fiction", "sonnets", "songs", "speeches", "diaries", "journals", "notebooks", "of", "the",
        "early",
        "later", "last", "other", "memoirs", "autobiography", "oeuvres", "completes", "erzahlungen", "obras",
    ]

    // MARK: Parsing

    private mutating func read(_ text: String, isSubtitle: Bool, _ series: inout [SeriesPosition]) {
        var bare = Array(text.utf8)
        TitleSegments.takeOutBrackets(of: &bare, canVanish: isSubtitle) { readBracket($0, &series) }
        TitleSegments.spellOutNumberSigns(in: &bare)
        for piece in TitleSegments.pieces(of: bare) {
            let words = TitleWords.words(String(decoding: bare[piece.range], as: UTF8.self))
            if TitleSegments.endsInRange(bare[piece.range]) { kinds.insert(.collection) }
            add(words, KeyNormalizer.endings(of: bare[piece.range]), isSubtitle, behind: piece.separator)
        }
    }

    private mutating func readBracket(_ inside: ArraySlice<UInt8>, _ series: inout [SeriesPosition]) {
        let positions = inside.split(separator: UInt8(ascii: ";")).compactMap { SeriesPosition($0) }
        if !positions.isEmpty {
            series += positions
            return
        }
        let words = TitleWords.words(String(decoding: inside, as: UTF8.self))
        let kinds = BookKind.kinds(in: words, isFirst: false)
        guard var named = VolumeNumber(in: words) ?? VolumeNumber(alone: words, in: inside) else {
            return self.kinds.formUnion(kinds)
        }
        // Such as (The MaddAddam Trilogy, Book 1), which is not the trilogy.
        self.kinds.formUnion(kinds.subtracting(named.areSeveral ? [] : [.collection]))
        guard volume == nil else { return }
        named.isOfSeries =
            named.noun != .level
            && (named.isOfSeries || named.words.count < words.count || named.noun == .book)
        volume = named
        if named.areSeveral { self.kinds.insert(.collection) }
    }

    /// A position in a series is a volume of this title if the series has the title's name: `X (X, #3)`.
    private mutating func note(_ series: SeriesPosition) {
        if series.areSeveral {
            kinds.insert(.collection)
            return
        }
        guard volume == nil, let number = series.volume, let first = parts.first,
            TitleWords.compared(TitleWords.words(series.name)).joined() == first.key
        else { return }
        // The first book of a series often has its name.
        volume = VolumeNumber(number: String(number), noun: .any, words: 0..<0, isOfSeries: number <= 1)
    }

    private mutating func add(
        _ words: [String], _ signs: [UInt8], _ isSubtitle: Bool, behind separator: TitleSegments.Separator
    ) {
        var words = words
        if let named = VolumeNumber(in: words), named.noun == .part, named.areSeveral {
            // Parts One and Two are the whole.
            words.removeSubrange(named.words)
        } else if let named = VolumeNumber(in: words) {
            if volume == nil {
                volume = named
                partOfVolume = named.words.lowerBound == 0 ? parts.count - 1 : parts.count
                if named.areSeveral { kinds.insert(.collection) }
            }
            // The rest of such a part names the series: `Book One of the Farseer Trilogy`.
            let kinds = BookKind.kinds(in: words, isFirst: false)
            let isOfSeries =
                named.isOfSeries && named.words.lowerBound == 0
                || !parts.isEmpty && kinds.contains(.collection)
            if isOfSeries, !named.areSeveral {
                if volume == named { volume?.isOfSeries = true }
                return
            }
            words.removeSubrange(named.words)
        }
        kinds.formUnion(BookKind.kinds(in: words, isFirst: parts.isEmpty))
        guard !words.isEmpty else { return }
        let tail = TailWords(words)
        // Two titles: The Hobbit / The Lord of the Rings. A subtitle can follow a semicolon, but not a slash.
        if !parts.isEmpty, separator == .slash || separator == .semicolon && !tail.isDescriptive {
            kinds.insert(.collection)
        }
        let compared = TitleWords.compared(words)
        parts.append(
            Part(
                words: compared, key: compared.joined() + String(decoding: signs, as: UTF8.self),
                isIdle: !parts.isEmpty && tail.isIdle, isDescriptive: tail.isDescriptive, isLong: tail.isLong,
                isSubtitle: isSubtitle))
    }
}

/// Meaning of the words behind a title's first part.
struct TailWords {
    let words: [String]

    init(_ words: [String]) { self.words = words }

    private static let ofEditions: Set<String> = [
        "edition", "editions", "classics", "text", "volume", "ausgabe", "auflage", "unabridged", "reprint",
    ]
    private static let ofAnyBook: Set<String> = [
        "a", "an", "the", "novel", "novels", "memoir", "story", "stories", "tale", "thriller", "mystery",
        "roman", "romance", "poems", "of", "in", "parts", "epilogue", "with",
    ]

    /// Whether they describe the edition or fit any book.
    var isIdle: Bool {
        if words.contains(where: Self.ofEditions.contains) { return true }
        // Such as "A Sherlock Holmes Novel".
        if let first = words.first, let last = words.last, ["a", "an", "the"].contains(first),
            ["novel", "mystery", "thriller", "romance"].contains(last)
        {
            return true
        }
        let compared = TitleWords.compared(words)
        return compared.contains(where: Self.ofAnyBook.contains)
            && compared.allSatisfy { Self.ofAnyBook.contains($0) || $0.utf8.count == 1 }
    }

    /// Words that a subtitle can start with, and that titles of volumes rarely do.
    private static let beginnings: Set<String> = [
        "a", "an", "or", "oder", "ou", "being", "how", "why", "what", "from", "my", "our", "inside", "notes",
        "tales", "stories", "essays", "poems", "memoirs", "lessons", "confessions", "eine", "ein", "une",
        "un",
        "una", "being", "including", "with",
    ]
    /// Words that say what a book is about or how it is told.
    private static let topics: Set<String> = [
        "history", "geschichte", "histoire", "historia", "story", "stories", "tale", "tales", "saga", "guide",
        "life", "lives", "leben", "vie", "memoir", "memoirs", "biography", "autobiography", "introduction",
        "account", "study", "journey", "making", "secrets", "truth", "power", "art", "science", "lessons",
        "essays", "handbook", "novel", "roman", "romance", "comedy", "tragedy", "mystery", "adventures",
        "search", "quest", "invention", "origins", "meaning", "psychology", "philosophy", "economics",
        "politics", "culture", "society", "true", "hidden", "remarkable", "extraordinary", "untold",
        "surprising",
    ]
    private static let longTail = 6

    /// Whether they read like a subtitle: `A Brief History of Humankind`, and not `The Two Towers`.
    var isDescriptive: Bool {
        guard let first = words.first, words.count > 1 else { return false }
        return Self.beginnings.contains(first) || words.contains(where: Self.topics.contains)
    }

    /// `The Lion, the Witch and the Wardrobe` is still a title.
    var isLong: Bool { words.count >= (words.first == "the" ? Self.longTail + 1 : Self.longTail) }
}
