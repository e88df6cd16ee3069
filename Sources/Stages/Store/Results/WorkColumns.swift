package import Books

/// The columns of `works` with bibliographic values, in the table's order, and the field of each.
package enum WorkColumns {
    package static let fields: [Field] = [
        .title, .subtitle, .description, .firstPublicationYear, .originalLanguage, .workCover, .genre,
        .subject,
        .seriesName, .workKey, .workGoodreadsID, .workLibraryThingID, .workWikidata,
    ]
    package static let names = [
        "title", "subtitle", "description", "first_publication_year", "original_language", "cover", "genres",
        "subjects", "series", "open_library", "goodreads", "librarything", "wikidata",
    ]
    package static let count = fields.count
    /// The column of each field by the field's raw value; −1 if it has none.
    static let index = Field.columnIndex(fields)
    /// Columns with numbers.
    @inline(__always)
    static func isNumber(_ column: Int) -> Bool { column == 3 }
    /// No column has fractional numbers.
    @inline(__always)
    static func isReal(_ column: Int) -> Bool { false }
}

/// The columns of `editions` with bibliographic values, in the table's order, and the field of each.
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
    /// Community columns: ratings by other people. A change there does not make a record count as updated.
    @inline(__always)
    static func isCommunity(_ column: Int) -> Bool { column == 16 || column == 17 }
    /// The column with fractional numbers.
    @inline(__always)
    static func isReal(_ column: Int) -> Bool { column == 16 }
    /// Columns with numbers.
    @inline(__always)
    static func isNumber(_ column: Int) -> Bool { column == 5 || column == 16 || column == 17 }
}

extension Field {
    /// The column of each field by the field's raw value; −1 for fields not in the list.
    static func columnIndex(_ fields: [Field]) -> [Int8] {
        var index = [Int8](repeating: -1, count: 256)
        for (column, field) in fields.enumerated() { index[Int(field.rawValue)] = Int8(column) }
        return index
    }
}
