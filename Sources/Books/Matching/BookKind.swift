/// Difference between a book and the book that its title names. A study guide is not the novel it explains; a
/// boxed set is not its first volume.
enum BookKind: UInt8, Sendable, CaseIterable, Hashable {
    /// Explains, summarizes or accompanies another book.
    case guide
    /// Another book as a comic.
    case graphic
    /// Another book as a play, film or broadcast.
    case performance
    /// Several books in one.
    case collection
    /// Another book retold, abridged, in part, or as a pop-up book.
    case adaptation
    /// A book to write, draw or color in.
    case activity

    /// Phrases in a title that indicate the kind; one is enough. They are folded and match whole words.
    private var phrases: [String] {
        switch self {
        case .guide:
            [
                "study guide", "studyguide", "cliffsnotes", "cliffs notes", "sparknotes", "spark notes",
                "york notes", "maxnotes", "literature guide", "literature guides", "summary",
                "readers companion",
                "readers guide", "insiders guide", "ultimate guide", "official guide",
                "illustrated companion",
                "official companion", "critical interpretations", "blooms guides", "solutions manual",
                "instructors manual", "teachers guide", "lesson plans", "literature notes", "movie companion",
                "interpretationshilfe", "lektureschlussel", "analysis of", "fiche de lecture",
            ]
        case .graphic:
            [
                "graphic novel", "graphic novels", "graphic history", "manga", "comic adaptation",
                "classics illustrated",
            ]
        case .performance:
            [
                "play", "playscript", "screenplay", "radio scripts", "radio play", "script book",
                "shooting script", "movie storybook", "filming of", "making of", "libretto",
            ]
        case .collection:
            [
                "box set", "boxset", "boxed set", "box of books", "bundle", "omnibus", "complete collection",
                "complete series", "complete set",
                "complete novels", "complete saga", "saga collection", "book set", "books set",
                "book collection", "novel collection", "bind up", "gesamtausgabe", "sammelband", "doppelband",
                "integrale", "coffret", "cofanetto",
            ] + Self.seriesOfBooks
        case .adaptation:
            [
                "retelling", "retold", "adaptation", "adapted", "abridged", "pop up", "simplified",
                "easy reader", "easy readers", "graded reader", "graded readers", "oxford bookworms",
                "bookworms library", "penguin readers", "macmillan readers", "cambridge english readers",
                "nacherzahlt", "excerpt", "excerpts", "sampler", "sneak peek", "extract", "chapter preview",
                "illustrated classics",
            ]
        case .activity:
            [
                "colouring book", "coloring book", "workbook", "do it yourself book", "sticker book",
                "activity book", "quiz book", "cookbook", "guided journal",
            ]
        }
    }

    private static let byFirstWord: [String: [(rest: [String], kind: BookKind)]] = {
        var byFirstWord: [String: [(rest: [String], kind: BookKind)]] = [:]
        for kind in allCases {
            for phrase in kind.phrases {
                let words = phrase.split(separator: " ").map(String.init)
                byFirstWord[words[0], default: []].append((Array(words.dropFirst()), kind))
            }
        }
        return byFirstWord
    }()

    /// The kinds that the words of a title indicate.
    ///
    /// - Parameters:
    ///   - isFirst: Whether the title starts with these words. A single word then indicates no kind: "Play" is a title
    ///     by Beckett.
    ///   - isSeries: Whether they name the series that the book is in, and not a trilogy in one volume.
    static func kinds(in words: [String], isFirst: Bool, isSeries: Bool = false) -> Set<BookKind> {
        var kinds: Set<BookKind> = []
        for (place, word) in words.enumerated() {
            if word == "set", isSetOfSeveral(at: place, of: words) { kinds.insert(.collection) }
            if word == "in", isSeveralInOne(at: place, of: words) { kinds.insert(.collection) }
            if isFirst, contentPhrases.contains(words[place...].prefix(2).joined(separator: " ")) {
                kinds.insert(.collection)
            }
            if word == "complete", !words.contains(where: ofEditions.contains),
                place + 1 == words.count || !completeInItself.contains(words[place + 1])
            {
                kinds.insert(.collection)
            }
            if isSeries, seriesOfBooks.contains(word) { continue }
            // (Millennium Trilogy 1) is one of them.
            if place + 1 < words.count, seriesOfBooks.contains(word),
                TitleWords.number(words[place + 1]) != nil
            {
                continue
            }
            guard let phrases = byFirstWord[word] else { continue }
            for (rest, kind) in phrases where words[(place + 1)...].starts(with: rest) {
                // The Ultimate Guide to Knots is a book of its own.
                if rest.last == "guide", ownGuides.contains(word),
                    let next = words[(place + 1 + rest.count)...].first,
                    next == "to" || next == "for"
                {
                    continue
                }
                if !isFirst || words.count > 1 { kinds.insert(kind) }
            }
        }
        return kinds
    }

    /// Names of series that are also those of the books in one.
    private static let seriesOfBooks = [
        "duology", "trilogy", "quartet", "tetralogy", "trilogie", "trilogia", "tetralogie",
    ]

    /// Words that make a series of a name.
    private static let wordsOfSeries: Set<String> = [
        "series", "saga", "chronicles", "chronicle", "cycle", "sequence", "reihe", "serie", "zyklus",
        "quintet",
        "mysteries",
    ]
    /// Words beside `trilogy` that name no series: `A Trilogy in Four Parts`, `The Complete Trilogy`.
    private static let namingNothing: Set<String> = [
        "the", "a", "an", "of", "in", "one", "two", "three", "four", "five", "parts", "volumes", "books",
        "book",
        "volume", "novels", "set", "part", "die", "der", "la", "le",
    ]
    /// Words beside `trilogy` that say that all of it is meant.
    private static let ofWholes: Set<String> = [
        "complete", "entire", "whole", "full", "collected", "collection", "omnibus", "box", "boxed", "boxset",
        "bundle", "set", "bind", "integrale", "komplette",
    ]

    /// Whether the words of a bracket or a subtitle name a trilogy that the book is in: `The Farseer Trilogy`.
    static func namesSeries(_ words: [String]) -> Bool {
        guard words.contains(where: seriesOfBooks.contains), words.first != "a", words.first != "an",
            !words.contains(where: ofWholes.contains)
        else { return false }
        return words.contains {
            !namingNothing.contains($0) && !seriesOfBooks.contains($0) && TitleWords.number($0) == nil
        }
    }

    /// Words before `guide` that a guide to any other thing has, too.
    private static let ownGuides: Set<String> = ["insiders", "ultimate", "official"]

    /// Whether words say that all books of a series are meant, or which ones: `Complete Set`, `Books 1-3`.
    static func areWhole(_ words: [String]) -> Bool {
        words.contains(where: ofWholes.contains) || words.contains(where: seriesOfBooks.contains)
            || VolumeNumber(in: words)?.areSeveral == true
    }

    /// Whether the words are the name of a series: `The Chronicles of Amber`.
    static func areWordsOfSeries(_ words: [String]) -> Bool {
        words.count > 1 && words.contains(where: wordsOfSeries.contains)
    }

    /// Words behind `complete` of which there is one book: `The Complete Guide to …`.
    private static let completeInItself: Set<String> = [
        "guide", "guides", "protection", "handbook", "story", "history", "introduction", "course",
        "reference",
        "manual", "dictionary", "encyclopedia", "cookbook", "beginners", "idiots", "idiot", "book", "how",
    ]

    /// Phrases that name further contents of a book. A subtitle can say so of any book of stories.
    private static let contentPhrases: Set<String> = [
        "other stories", "other tales", "other plays", "other writings", "selected stories",
    ]

    /// Words next to `complete` if that says that nothing was cut.
    private static let ofEditions: Set<String> = [
        "edition", "uncut", "unabridged", "text", "annotated", "illustrated", "original",
    ]

    /// Whether the words from `set` on are `set of 3`.
    private static func isSetOfSeveral(at place: Int, of words: [String]) -> Bool {
        place + 2 < words.count && words[place + 1] == "of" && TitleWords.number(words[place + 2]) != nil
    }

    /// Whether the words around `in` are `3 in 1`.
    private static func isSeveralInOne(at place: Int, of words: [String]) -> Bool {
        guard place > 0, place + 1 < words.count, let count = TitleWords.number(words[place - 1]) else {
            return false
        }
        return TitleWords.number(words[place + 1]) == "1" && count != "1"
    }
}
