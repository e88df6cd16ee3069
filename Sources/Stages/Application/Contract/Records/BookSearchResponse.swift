package import Syntax

/// What a search answers (API contract v2.1 section 5.4). Works, editions and authors are loosely coupled:
/// clients match them by id and ISBN. A search that finds nothing answers with empty arrays, never with
/// `NOT_FOUND`.
package struct BookSearchResponse: Sendable, Hashable {
    package var works: [WorkDTO]
    package var editions: [EditionDTO]
    /// Each author once.
    package var authors: [AuthorDTO]
    package var totalResults: Int?
    /// The same books flat: the v3.2 client's title search reads nothing else.
    package var books: [BookDTO]

    package init(
        works: [WorkDTO] = [], editions: [EditionDTO] = [], authors: [AuthorDTO] = [],
        totalResults: Int? = nil, books: [BookDTO] = []
    ) {
        self.works = works
        self.editions = editions
        self.authors = authors
        self.totalResults = totalResults
        self.books = books
    }
}

extension BookSearchResponse: JSONWritable {
    package func write(into out: inout JSONWriter) {
        out.object { out in
            out.field("works", works)
            out.field("editions", editions)
            out.field("authors", authors)
            out.field("totalResults", totalResults)
            out.field("books", books)
        }
    }
}
