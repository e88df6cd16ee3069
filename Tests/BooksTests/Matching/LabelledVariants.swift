import Books
import Bytes
import Foundation
import TestSupport

/// Rows made from the labelled ones by the rules in `Tests/Labelled/README.md`: the spellings, omissions and
/// typing errors of real exports. The meaning of a row does not change.
enum LabelledVariants {
    enum Rule: String, CaseIterable {
        case clean
        case subtitleDropped = "subtitle dropped"
        case articleDropped = "article dropped"
        case articleMoved = "article at the end"
        case seriesAdded = "series added"
        case seriesDropped = "series dropped"
        case diacriticsDropped = "diacritics dropped"
        case andSpelled = "and for &"
        case numberSpelled = "digits for words"
        case otherEnglish = "British for American"
        case authorReversed = "author reversed"
        case typo = "typing error"

        /// The rows that a matcher must answer as well as the original ones, apart from those with an error.
        var isSpelling: Bool { self != .clean && self != .typo }
    }

    /// A row made by a rule.
    struct Variant {
        var rule: Rule
        var query: LabelledQuery
    }

    /// All rows of the set, the original ones first.
    static let all: [Variant] = LabelledBooks.queries.flatMap { query in
        [Variant(rule: .clean, query: query)]
            + Rule.allCases.dropFirst().compactMap { rule in
                variant(of: query, rule).map { Variant(rule: rule, query: $0) }
            }
    }

    private static func variant(of query: LabelledQuery, _ rule: Rule) -> LabelledQuery? {
        // Rows that already are a difficulty of their own stay as they are.
        guard !query.expected.isEmpty, query.kind != "typo" else { return nil }
        var changed = query
        switch rule {
        case .clean: return nil
        case .subtitleDropped:
            guard !namesKind.contains(query.kind), let title = withoutSubtitle(query) else { return nil }
            changed.title = title
        case .articleDropped:
            guard let rest = withoutArticle(query.title), rest.count > 4 else { return nil }
            changed.title = rest.prefix(1).uppercased() + rest.dropFirst()
        case .articleMoved:
            guard let rest = withoutArticle(query.title), !rest.contains(":"), !rest.contains("("),
                !rest.contains(","), !rest.contains("/"), !rest.contains(";")
            else { return nil }
            changed.title = "\(rest), \(query.title.prefix { $0 != " " })"
        case .seriesAdded:
            guard !query.title.contains("("), !query.title.contains("#") else { return nil }
            changed.title += " (A Made-Up Cycle, #2)"
        case .seriesDropped:
            guard query.kind == "series", let bracket = query.title.range(of: " (") else { return nil }
            changed.title = String(query.title[..<bracket.lowerBound])
        case .diacriticsDropped:
            changed.title = plain(query.title)
            changed.author = plain(query.author)
        case .andSpelled: changed.title = query.title.replacingOccurrences(of: " & ", with: " and ")
        case .numberSpelled: changed.title = numbers(query.title)
        case .otherEnglish: changed.title = otherEnglish(query.title)
        case .authorReversed:
            let words = query.author.split(separator: " ")
            guard words.count == 2, !query.author.contains(",") else { return nil }
            changed.author = "\(words[1]), \(words[0])"
        case .typo:
            guard let title = mistyped(query.title) else { return nil }
            changed.title = title
        }
        return changed.title == query.title && changed.author == query.author ? nil : changed
    }

    /// Kinds of rows whose subtitle says which book, volume or edition it is.
    private static let namesKind: Set<String> = [
        "adaptation", "ambiguous", "decoy", "edition", "guide", "omnibus", "volume", "series",
    ]

    // MARK: Rules

    /// The title without its subtitle, if every book that is meant has that subtitle and no other book of the
    /// author begins like the rest.
    private static func withoutSubtitle(_ query: LabelledQuery) -> String? {
        guard let colon = query.title.range(of: ": ") else { return nil }
        let head = String(query.title[..<colon.lowerBound])
        let folded = Folding.fold(head)
        for book in LabelledBooks.books {
            let begins = "\(Folding.fold(book.title)) ".hasPrefix("\(folded) ")
            guard query.expected.contains(book.record) else {
                if begins, book.authors.joined().contains(where: { sharesWord($0, query.author) }) {
                    return nil
                }
                continue
            }
            let bare = folded == Folding.fold(book.title)
            guard begins, book.title.contains(": ") || bare else { return nil }
        }
        return head
    }

    private static func sharesWord(_ a: String, _ b: String) -> Bool {
        let words = { (text: String) in Set(Folding.fold(text).split(separator: " ").filter { $0.count > 1 })
        }
        return !words(a).isDisjoint(with: words(b))
    }

    private static func withoutArticle(_ title: String) -> String? {
        for article in ["The ", "A ", "An ", "Der ", "Die ", "Das ", "Le ", "La "]
        where title.hasPrefix(article) {
            return String(title.dropFirst(article.count))
        }
        return nil
    }

    private static func plain(_ text: String) -> String {
        text.folding(options: .diacriticInsensitive, locale: nil).replacingOccurrences(of: "ø", with: "o")
            .replacingOccurrences(of: "ß", with: "ss")
    }

    private static let words = [
        "Two": "2", "Three": "3", "Four": "4", "Five": "5", "Six": "6", "Seven": "7", "Nine": "9",
        "Twelve": "12",
        "Thirteen": "13", "Twenty": "20", "Fifty": "50", "Eighty": "80",
    ]

    private static func numbers(_ title: String) -> String {
        let all = title.split(separator: " ", omittingEmptySubsequences: false).map(String.init)
        // Several words can be one number.
        guard all.count(where: { words[$0] != nil }) == 1, !title.contains("-") else { return title }
        return all.map { words[$0] ?? $0 }.joined(separator: " ")
    }

    private static let english = [
        "Color": "Colour", "Colour": "Color", "Gray": "Grey", "Grey": "Gray", "Center": "Centre",
        "Theatre": "Theater", "Harbour": "Harbor", "Neighbours": "Neighbors", "Traveler's": "Traveller's",
        "Honor": "Honour", "Labor": "Labour", "Catalogue": "Catalog", "Pajamas": "Pyjamas",
    ]

    private static func otherEnglish(_ title: String) -> String {
        title.split(separator: " ", omittingEmptySubsequences: false).map {
            english[String($0)] ?? String($0)
        }
        .joined(separator: " ")
    }

    /// The title with one letter of a word of five or more letters changed, left out, doubled or exchanged
    /// with the next one. Which one follows from the title. Volume words and the part after a colon are left
    /// alone.
    private static func mistyped(_ title: String) -> String? {
        var letters = Array(title)
        let end = letters.firstIndex { ":(/;#&".contains($0) } ?? letters.count
        var places: [Int] = []
        var start = 0
        for place in 0...end where place == end || !letters[place].isLetter {
            let word = String(letters[start..<place]).lowercased()
            if word.count >= 5, !notMistyped.contains(word) { places += Array(start + 1..<place - 1) }
            start = place + 1
        }
        guard !places.isEmpty else { return nil }
        let hash = KeyHash.hash(Array(title.utf8))
        let place = places[Int(hash % UInt64(places.count))]
        switch hash >> 32 % 4 {
        case 0: letters[place] = letters[place] == "e" ? "a" : "e"
        case 1: letters.remove(at: place)
        case 2: letters.insert(letters[place], at: place)
        default:
            guard letters[place] != letters[place + 1] else { return nil }
            letters.swapAt(place, place + 1)
        }
        return String(letters)
    }

    private static let notMistyped: Set<String> = ["volume", "issue", "level", "compendium"]
}
