public import BooksTrack
import Foundation

/// A book on the user's shelf.
public struct ShelfBook: Sendable, Hashable {
    /// The title.
    public var title: String
    /// Names, first author first.
    public var authors: [String]
    /// The ISBN-13; nil if the book has none.
    public var isbn: String?
    /// Number of pages, if known.
    public var pages: Int?
    /// The address of a cover, if known.
    public var cover: String?
    /// The user's own words, which no import changes.
    public var note = ""

    /// A book as the service knows it.
    public init(_ book: Book) {
        title = book.title
        authors = book.authors
        isbn = book.isbn13 ?? (book.isbn.isEmpty ? nil : book.isbn)
        pages = book.pageCount
        cover = book.coverURL?.absoluteString
    }

    /// Fills missing values.
    public mutating func add(_ book: Book) {
        let other = ShelfBook(book)
        if authors.isEmpty { authors = other.authors }
        isbn = isbn ?? other.isbn
        pages = pages ?? other.pages
        cover = cover ?? other.cover
    }
}
