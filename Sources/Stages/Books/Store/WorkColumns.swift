/// The columns of a works row that hold bibliographic values, in the order of the table, each with its field.
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
    /// Column of each field by its raw value; −1 where it has none.
    static let index = Field.columnIndex(fields)
    /// Columns of numbers.
    @inline(__always)
    static func isNumber(_ column: Int) -> Bool { column == 3 }
}

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

extension Field {
    /// Whether its column holds a JSON array, for the field may have several values.
    package var isList: Bool {
        switch self {
        case .genre, .subject, .seriesName, .workGoodreadsID, .workLibraryThingID, .isbn13,
            .editionLibraryThingID, .amazonASIN, .googleBooksVolumeID:
            true
        default: false
        }
    }
    /// Column of each field by its raw value; −1 for fields that are not among these.
    static func columnIndex(_ fields: [Field]) -> [Int8] {
        var index = [Int8](repeating: -1, count: 256)
        for (column, field) in fields.enumerated() { index[Int(field.rawValue)] = Int8(column) }
        return index
    }
}
