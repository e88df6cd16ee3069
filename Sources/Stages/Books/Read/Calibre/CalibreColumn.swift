/// The columns of calibre's database, named as calibre names them in its own CSV.
enum CalibreColumn: Int, FormatColumn {
    case id, title, authors, series, seriesIndex, isbn, identifiers, publisher, pubdate, languages, rating,
        tags
    case formats, timestamp, comments, uuid

    var name: String { self == .seriesIndex ? "series_index" : "\(self)" }

    var field: LibraryField? {
        switch self {
        case .id: .sourceID
        case .title: .title
        case .authors: .author
        case .series: .series
        case .seriesIndex: .seriesNumber
        case .isbn: .isbn13
        case .publisher: .publisher
        case .pubdate: .yearPublished
        case .languages: .language
        case .rating: .rating
        case .tags: .shelves
        case .timestamp: .dateAdded
        default: nil
        }
    }
}
