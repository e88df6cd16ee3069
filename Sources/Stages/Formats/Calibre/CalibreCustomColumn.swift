import Books
import Bytes
import Database
import System

/// A column that the user has added to a calibre library: `#genre`, `#date_read`.
struct CalibreCustomColumn {
    /// Its name as in calibre's own CSV, with a number sign.
    let name: String
    /// Its value for a book `b`, as calibre writes it into CSV.
    let expression: String

    /// More are not read: SQLite limits the columns of a query.
    private static let most = 500

    /// The columns of a library, by id. Columns that calibre computes have no values.
    static func all(in connection: borrowing Connection) throws(ETLError) -> [Self] {
        var tables: Set<String> = []
        let names = try connection.prepare("SELECT name FROM sqlite_schema WHERE type = 'table'")
        while try names.next() { tables.insert(names.string(0)) }
        guard tables.contains("custom_columns") else { return [] }
        var columns: [Self] = []
        let read = try connection.prepare(
            "SELECT id, label, datatype, normalized, is_multiple FROM custom_columns WHERE NOT mark_for_delete ORDER BY id"
        )
        while try read.next(), columns.count < most {
            let (id, kind) = (read.integer(0), read.string(2))
            let table = "custom_column_\(id)"
            let link = "books_\(table)_link"
            let isNormalized = read.integer(3) != 0
            guard kind != "composite", tables.contains(table), !isNormalized || tables.contains(link) else {
                continue
            }
            let expression =
                isNormalized
                ? normalized(kind, table, link, separator: read.integer(4) != 0 ? ", " : "; ")
                : "SELECT \(text(kind, "v.value")) FROM \(table) v WHERE v.book = b.id"
            columns.append(CalibreCustomColumn(name: "#" + read.string(1), expression: expression))
        }
        return columns
    }

    private static func normalized(
        _ kind: String, _ table: String, _ link: String, separator: String
    ) -> String {
        let value = kind == "series" ? "v.value || ifnull(' [' || l.extra || ']', '')" : text(kind, "v.value")
        return """
            SELECT group_concat(value, '\(separator)') FROM (SELECT \(value) AS value FROM \(link) l
              JOIN \(table) v ON v.id = l.value WHERE l.book = b.id ORDER BY l.id)
            """
    }

    /// A value of a kind as text. Ratings count half stars, and calibre writes the year 101 for a missing date.
    private static func text(_ kind: String, _ value: String) -> String {
        switch kind {
        case "bool": "CASE \(value) WHEN 1 THEN 'True' WHEN 0 THEN 'False' END"
        case "datetime": CalibreDate.day(value)
        case "rating":
            "CASE WHEN \(value) > 0 THEN rtrim(rtrim(printf('%.1f', \(value) / 2.0), '0'), '.') END"
        default: value
        }
    }
}

/// Meaning of users' own columns, by their names, in calibre's database and in its CSV.
enum CalibreCustomFields {
    /// The user's own notes about a book. Everything else about it is in calibre's own columns.
    private static let wanted: Set<LibraryField> = [
        .dateRead, .dateStarted, .exclusiveShelf, .readCount, .pageCount, .review, .privateNotes,
        .originalYear,
        .purchaseDate, .ownedCopies, .location, .lentTo, .price, .condition, .barcode, .subjects,
        .originalLanguage,
    ]

    /// The fields of calibre's own columns, and of those columns that begin with a number sign if a field has no
    /// column yet.
    static func fields(_ header: HeaderNames, after known: [LibraryField: Int]) -> [LibraryField: Int] {
        let own = header.names.map { $0.hasPrefix("#") ? String($0.dropFirst()) : "" }
        var fields = ColumnNames.standard.fields(HeaderNames(own)).filter {
            wanted.contains($0.key) && known[$0.key] == nil && !own[$0.value].isEmpty
        }
        if fields[.exclusiveShelf] == nil, known[.exclusiveShelf] == nil {
            fields[.exclusiveShelf] = own.firstIndex { ReadingStatus($0) == .read }
        }
        return known.merging(fields) { first, _ in first }
    }
}

extension LibraryRows {
    /// Reads the fields of users' own columns. A column such as `#read` says yes or no, or when.
    mutating func readCalibreCustomFields(of row: inout LibraryRow) {
        let status = cell(.exclusiveShelf, of: row)
        if !status.isEmpty {
            if let isRead = arena.withBytes(status, { YesNo.read($0) }) {
                let name = isRead ? arena.append(ReadingStatus.read.rawValue) : .none
                read(.exclusiveShelf, as: name, of: &row)
            } else if arena.withBytes(status, { CalendarDate($0) != nil }) {
                read(.exclusiveShelf, as: arena.append(ReadingStatus.read.rawValue), of: &row)
                if cell(.dateRead, of: row).isEmpty { read(.dateRead, as: status, of: &row) }
            } else {
                readShelf(of: &row)
            }
        }
        readSubjects(of: &row)
        readLanguage(.originalLanguage, of: &row)
        readYesNo(.ownedCopies, of: &row)
        readYesNo(.readCount, of: &row)
    }
}
