package import Books
import Bytes
package import Syntax
package import System

/// Readarr's database, `readarr.db`, extracted from a backup.
///
/// Readarr lists all books of an author. Those that are neither monitored nor have a file are not part of the
/// library. A monitored book without a file is on the shelf `wanted`; one with files counts as owned.
package struct Readarr: StructuredFormat {
    package let name = "readarr"

    package init() {}

    package func evidence(in head: [UInt8]) -> String? {
        DatabaseStream.evidence(
            of: "Readarr", tables: ["SeriesBookLink", "AuthorMetadata", "ForeignEditionId"], in: head)
    }

    package func columns(of file: InputFile) -> [String] { ReadarrColumn.names }

    package var described: [DescribedColumn] { ReadarrColumn.described }

    package func fields(_ header: HeaderNames) -> [LibraryField: Int] { ReadarrColumn.fields }

    package func records(
        of file: InputFile, index: Int, limits: RecordLimits, from start: Position
    ) throws(ETLError) -> any RecordStream & ~Copyable {
        try DatabaseStream.checkIsPlain(file)
        return try DatabaseStream(
            file.path, ReadarrColumn.query, columns: ReadarrColumn.allCases.count, of: "Readarr",
            "Make a backup in Readarr, extract it, and import its readarr.db.", limits: limits, from: start)
    }

    package func cells(ofRaw raw: [UInt8]) -> [[UInt8]]? { DatabaseStream.cells(ofRaw: raw) }

    package func interpret(_ row: inout LibraryRow, in rows: inout LibraryRows) {
        rows.readTitle(of: &row)
        rows.readSeriesColumn(of: &row)
        rows.readPeople(of: &row, names: ReadarrColumn.author.rawValue, roles: nil, order: .unknown)
        rows.readFormat(of: &row)
        rows.readLanguage(of: &row)
        rows.readSubjects(of: &row)
        rows.checkDatesAndCounts(of: &row)
    }
}

/// The columns that are read from Readarr's tables. Numbers of books and editions are those of Goodreads.
private enum ReadarrColumn: Int, FormatColumn {
    case id, bookID, editionID, title, author, series, position, isbn13, asin, publisher, released, pages
    case language, format, genres, rating, added, files, shelves, monitored

    var name: String {
        switch self {
        case .bookID: "foreign_book_id"
        case .editionID: "foreign_edition_id"
        default: "\(self)"
        }
    }

    var field: LibraryField? {
        switch self {
        case .bookID: .sourceID
        case .editionID: .goodreadsBook
        case .title: .title
        case .author: .author
        case .series: .series
        case .position: .seriesNumber
        case .isbn13: .isbn13
        case .asin: .asin
        case .publisher: .publisher
        case .released: .yearPublished
        case .pages: .pageCount
        case .language: .language
        case .format: .binding
        case .genres: .subjects
        case .rating: .averageRating
        case .added: .dateAdded
        case .files: .ownedCopies
        case .shelves: .shelves
        case .id, .monitored: nil
        }
    }

    /// One row per book of the library, with its monitored edition, else its first one. A book with files counts as
    /// one copy, because an audiobook has a file for each chapter.
    static let query = """
        WITH chosen AS (
          SELECT b.*, (SELECT e.Id FROM Editions e WHERE e.BookId = b.Id ORDER BY e.Monitored DESC, e.Id LIMIT 1)
              AS edition,
            EXISTS (SELECT 1 FROM BookFiles f JOIN Editions e ON e.Id = f.EditionId WHERE e.BookId = b.Id) AS owned
          FROM Books b)
        SELECT b.Id, b.ForeignBookId, e.ForeignEditionId, coalesce(nullif(e.Title, ''), b.Title), m.Name,
          (SELECT s.Title FROM SeriesBookLink l JOIN Series s ON s.Id = l.SeriesId WHERE l.BookId = b.Id
            ORDER BY l.IsPrimary DESC, l.Id LIMIT 1),
          (SELECT l.Position FROM SeriesBookLink l WHERE l.BookId = b.Id ORDER BY l.IsPrimary DESC, l.Id LIMIT 1),
          e.Isbn13, e.Asin, e.Publisher, substr(coalesce(e.ReleaseDate, b.ReleaseDate), 1, 10),
          nullif(e.PageCount, 0), e.Language,
          coalesce(nullif(e.Format, ''), CASE WHEN e.IsEbook THEN 'ebook' END),
          (SELECT group_concat(value, '; ') FROM json_each(iif(json_valid(b.Genres), b.Genres, '[]'))),
          nullif(json_extract(iif(json_valid(b.Ratings), b.Ratings, '{}'), '$.value'), 0),
          substr(b.Added, 1, 10), iif(b.owned, 1, NULL),
          iif(b.owned, NULL, 'wanted'), iif(b.Monitored, 'true', 'false')
        FROM chosen b LEFT JOIN Editions e ON e.Id = b.edition
          LEFT JOIN AuthorMetadata m ON m.Id = b.AuthorMetadataId
        WHERE b.Id > ? AND (b.Monitored OR b.owned) ORDER BY b.Id
        """
}
