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
