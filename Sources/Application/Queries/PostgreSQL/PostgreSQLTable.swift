import Books
import Store

/// A table of the PostgreSQL export: the columns of a view of the store.
struct PostgreSQLTable {
    /// PostgreSQL's types.
    enum ColumnType: String {
        case text
        case integer = "bigint"
        case number = "double precision"
        case time = "timestamp with time zone"
    }

    struct Column {
        let name: String
        let type: ColumnType
        /// The table and column that it refers to.
        var refers: String?
    }

    let name: String
    /// The view, or a query in brackets.
    let source: String
    let columns: [Column]
    /// The column that no two rows share; nil if there is none.
    let key: String?

    /// - Parameters:
    ///   - texts: Names of columns in the view's order.
    ///   - others: Columns that are no text.
    private init(
        _ name: String, from source: String? = nil, key: String? = nil, _ names: String,
        _ others: [String: ColumnType] = [:], referring references: [String: String] = [:]
    ) {
        self.name = name
        self.source = source ?? name
        self.key = key
        columns = names.split(separator: " ").map { name in
            let name = String(name)
            return Column(name: name, type: others[name] ?? .text, refers: references[name])
        }
    }

    /// All tables. One that is referred to comes before those that refer to it.
    static let all = [
        PostgreSQLTable(
            "works", from: "works_view", key: "work",
            """
            work title subtitle authors translators series first_published original_language genres subjects \
            description cover open_library wikidata providers quality review_status editions
            """, ["first_published": .integer, "quality": .integer, "editions": .integer]),
        PostgreSQLTable(
            "authors", from: "authors_view", key: "author",
            """
            author name gender nationality region birth_year death_year open_library wikidata identified works
            """, ["birth_year": .integer, "death_year": .integer, "works": .integer]),
        PostgreSQLTable(
            "contributors", from: "(\(contributors))", "work position author role", ["position": .integer],
            referring: ["work": "works (work)", "author": "authors (author)"]),
        PostgreSQLTable(
            "editions", from: "editions_view", key: "edition",
            """
            edition work title subtitle isbn13 isbns publisher published pages format language average_rating \
            ratings_count cover description open_library goodreads librarything asin google_books isbndb \
            providers quality
            """,
            ["pages": .integer, "average_rating": .number, "ratings_count": .integer, "quality": .integer],
            referring: ["work": "works (work)"]),
        PostgreSQLTable(
            "books", key: "entry",
            """
            entry library source source_id title subtitle authors series isbn13 publisher published \
            first_published pages format language original_language genres rating average_rating ratings_count \
            status shelves date_read date_added read_count owned_copies review notes review_status quality work \
            edition date_started earlier_readings location lent_to price condition barcode
            """,
            [
                "entry": .integer, "first_published": .integer, "pages": .integer, "rating": .number,
                "average_rating": .number, "ratings_count": .integer, "read_count": .integer,
                "owned_copies": .integer, "quality": .integer,
            ], referring: ["work": "works (work)", "edition": "editions (edition)"]),
        PostgreSQLTable(
            "readings", "entry library title authors status finished year times rating pages started",
            [
                "entry": .integer, "year": .integer, "times": .integer, "rating": .number, "pages": .integer,
            ], referring: ["entry": "books (entry)"]),
        PostgreSQLTable(
            "shelves", "entry library shelf kind title", ["entry": .integer],
            referring: ["entry": "books (entry)"]),
        PostgreSQLTable("genres", "work title genre", referring: ["work": "works (work)"]),
        PostgreSQLTable(
            "changes", "run job changed_at kind effect id title", ["run": .integer, "changed_at": .time]),
        PostgreSQLTable(
            "problems", "job library kind code file row line field value message entry",
            ["file": .integer, "row": .integer, "line": .integer, "entry": .integer]),
    ]

    /// The people of each work in the order of its record. The views have their names only.
    private static let contributors: String = {
        let roles = ContributorRole.allCases.map { "WHEN \($0.rawValue) THEN '\($0)'" }
        return """
            SELECT \(Keyspaces.uniqueKey(in: "w")) AS work, c.id - (w.id << 16) + 1 AS position, a.key AS author,
                CASE c.role \(roles.joined(separator: " ")) END AS role
            FROM contributors c JOIN works w ON w.id = \(ContributorIDs.work(alias: "c."))
                JOIN authors a ON a.id = c.author
            """
    }()

    /// The query for all rows.
    var query: String { "SELECT \(columns.map(\.name).joined(separator: ", ")) FROM \(source)" }

    /// The statement that creates the table.
    var definition: String {
        let lines = columns.map { column in
            let key = column.name == key ? " PRIMARY KEY" : ""
            let reference = column.refers.map { " REFERENCES \(PostgreSQLExport.schema).\($0)" } ?? ""
            return "    \"\(column.name)\" \(column.type.rawValue)\(key)\(reference)"
        }
        return """
            CREATE TABLE \(PostgreSQLExport.schema).\(name) (
            \(lines.joined(separator: ",\n"))
            );
            """
    }
}
