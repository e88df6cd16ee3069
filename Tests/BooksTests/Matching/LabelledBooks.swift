import Foundation
import TestSupport

@testable import Books
@testable import Bytes

/// The labelled set of books and questions (`Tests/Labelled/README.md`).
enum LabelledBooks {
    static let books: [MatchCandidate] = LabelledTable("books.tsv").rows.map { row in
        var book = MatchCandidate(record: row["id"], title: row["title"], subtitle: row["subtitle"])
        book.authors = row["authors"].split(separator: ";").map { author in
            author.split(separator: "=").map { $0.trimmingCharacters(in: .whitespaces) }
        }
        book.year = Int32(row["year"])
        book.language = row["language"].isEmpty ? nil : row["language"]
        book.weight = Int64(row["editions"]) ?? 0
        return book
    }

    /// Books of which another one is an edition that the set lists apart, by the id of that edition.
    static let originals: [String: String] = Dictionary(
        uniqueKeysWithValues: LabelledTable("books.tsv").rows.filter { !$0["variant"].isEmpty }.map {
            ($0["id"], $0["variant"])
        })

    static let queries: [LabelledQuery] = LabelledTable("book_questions.tsv").rows.map { row in
        let expected = row["expected"].split(separator: "/").map(String.init)
        return LabelledQuery(
            title: row["title"], author: row["author"], year: Int32(row["published"]),
            firstYear: Int32(row["original"]), language: row["language"],
            expected: Set(expected).subtracting(["-", "?"]),
            mayAbstain: expected.contains("-") || expected.contains("?"), kind: row["kind"])
    }

    /// Candidates of a service: the twenty nearest books that share a word of title or author with the
    /// question.
    static func offered(for query: LabelledQuery) -> [MatchCandidate] {
        let asked = words("\(query.title) \(query.author)")
        var near: [(shared: Double, number: Int)] = []
        for (number, words) in wordsOfBooks.enumerated() {
            let shared = asked.intersection(words).reduce(0) { $0 + (rarity[$1] ?? 0) }
            if shared > 0 { near.append((shared, number)) }
        }
        near.sort { ($1.shared, $0.number) < ($0.shared, $1.number) }
        return near.prefix(20).map { books[$0.number] }
    }

    private static func words(_ text: String) -> Set<String> {
        Set(Folding.fold(text).split(separator: " ").map(String.init))
    }

    private static let wordsOfBooks = books.map { book in
        words("\(book.title) \(book.subtitle) \(book.authors.joined().joined(separator: " "))")
    }

    private static let rarity: [String: Double] = {
        var counts: [String: Int] = [:]
        for words in wordsOfBooks { for word in words { counts[word, default: 0] += 1 } }
        return counts.mapValues { 1 / Double($0) }
    }()
}

/// A row of a user's export and the books it may be matched with.
struct LabelledQuery {
    var title: String
    var author: String
    var year: Int32?
    var firstYear: Int32?
    var language: String
    var expected: Set<String>
    /// Whether no match is a correct result.
    var mayAbstain: Bool
    /// Difficulty of the row.
    var kind: String

    var wanted: MatchQuery {
        MatchQuery(
            title: title, author: author, year: year, firstYear: firstYear,
            language: language.isEmpty ? nil : language)
    }
}
