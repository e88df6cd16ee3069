import Bytes
import Foundation
import TestSupport

@testable import Books

/// Rows made from the labelled ones in the forms in which files name a book: with its series, its number or its edition in
/// the title, with other authors, cut off, and with errors that need more evidence.
///
/// The rows have the book's year, as exports of Goodreads do. The same rows without years show what is left to the title.
enum LabelledForms {
    enum Form: String, CaseIterable {
        case plain = "Title"
        case colonSeries = "Title: Series"
        case dashSeries = "Title - Series"
        case trilogy = "Title (Series Trilogy)"
        case seriesFirst = "Series: Title"
        case seriesNumberFirst = "Series 2: Title"
        case volumeInBrackets = "Title (Volume 2)"
        case commaBook = "Title, Book 2"
        case seriesBook = "Title: Series, Book 2"
        case seriesBookInBrackets = "Title (Series, Book 2)"
        case edition = "Title, 3rd Edition"
        case revised = "Title (Revised and Expanded)"
        case bookseller = "Title / Edition 1"
        case semicolonSubtitle = "Title; subtitle"
        case subtitleChanged = "subtitle shortened"
        case cutOff = "title cut off"
        case shortTypo = "typing error in a short word"
        case familyTypo = "typing error in the family name"
        case nickname = "nickname of the author"
        case otherFirst = "another author first"
        case noAuthor = "no author"
        // No book may be attached to these.
        case twoTitles = "Title; Other Title"
        case twoTitlesSlash = "Title / Other Title"
        case otherSubtitle = "another subtitle"
        case bareSeries = "Series"
        case range = "Series (#1-3)"

        /// The least share of right answers, with the year; nil if nothing is right.
        var least: Double? {
            switch self {
            case .twoTitles, .twoTitlesSlash, .otherSubtitle, .bareSeries, .range: nil
            case .cutOff: 0.6
            case .shortTypo: 0.75
            default: 0.9
            }
        }
    }

    struct Row {
        var form: Form
        var query: LabelledQuery
    }

    /// The rows of all forms, with the years of their books.
    static let all: [Row] = plain.enumerated().flatMap { number, query in
        Form.allCases.compactMap { form in
            // Each row has a third of the forms.
            guard
                rare.contains(form) || (number + (Form.allCases.firstIndex(of: form) ?? 0)).isMultiple(of: 3),
                let changed = changed(query, to: form)
            else { return nil }
            return Row(form: form, query: changed)
        }
    }

    /// Forms that few titles can have, which all of them have.
    private static let rare: Set<Form> = [
        .plain, .semicolonSubtitle, .subtitleChanged, .otherSubtitle, .cutOff, .shortTypo, .nickname,
    ]

    /// The same rows without years.
    static let withoutYears: [Row] = all.map { row in
        var row = row
        (row.query.year, row.query.firstYear) = (nil, nil)
        return row
    }

    /// Rows with the exact title of their book, one for each book.
    private static let plain: [LabelledQuery] = exact.reduce(into: []) { rows, query in
        if !rows.contains(where: { $0.expected == query.expected }) { rows.append(query) }
    }

    private static let exact: [LabelledQuery] = LabelledBooks.queries.compactMap { query -> LabelledQuery? in
        guard kinds.contains(query.kind), query.expected.count == 1, let id = query.expected.first,
            let book = LabelledBooks.books.first(where: { $0.record == id }), let year = book.year,
            !book.title.contains(where: "(#/;".contains), !query.author.isEmpty,
            book.authors.first?.first.map({ Folding.fold($0) == Folding.fold(query.author) }) == true,
            isAlone(book), ParsedTitle(book.title, subtitle: book.subtitle).kinds.isEmpty
        else { return nil }
        var query = query
        query.title = book.title
        (query.year, query.firstYear) = (nil, year)
        query.mayAbstain = false
        return query
    }

    private static let kinds: Set<String> = [
        "plain", "series", "subtitle", "article", "punctuation", "same title", "authors", "decoy", "numeral",
        "order",
        "homonym", "absent", "omnibus", "guide",
    ]

    /// Whether no other book of the author begins like it, so that its title names it.
    private static func isAlone(_ book: MatchCandidate) -> Bool {
        let own = Folding.fold(head(book.title))
        return !LabelledBooks.books.contains { other in
            other.record != book.record && "\(Folding.fold(other.title)) ".hasPrefix("\(own) ")
                && !Set(other.authors.compactMap(\.first)).isDisjoint(with: book.authors.compactMap(\.first))
        }
    }

    private static func head(_ title: String) -> String {
        title.range(of: ": ").map { String(title[..<$0.lowerBound]) } ?? title
    }

    // MARK: Forms

    private static let series = ["The Lantern Road", "Saltmarsh", "House of Tides", "The Copper Sky"]

    private static func changed(_ query: LabelledQuery, to form: Form) -> LabelledQuery? {
        var changed = query
        let hash = KeyHash.hash(Array(query.title.utf8))
        let series = series[Int(hash % 4)]
        let (title, hasSubtitle) = (query.title, query.title.contains(": "))
        switch form {
        case .plain: break
        case .colonSeries, .dashSeries, .commaBook, .seriesBook, .seriesFirst, .seriesNumberFirst, .twoTitles,
            .twoTitlesSlash:
            // What is behind such a title would be another subtitle.
            guard !hasSubtitle, subtitle(of: query) == nil, !title.contains(" - ") else { return nil }
            changed.title =
                switch form {
                case .colonSeries: "\(title): \(series)"
                case .dashSeries: "\(title) - \(series)"
                case .commaBook: "\(title), Book 2"
                case .seriesBook: "\(title): \(series), Book 2"
                case .seriesFirst: "\(series): \(title)"
                case .seriesNumberFirst: "\(series) 2: \(title)"
                case .twoTitles: "\(title); \(series)"
                default: "\(title) / \(series)"
                }
        case .trilogy:
            let name = series.hasPrefix("The ") ? String(series.dropFirst(4)) : series
            changed.title = "\(title) (\(name) \(["Trilogy", "Duology", "Quartet"][Int(hash % 3)]))"
        case .volumeInBrackets: changed.title = "\(title) (Volume 2)"
        case .seriesBookInBrackets: changed.title = "\(title) (\(series), Book 2)"
        case .edition: changed.title = "\(title), 3rd Edition"
        case .revised: changed.title = "\(title) (Revised and Expanded)"
        case .bookseller: changed.title = "\(title) / Edition 1"
        case .semicolonSubtitle, .subtitleChanged, .otherSubtitle:
            guard let subtitle = subtitle(of: query) else { return nil }
            let words = subtitle.split(separator: " ")
            guard form == .semicolonSubtitle || words.count > 3 else { return nil }
            switch form {
            case .semicolonSubtitle: changed.title = "\(head(title)); \(subtitle.lowercased())"
            case .subtitleChanged:
                changed.title = "\(head(title)): \(words.dropLast().joined(separator: " "))"
            default: changed.title = "\(head(title)): Letters on Harbor Maintenance 1911"
            }
        case .cutOff:
            guard title.count >= 24 else { return nil }
            let length = title.count * [5, 6, 7, 8][Int(hash % 4)] / 10
            changed.title = title.prefix(max(16, length)).trimmingCharacters(in: .whitespaces)
            // What is left can be the beginning of another title.
            let left = Folding.fold(changed.title)
            guard LabelledBooks.books.count(where: { Folding.fold($0.title).hasPrefix(left) }) == 1 else {
                return nil
            }
        case .shortTypo:
            guard let mistyped = mistyped(title, hash) else { return nil }
            changed.title = mistyped
        case .familyTypo:
            let words = query.author.split(separator: " ")
            guard words.count > 1, let family = words.last, family.count >= 5, family.allSatisfy(\.isLetter)
            else {
                return nil
            }
            changed.author = (words.dropLast() + [Substring(doubled(family, hash))]).joined(separator: " ")
        case .nickname:
            guard let first = query.author.split(separator: " ").first, let short = nicknames[String(first)]
            else {
                return nil
            }
            changed.author = short + query.author.dropFirst(first.count)
        case .otherFirst: changed.author = "Marit Solheim; \(query.author)"
        case .noAuthor:
            guard
                !LabelledBooks.books.contains(where: {
                    !query.expected.contains($0.record) && Folding.fold($0.title) == Folding.fold(title)
                })
            else { return nil }
            changed.author = ""
        case .bareSeries: changed.title = series
        case .range: changed.title = "\(series) (#1-3)"
        }
        if form.least == nil { (changed.expected, changed.mayAbstain) = ([], true) }
        return changed
    }

    private static func subtitle(of query: LabelledQuery) -> String? {
        guard let book = LabelledBooks.books.first(where: { query.expected.contains($0.record) }) else {
            return nil
        }
        if !book.subtitle.isEmpty { return book.subtitle }
        return book.title.range(of: ": ").map { String(book.title[$0.upperBound...]) }
    }

    private static let nicknames = [
        "Robert": "Bob", "William": "Bill", "James": "Jim", "Thomas": "Tom", "Michael": "Mike",
        "Richard": "Rick",
        "Stephen": "Steve", "Daniel": "Dan", "David": "Dave", "Douglas": "Doug", "Margaret": "Peggy",
        "Joseph": "Joe", "Edward": "Ed", "Anthony": "Tony", "Raymond": "Ray", "Susan": "Sue",
        "Charles": "Chuck",
    ]

    /// The title with a letter of a word of three or four letters replaced or left out.
    private static func mistyped(_ title: String, _ hash: UInt64) -> String? {
        var words = title.split(separator: " ").map(String.init)
        let places = words.indices.filter { place in
            let word = words[place].lowercased()
            return (3...4).contains(word.count) && word.allSatisfy(\.isLetter) && !notMistyped.contains(word)
        }
        guard !places.isEmpty, words.count > 1 else { return nil }
        let place = places[Int(hash % UInt64(places.count))]
        var letters = Array(words[place])
        if hash >> 8 & 1 == 0 || letters.count == 3 {
            letters[1] = letters[1] == "e" ? "a" : "e"
        } else {
            letters.remove(at: 2)
        }
        words[place] = String(letters)
        return words.joined(separator: " ")
    }

    private static let notMistyped: Set<String> = [
        "the", "and", "for", "der", "die", "das", "les", "und", "book", "part",
    ]

    private static func doubled(_ name: Substring, _ hash: UInt64) -> String {
        var letters = Array(name)
        let place = 1 + Int(hash % UInt64(letters.count - 2))
        if hash >> 8 & 1 == 0, letters[place] != letters[place + 1] {
            letters.swapAt(place, place + 1)
        } else {
            letters.insert(letters[place], at: place)
        }
        return String(letters)
    }
}
