import Bytes
import Database
import Pipeline
import Syntax

/// The books of calibre's `metadata.db`, ordered by id.
///
/// The database is opened read-only and as immutable: it is not locked and no file is created next to it. The
/// `byte` of a position is the id of the last book, because a database has no byte offset to resume from. A
/// record's raw bytes are its cells as a JSON array.
struct CalibreStream: SingleRecordStream, ~Copyable {
    private(set) var position: Position
    private let limits: RecordLimits
    private let books: Statement
    private let path: String
    /// Number of the user's own columns, behind those of ``CalibreColumn``.
    private let customCount: Int
    /// Stepping a finished statement would start it again.
    private var isAtEnd = false

    /// - Throws: `unusableInput` for a database that is damaged or is not calibre's.
    init(_ path: String, limits: RecordLimits, from start: Position) throws(StageFailure) {
        position = start
        self.limits = limits
        self.path = path
        do throws(SQLiteError) {
            let connection = try Connection(path, .immutable)
            let custom = try CalibreCustomColumn.all(in: connection)
            books = try connection.prepare(Self.query(custom))
            customCount = custom.count
        } catch {
            throw Self.failure(path, error)
        }
        books.bind(1, start.byte)
    }

    mutating func next(arena: inout Arena, cells: inout [Text]) throws(StageFailure) -> Record? {
        guard !isAtEnd else { return nil }
        do throws(SQLiteError) {
            guard try books.step() else {
                isAtEnd = true
                return nil
            }
        } catch {
            throw Self.failure(path, error)
        }
        var row = CellRow<CalibreColumn>()
        var json = JSONWriter()
        var isOverLimit = false
        json.beginArray()
        var custom = Array(repeating: Text.none, count: customCount)
        let ownCount = CalibreColumn.allCases.count
        for index in 0..<ownCount + customCount {
            books.withBytes(Int32(index)) { bytes in
                isOverLimit = isOverLimit || bytes.count > limits.fieldBytes
                let kept = UnsafeRawBufferPointer(rebasing: bytes.prefix(limits.fieldBytes))
                json.string(utf8: kept)
                guard !isOverLimit else { return }
                if index < ownCount {
                    row[CalibreColumn.allCases[index]] = arena.append(kept)
                } else {
                    custom[index - ownCount] = arena.append(kept)
                }
            }
        }
        json.endArray()
        var record = Record(
            position: position, raw: .none, cells: 0..<0, flags: [], rawLength: json.bytes.count,
            isBlank: false)
        if isOverLimit || json.bytes.count > limits.recordBytes {
            record.flags = isOverLimit ? .fieldOverLimit : .recordOverLimit
            record.raw = arena.append(json.bytes.prefix(Reject.keptBytes))
        } else {
            record.raw = arena.append(json.bytes)
            let first = row.append(to: &cells).lowerBound
            cells.append(contentsOf: custom)
            record.cells = first..<cells.count
        }
        position.byte = books.integer(0)
        position.line += 1
        position.record += 1
        return record
    }

    /// The names of all columns of a library.
    static func columns(of path: String) throws(StageFailure) -> [String] {
        do throws(SQLiteError) {
            let custom = try CalibreCustomColumn.all(in: try Connection(path, .immutable))
            return CalibreColumn.names + custom.map(\.name)
        } catch {
            throw failure(path, error)
        }
    }

    private static func failure(_ path: String, _ error: SQLiteError) -> StageFailure {
        StageFailure(
            .unusableInput, "`\(path)` cannot be read as calibre's database: \(error.message).",
            advice: "Check the library with calibre, or export it as CSV.")
    }

    /// One row per book, its columns those of ``CalibreColumn``, then the user's own. Names contain bars in place of commas;
    /// ratings count half stars; calibre writes the year 101 for a missing date.
    private static func query(_ custom: [CalibreCustomColumn]) -> String {
        let own = custom.map { ", (\($0.expression))" }.joined()
        return """
            SELECT b.id, b.title,
              (SELECT group_concat(name, '|') FROM (SELECT replace(a.name, '|', ',') AS name
                FROM books_authors_link l JOIN authors a ON a.id = l.author WHERE l.book = b.id ORDER BY l.id)),
              (SELECT s.name FROM books_series_link l JOIN series s ON s.id = l.series WHERE l.book = b.id),
              (SELECT rtrim(rtrim(printf('%.2f', b.series_index), '0'), '.') FROM books_series_link l
                WHERE l.book = b.id),
              (SELECT val FROM identifiers WHERE book = b.id AND type = 'isbn'),
              (SELECT group_concat(type || ':' || val, ', ') FROM (SELECT type, val FROM identifiers
                WHERE book = b.id ORDER BY type)),
              (SELECT p.name FROM books_publishers_link l JOIN publishers p ON p.id = l.publisher
                WHERE l.book = b.id),
              CASE WHEN b.pubdate < '0102' THEN NULL ELSE substr(b.pubdate, 1, 10) END,
              (SELECT group_concat(code, ', ') FROM (SELECT g.lang_code AS code FROM books_languages_link l
                JOIN languages g ON g.id = l.lang_code WHERE l.book = b.id ORDER BY l.id)),
              (SELECT CASE WHEN r.rating > 0 THEN rtrim(rtrim(printf('%.1f', r.rating / 2.0), '0'), '.') END
                FROM books_ratings_link l JOIN ratings r ON r.id = l.rating WHERE l.book = b.id),
              (SELECT group_concat(name, ', ') FROM (SELECT t.name FROM books_tags_link l
                JOIN tags t ON t.id = l.tag WHERE l.book = b.id ORDER BY t.name)),
              (SELECT group_concat(format, ', ') FROM (SELECT format FROM data WHERE book = b.id ORDER BY format)),
              substr(b.timestamp, 1, 10),
              (SELECT text FROM comments WHERE book = b.id),
              b.uuid\(own)
            FROM books b WHERE b.id > ? ORDER BY b.id
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
