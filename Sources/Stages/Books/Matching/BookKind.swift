/// What a book is besides the book of its title: a study guide is not the novel it explains, nor is the boxed set its
/// first volume.
enum BookKind: UInt8, Sendable, CaseIterable, Hashable {
    /// Explains, sums up or accompanies another book.
    case guide
    /// Tells another book in pictures.
    case graphic
    /// Has another book on the stage, on the screen or on the air.
    case performance
    /// Several books as one.
    case collection
    /// Another book retold, shortened or folded to pop up.
    case adaptation
    /// To be filled in or coloured.
    case activity

    /// What a title says of it. One of these phrases is enough; they are folded and stand between blanks.
    private var phrases: [String] {
        switch self {
        case .guide:
            [
                "study guide", "studyguide", "cliffsnotes", "cliffs notes", "sparknotes", "spark notes",
                "york notes", "maxnotes", "literature guide", "literature guides", "summary",
                "readers companion",
                "readers guide", "critical interpretations", "blooms guides", "solutions manual",
                "instructors manual", "teachers guide", "lesson plans", "literature notes", "movie companion",
                "interpretationshilfe", "lektureschlussel", "analysis of", "fiche de lecture",
            ]
        case .graphic: ["graphic novel", "graphic novels", "graphic history", "manga", "comic adaptation"]
        case .performance:
            [
                "play", "playscript", "screenplay", "radio scripts", "radio play", "script book",
                "shooting script", "movie storybook", "filming of", "making of", "libretto",
            ]
        case .collection:
            [
                "box set", "boxset", "boxed set", "box of books", "bundle", "omnibus", "trilogy", "quartet",
                "tetralogy", "complete collection", "saga collection", "book set", "books set",
                "other stories",
                "other tales", "selected stories",
            ]
        case .adaptation:
            [
                "retelling", "retold", "adaptation", "adapted", "abridged", "pop up", "simplified",
                "easy reader",
                "nacherzahlt",
            ]
        case .activity:
            [
                "colouring book", "coloring book", "workbook", "do it yourself book", "sticker book",
                "activity book", "quiz book", "cookbook",
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

    /// The kinds that words of a title speak of.
    ///
    /// - Parameter isFirst: Whether the title begins with them. One word alone is then no kind: Beckett wrote a book
    ///   called "Play".
    static func kinds(in words: [String], isFirst: Bool) -> Set<BookKind> {
        var kinds: Set<BookKind> = []
        for (place, word) in words.enumerated() {
            guard let phrases = byFirstWord[word] else { continue }
            for (rest, kind) in phrases where words[(place + 1)...].starts(with: rest) {
                if !isFirst || words.count > 1 { kinds.insert(kind) }
            }
        }
        return kinds
    }
}
