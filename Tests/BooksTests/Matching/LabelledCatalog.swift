import Foundation
import TestSupport

@testable import Books

/// Catalogs built from the labelled books, as if Open Library had published them.
///
/// A work has the number of its place in the set, and one edition for each twenty of the set's number.
struct LabelledCatalog {
    /// Contents of a catalog.
    enum Contents: Hashable {
        case all
        /// Without the books of one of ``folds`` parts.
        case without(fold: Int)
        /// With a second record of each work that has as many editions.
        case doubled
    }

    /// Number of parts of the set. Each is left out of one catalog, whose answers show what a lookup finds if
    /// the book is absent.
    static let folds = 4
    /// Added to the numbers of second records.
    private static let secondRecord = 10_000

    let fixture: CatalogFixture

    init(_ contents: Contents) async throws {
        var lines: [String] = []
        for (name, number) in Self.authors {
            let others = Self.otherNames[name, default: []].map { Self.json($0) }.joined(separator: ", ")
            lines.append(
                DumpFixture.author(number, #""name": \#(Self.json(name)), "alternate_names": [\#(others)]"#))
        }
        for (place, book) in LabelledBooks.books.enumerated() {
            if case .without(let fold) = contents, Self.fold(ofBook: place) == fold { continue }
            Self.append(book, place + 1, &lines)
            if contents == .doubled { Self.append(book, place + 1 + Self.secondRecord, &lines) }
        }
        fixture = try await CatalogFixture(lines)
    }

    /// The part that a book belongs to.
    static func fold(ofBook place: Int) -> Int { place % folds }

    /// The labelled book that a work's key means; nil for any other key.
    static func book(ofWork key: String) -> MatchCandidate? {
        guard let number = OpenLibraryKey(key)?.number else { return nil }
        let place = Int(number) % secondRecord - 1
        return LabelledBooks.books.indices.contains(place) ? LabelledBooks.books[place] : nil
    }

    /// The ISBN of a book's first edition.
    static func isbn(ofBook place: Int) -> String { DumpFixture.isbn((place + 1) * editionsOfWork) }

    private static let editionsOfWork = 32

    private static func append(_ book: MatchCandidate, _ number: Int, _ lines: inout [String]) {
        let authors = book.authors.compactMap { $0.first.flatMap { Self.authors[$0] } }.map {
            #"{"author": {"key": "/authors/OL\#($0)A"}}"#
        }
        var work = #""title": \#(json(book.title)), "authors": [\#(authors.joined(separator: ", "))]"#
        if !book.subtitle.isEmpty { work += #", "subtitle": \#(json(book.subtitle))"# }
        if let year = book.year { work += #", "first_publish_date": "\#(year)""# }
        lines.append(DumpFixture.work(number, work))
        for edition in 0..<min(1 + Int(book.weight) / 20, editionsOfWork) {
            let isbn = DumpFixture.isbn(number * editionsOfWork + edition)
            var values = #""title": \#(json(book.title)), "isbn_13": ["\#(isbn)"]"#
            if !book.subtitle.isEmpty { values += #", "subtitle": \#(json(book.subtitle))"# }
            lines.append(DumpFixture.edition(number * editionsOfWork + edition, values, work: number))
        }
    }

    /// The authors' first names with their numbers.
    private static let authors: [String: Int] = {
        var authors: [String: Int] = [:]
        for name in LabelledBooks.books.flatMap({ $0.authors.compactMap(\.first) }) where authors[name] == nil
        {
            authors[name] = authors.count + 1
        }
        return authors
    }()

    private static let otherNames: [String: [String]] = {
        var others: [String: [String]] = [:]
        for names in LabelledBooks.books.flatMap(\.authors) {
            guard let name = names.first else { continue }
            for other in names.dropFirst() where !others[name, default: []].contains(other) {
                others[name, default: []].append(other)
            }
        }
        return others
    }()

    private static func json(_ text: String) -> String {
        let text = text.replacingOccurrences(of: "\\", with: "\\\\")
        return "\"\(text.replacingOccurrences(of: "\"", with: "\\\""))\""
    }
}
