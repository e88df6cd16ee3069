import Books
import Database
import Syntax
import System

/// The books of calibre's `metadata.db`, ordered by id.
enum CalibreBooks {
    /// The text of calibre for a missing author.
    static let unknownAuthor = "Unknown"
    private static let advice: UserText = "Check the library with calibre, or export it as CSV."

    /// - Throws: `unusableInput` for a database that is damaged or is not calibre's.
    static func records(
        of path: String, limits: RecordLimits, from start: Position
    ) throws(ETLError) -> DatabaseStream {
        let custom = try customColumns(of: path)
        return try DatabaseStream(
            path, query(custom), columns: CalibreColumn.allCases.count + custom.count, of: "calibre", advice,
            limits: limits, from: start)
    }

    /// The names of all columns of a library.
    static func columns(of path: String) throws(ETLError) -> [String] {
        try CalibreColumn.names + customColumns(of: path).map(\.name)
    }

    private static func customColumns(of path: String) throws(ETLError) -> [CalibreCustomColumn] {
        do throws(ETLError) {
            return try CalibreCustomColumn.all(in: try Connection(path, .immutable))
        } catch {
            throw DatabaseStream.failure(path, of: "calibre", advice, error)
        }
    }

    /// One row per book, its columns those of ``CalibreColumn``, then the user's own. Names contain bars in place of
    /// commas; ratings count half stars; calibre writes the author Unknown and the year 101 for missing values.
    static func query(_ custom: [CalibreCustomColumn]) -> String {
        let own = custom.map { ", (\($0.expression))" }.joined()
        return """
            SELECT b.id, b.title,
              (SELECT group_concat(name, '|') FROM (SELECT replace(a.name, '|', ',') AS name
                FROM books_authors_link l JOIN authors a ON a.id = l.author WHERE l.book = b.id AND a.name <> '\(unknownAuthor)'
                ORDER BY l.id)),
              (SELECT s.name FROM books_series_link l JOIN series s ON s.id = l.series WHERE l.book = b.id),
              (SELECT rtrim(rtrim(printf('%.2f', b.series_index), '0'), '.') FROM books_series_link l
                WHERE l.book = b.id),
              (SELECT val FROM identifiers WHERE book = b.id AND type = 'isbn'),
              (SELECT group_concat(type || ':' || val, ', ') FROM (SELECT type, val FROM identifiers
                WHERE book = b.id ORDER BY type)),
              (SELECT p.name FROM books_publishers_link l JOIN publishers p ON p.id = l.publisher
                WHERE l.book = b.id),
              \(CalibreDate.day("b.pubdate")),
              (SELECT group_concat(code, ', ') FROM (SELECT g.lang_code AS code FROM books_languages_link l
                JOIN languages g ON g.id = l.lang_code WHERE l.book = b.id ORDER BY l.id)),
              (SELECT CASE WHEN r.rating > 0 THEN rtrim(rtrim(printf('%.1f', r.rating / 2.0), '0'), '.') END
                FROM books_ratings_link l JOIN ratings r ON r.id = l.rating WHERE l.book = b.id),
              (SELECT group_concat(name, ', ') FROM (SELECT t.name FROM books_tags_link l
                JOIN tags t ON t.id = l.tag WHERE l.book = b.id ORDER BY t.name)),
              (SELECT group_concat(format, ', ') FROM (SELECT format FROM data WHERE book = b.id ORDER BY format)),
              \(CalibreDate.day("b.timestamp")),
              (SELECT text FROM comments WHERE book = b.id),
              b.uuid\(own)
            FROM books b WHERE b.id > ? ORDER BY b.id
            """
    }
}

/// Dates in calibre's database.
enum CalibreDate {
    /// The day of a date as an expression of SQL.
    ///
    /// calibre stores the beginning of the user's day in UTC. East of Greenwich, that is the evening before.
    /// Other times of day are those of an event, which stay on their day. The year 101 stands for a missing date. Its
    /// column has numeric affinity, so a whole date compared with a text of digits would be greater than any.
    static func day(_ value: String) -> String {
        """
        CASE WHEN substr(\(value), 1, 4) > '0101' THEN
          ifnull(date(substr(\(value), 1, 10), iif(substr(\(value), 12, 2) >= '12'
            AND substr(\(value), 15, 5) IN ('00:00', '15:00', '30:00'), '+1 day', '+0 days')), substr(\(value), 1, 10))
        END
        """
    }
}

/// The columns of calibre's database, named as in calibre's own CSV.
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
