import Bytes

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
        /// Whether the part can be the title of a second book: it follows a slash or a semicolon.
        var canBeTitle = false
        /// Whether its words name a series: `The Farseer Trilogy`, `Chronicles of Amber`.
        var namesSeries = false
    }

    package private(set) var parts: [Part] = []
    private(set) var volume: VolumeNumber?
    /// Index of the part with the volume's number. The parts after it are the volume's own title.
    private(set) var partOfVolume = 0
    private(set) var kinds: Set<BookKind> = []
    /// The kinds that words indicate, and not only a separator between two titles.
    private(set) var kindsByWords: Set<BookKind> = []
    /// Whether a series with the title's own name is named with several positions, or another series.
    private(set) var (isRangeOfOwnName, isRangeOfSeries) = (false, false)
    /// Whether the first part is the name of a trilogy.
    private var nameOfSeries = false
    /// The positions in series that are named beside the title.
    package private(set) var places = SeriesPlaces()
    /// The keys of the series that are named beside the title.
    private(set) var seriesKeys: Set<String> = []
    /// Whether the first part ends with a number that can be a position in a series of that name.
    var isFirstPartNumbered: Bool {
        volume != nil && partOfVolume == 0
            || parts.first.map { part in
                part.words.count > 1 && part.words.last.map { $0.utf8.allSatisfy(\.isDigit) } == true
            } ?? false
    }

    /// The parts that distinguish books.
    package private(set) var significant: [Part] = []
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
        if !series.isEmpty { places = SeriesPlaces(series.map { ($0.name, $0.number) }) }
        significant = parts.filter { !$0.isIdle }
        key = (significant.isEmpty ? parts : significant).map(\.key).joined()
    }

    /// The number of the row's volume, if catalogs can leave it out and list other volumes.
    package var loneVolume: Int? {
        guard let volume, volume.canBeUnsaid, !volume.isOfSeries else { return nil }
        return Int(volume.number)
    }

    /// Whether it is a title that an author can have given to several books: `Selected Poems`.
    package var isGeneric: Bool {
        significant.count == 1 && significant[0].words.allSatisfy(Self.generic.contains)
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
        let pieces = TitleSegments.pieces(of: bare)
        let isCapitalized = pieces.first.map { !Self.isLowercase(bare[$0.range]) } ?? false
        for piece in pieces {
            let words = TitleWords.words(String(decoding: bare[piece.range], as: UTF8.self))
            if TitleSegments.endsInRange(bare[piece.range]) { insert(.collection) }
            if parts.count == 1, nameOfSeries, piece.separator == .colon || piece.separator == .dash,
                !bare[piece.range].contains(UInt8(ascii: ",")), !TailWords(words).isDescriptive,
                !BookKind.areWhole(words)
            {
                // `The Century Trilogy: Fall of Giants` is one of the three, `The Magicians Trilogy: A, B, C` is not.
                kinds.remove(.collection)
                kindsByWords.remove(.collection)
            }
            // A second title begins with a capital letter, a subtitle behind a semicolon often does not.
            let isLowercase = isCapitalized && Self.isLowercase(bare[piece.range])
            add(
                words, KeyNormalizer.endings(of: bare[piece.range]), isSubtitle, behind: piece.separator,
                isLowercase: isLowercase, hasComma: bare[piece.range].contains(UInt8(ascii: ",")))
        }
    }

    private static func isLowercase(_ text: ArraySlice<UInt8>) -> Bool {
        text.first { $0 != 0x20 }.map { (UInt8(ascii: "a")...UInt8(ascii: "z")).contains($0) } ?? false
    }

    /// Whether two names have the first letters in common, as the names of a book and its series have.
    private func beginAlike(_ key: String, _ name: String) -> Bool {
        let shared = zip(key.utf8, name.utf8).prefix { $0 == $1 }.count
        return shared >= min(4, key.utf8.count)
    }

    private mutating func insert(_ kind: BookKind) {
        kinds.insert(kind)
        kindsByWords.insert(kind)
    }

    private mutating func insert(_ found: Set<BookKind>) {
        guard !found.isEmpty else { return }
        kinds.formUnion(found)
        kindsByWords.formUnion(found)
    }

    private mutating func readBracket(_ inside: ArraySlice<UInt8>, _ series: inout [SeriesPosition]) {
        let positions = inside.split(separator: UInt8(ascii: ";")).compactMap { SeriesPosition($0) }
        if !positions.isEmpty {
            series += positions
            return
        }
        let words = TitleWords.words(String(decoding: inside, as: UTF8.self))
        guard !EditionWords.areAll(words) else { return }
        // (The Farseer Trilogy) is the series that the book is in.
        let namesSeries = BookKind.namesSeries(words)
        let kinds = BookKind.kinds(in: words, isFirst: false, isSeries: namesSeries)
        guard var named = VolumeNumber(in: words) ?? VolumeNumber(alone: words, in: inside) else {
            if namesSeries || kinds.isEmpty { seriesKeys.insert(TitleWords.compared(words).joined()) }
            return insert(kinds)
        }
        // Such as (The MaddAddam Trilogy, Book 1), which is not the trilogy.
        insert(kinds.subtracting(named.areSeveral ? [] : [.collection]))
        if named.words.lowerBound > 0 {
            seriesKeys.insert(TitleWords.compared(Array(words[..<named.words.lowerBound])).joined())
        }
        guard volume == nil else { return }
        named.isInBrackets = ["volume", "vol", "book", "bk"].contains(words[named.words.lowerBound])
        named.isOfSeries =
            named.noun != .level
            && (named.isOfSeries || named.words.count < words.count || named.noun == .book)
        volume = named
        if named.areSeveral { insert(.collection) }
    }

    /// A position in a series is a volume of this title if the series has the title's name: `X (X, #3)`.
    private mutating func note(_ series: SeriesPosition) {
        let name = TitleWords.compared(TitleWords.words(series.name)).joined()
        if !name.isEmpty { seriesKeys.insert(name) }
        if series.areSeveral {
            // A title of its own names the book better than its place does: `The Complete Maus (Maus, #1-2)`.
            // `Dune (Dune Chronicles, #1-3)` can be the first of the three.
            let isOwnName =
                name.isEmpty || parts.contains { beginAlike($0.key, name) }
            if isOwnName { isRangeOfOwnName = true } else { isRangeOfSeries = true }
            kinds.insert(.collection)
            return
        }
        guard volume == nil, let number = series.volume, let first = parts.first, name == first.key else {
            return
        }
        // The first book of a series often has its name.
        volume = VolumeNumber(number: String(number), noun: .any, words: 0..<0, isOfSeries: number <= 1)
    }

    private mutating func add(
        _ words: [String], _ signs: [UInt8], _ isSubtitle: Bool, behind separator: TitleSegments.Separator,
        isLowercase: Bool, hasComma: Bool
    ) {
        var words = words
        let ofEdition = EditionWords.count(endOf: words)
        if ofEdition > 0, ofEdition < words.count || !parts.isEmpty { words.removeLast(ofEdition) }
        if words.isEmpty { return }
        if let named = VolumeNumber(in: words), named.noun == .part, named.areSeveral {
            // Parts One and Two are the whole.
            words.removeSubrange(named.words)
        } else if var named = VolumeNumber(in: words) {
            // `Ashfall, Book 2`, but not `1Q84: Book 2` or `1Q84 Book 2`.
            named.isInFirstPart = parts.isEmpty && hasComma
            if volume == nil || volume?.isOfSeries == true && !named.isOfSeries {
                volume = named
                partOfVolume = named.words.lowerBound == 0 ? parts.count - 1 : parts.count
                if named.areSeveral { insert(.collection) }
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
            // A second number tells volumes apart, too: `Avatar, Volume 1: The Promise, Part 2`.
            if volume == named || volume?.number == named.number { words.removeSubrange(named.words) }
        }
        let compared = TitleWords.compared(words)
        let key = compared.joined() + String(decoding: signs, as: UTF8.self)
        // `Assassin's Apprentice: The Farseer Trilogy` is not the trilogy, `Foundation: The Foundation Trilogy` is.
        let namesSeries = BookKind.namesSeries(words)
        let isSeries = namesSeries && parts.first.map { !key.hasPrefix($0.key) } == true
        insert(BookKind.kinds(in: words, isFirst: parts.isEmpty, isSeries: isSeries))
        guard !words.isEmpty else { return }
        if parts.isEmpty { nameOfSeries = namesSeries }
        let tail = TailWords(words)
        // Two titles: The Hobbit / The Lord of the Rings. A subtitle can follow a semicolon, but not a slash.
        let isSecond =
            !parts.isEmpty && !isSubtitle && (separator == .slash || separator == .semicolon && !isLowercase)
            && !["or", "oder", "ou"].contains(words.first)
        if isSecond, separator == .slash || !tail.isDescriptive { kinds.insert(.collection) }
        parts.append(
            Part(
                words: compared, key: key, isIdle: !parts.isEmpty && tail.isIdle,
                isDescriptive: tail.isDescriptive, isLong: tail.isLong, isSubtitle: isSubtitle,
                canBeTitle: isSecond, namesSeries: namesSeries || BookKind.areWordsOfSeries(words)))
    }
}
