import Books

/// The columns of BookWyrm's archive. Those that the CSV has too have the same names.
enum BookWyrmColumn: Int, FormatColumn {
    case remoteID, title, subtitle, authors, series, seriesNumber, isbn13, isbn10, openLibraryKey
    case libraryThingKey, goodreadsKey, asin, oclcNumber, publisher, published, firstPublished, pages, format
    case language, subjects, shelf, shelves, rating, reviewName, reviewWarning, review, readings
    case lists, comments, quotations

    var name: String {
        switch self {
        case .remoteID: "remote_id"
        case .seriesNumber: "series_number"
        case .isbn13: "isbn_13"
        case .isbn10: "isbn_10"
        case .openLibraryKey: "openlibrary_key"
        case .libraryThingKey: "librarything_key"
        case .goodreadsKey: "goodreads_key"
        case .oclcNumber: "oclc_number"
        case .firstPublished: "first_published"
        case .reviewName: "review_name"
        case .reviewWarning: "review_cw"
        case .review: "review_content"
        default: "\(self)"
        }
    }

    var field: LibraryField? {
        switch self {
        case .remoteID: .sourceID
        case .title: .title
        case .subtitle: .subtitle
        case .authors: .author
        case .series: .series
        case .seriesNumber: .seriesNumber
        case .isbn13: .isbn13
        case .isbn10: .isbn10
        case .openLibraryKey: .openLibraryEdition
        case .libraryThingKey: .libraryThingWork
        case .goodreadsKey: .goodreadsBook
        case .asin: .asin
        case .oclcNumber: .oclcNumber
        case .publisher: .publisher
        case .published: .yearPublished
        case .firstPublished: .originalYear
        case .pages: .pageCount
        case .format: .binding
        case .language: .language
        case .subjects: .subjects
        case .shelf: .exclusiveShelf
        case .shelves: .shelves
        case .rating: .rating
        case .review: .review
        case .readings: .dateRead
        case .reviewName, .reviewWarning, .lists, .comments, .quotations: nil
        }
    }
}
