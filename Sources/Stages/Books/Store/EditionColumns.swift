/// The columns of an editions row that hold bibliographic values, in the order of the table, each with its field.
package enum EditionColumns {
    package static let fields: [Field] = [
        .isbn13, .editionTitle, .editionSubtitle, .publisher, .publicationDate, .pageCount, .format,
        .language,
        .editionCover, .editionDescription, .editionKey, .editionGoodreadsID, .editionLibraryThingID,
        .amazonASIN,
        .googleBooksVolumeID, .isbndbID, .averageRating, .ratingsCount,
    ]
    package static let names = [
        "isbns", "title", "subtitle", "publisher", "publication_date", "page_count", "format", "language",
        "cover",
        "description", "open_library", "goodreads", "librarything", "asin", "google_books", "isbndb",
        "average_rating", "ratings_count",
    ]
    static let count = fields.count
    static let index = Field.columnIndex(fields)
    /// Columns that say what other readers think: their change makes no record updated (contract.md section 5a).
    @inline(__always)
    static func isCommunity(_ column: Int) -> Bool { column == 16 || column == 17 }
    /// The column of numbers with fractions.
    @inline(__always)
    static func isReal(_ column: Int) -> Bool { column == 16 }
    /// Columns of numbers.
    @inline(__always)
    static func isNumber(_ column: Int) -> Bool { column == 5 || column == 16 || column == 17 }
}
