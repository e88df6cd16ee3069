package import BooksTrackClient

/// A book on the user's shelf.
package struct ShelfBook: Sendable, Hashable {
    /// The title.
    package var title: String
    /// Names, first author first.
    package var authors: [String]
    /// The ISBN-13; nil if the book has none.
    package var isbn: String?
    /// Number of pages, if known.
    package var pages: Int?
    /// The address of a cover, if known.
    package var cover: String?
    /// The user's own words, which no import changes.
    package var note = ""

    /// A book as the service knows it.
    package init(_ book: Book) {
        title = book.title
        authors = book.authors
        isbn = book.isbn13 ?? (book.isbn.isEmpty ? nil : book.isbn)
        pages = book.pageCount
        cover = book.coverUrl
    }

    /// Fills what is missing.
    package mutating func add(_ book: Book) {
        let other = ShelfBook(book)
        if authors.isEmpty { authors = other.authors }
        isbn = isbn ?? other.isbn
        pages = pages ?? other.pages
        cover = cover ?? other.cover
    }
}
