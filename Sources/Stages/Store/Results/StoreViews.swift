import Books
import Database
import System

/// The views of a store: its tables with readable columns, one row per thing, for people's own queries. They are
/// described in `docs/store.md`; columns are only ever added.
///
/// They hold no data, so a store that is opened for writing gets those of the current version, whatever its
/// schema version.
enum StoreViews {
    /// The views by name. Three names are those of tables, so these views have an ending.
    static let all: [(name: String, select: String)] = [
        ("books", books), ("works_view", works), ("editions_view", editions), ("authors_view", authors),
        ("readings", readings), ("shelves", shelves), ("genres", genres), ("changes", changes),
        ("problems", problems),
    ]

    /// Creates views that are missing, and replaces those of another version.
    static func refresh(in connection: Connection) throws(ETLError) {
        var stored: [String: String] = [:]
        let read = try connection.prepare("SELECT name, sql FROM sqlite_schema WHERE type = 'view'")
        while try read.next() { stored[read.string(0)] = read.string(1) }
        let outdated = all.filter { stored[$0.name] != statement($0) }
        guard !outdated.isEmpty else { return }
        try connection.transaction { () throws(ETLError) in
            for view in outdated {
                try connection.execute("DROP VIEW IF EXISTS \(view.name)")
                try connection.execute(statement(view))
            }
        }
    }

    /// Drops the views, so that the tables can be changed.
    static func drop(in connection: Connection) throws(ETLError) {
        for view in all { try connection.execute("DROP VIEW IF EXISTS \(view.name)") }
    }

    private static func statement(_ view: (name: String, select: String)) -> String {
        "CREATE VIEW \(view.name) AS \(view.select)"
    }

    // MARK: Parts

    /// The names of people of a work who have one of the roles, in the order of its record.
    private static func people(of work: String, roles: [ContributorRole]) -> String {
        let numbers = roles.map { String($0.rawValue) }.joined(separator: ", ")
        return """
            (SELECT group_concat(name, '; ') FROM (SELECT a.name FROM contributors c JOIN authors a ON a.id = c.author
                WHERE \(ContributorIDs.condition(work: work, alias: "c.")) AND c.role IN (\(numbers)) ORDER BY c.id))
            """
    }

    private static func authors(of work: String) -> String {
        people(of: work, roles: [.author, .contributor])
    }

    /// The elements of a stored list, joined with `; `.
    private static func joined(_ list: String) -> String {
        "(SELECT group_concat(value, '; ') FROM json_each(\(list)))"
    }

    /// Series with their numbers: `Earthsea Cycle #1; Earthsea #1`.
    private static func series(_ list: String) -> String {
        """
        (SELECT group_concat(json_extract(value, '$.name')
            || ifnull(' #' || json_extract(value, '$.number'), ''), '; ') FROM json_each(\(list)))
        """
    }

    /// A number's name.
    private static func name(_ column: String, _ names: [String]) -> String {
        let cases = names.enumerated().map { "WHEN \($0) THEN '\($1)'" }
        return "CASE \(column) \(cases.joined(separator: " ")) END"
    }

    private static func time(_ column: String) -> String { "datetime(\(column) / 1000, 'unixepoch')" }

    /// The entries with the tables that name their book.
    private static let entryTables = """
        entries e JOIN libraries l ON l.id = e.library JOIN editions d ON d.id = e.edition
            JOIN works w ON w.id = d.work
        """

    private static let title = ShownTitle.sql

    // MARK: Views

    private static let books = """
        SELECT e.id AS entry, l.name AS library, y.format AS source, e.source_id,
            \(title) AS title, iif(d.title IS NULL, w.subtitle, d.subtitle) AS subtitle,
            \(authors(of: "w.id")) AS authors, \(series("w.series")) AS series,
            CAST(d.isbn AS TEXT) AS isbn13, d.publisher, d.publication_date AS published,
            w.first_publication_year AS first_published, d.page_count AS pages, d.format, d.language,
            w.original_language, \(joined("w.genres")) AS genres,
            e.rating, d.average_rating, d.ratings_count, e.shelf AS status, e.shelves, e.date_read, e.date_added,
            e.read_count, e.owned_copies, e.review, e.notes,
            \(name(EntryMatches.reviewStatus(entry: "e", work: "w"), ReviewStatus.allCases.map(\.contractName))) AS review_status,
            w.quality, \(Keyspaces.uniqueKey(in: "w")) AS work, \(Keyspaces.uniqueKey(in: "d")) AS edition, e.date_started,
            \(joined("e.earlier_readings")) AS earlier_readings, e.location, e.lent_to, e.price, e.condition, e.barcode
        FROM \(entryTables) JOIN layouts y ON y.id = e.layout
        """

    private static let works = """
        SELECT \(Keyspaces.uniqueKey(in: "w")) AS work, w.title, w.subtitle, \(authors(of: "w.id")) AS authors,
            \(people(of: "w.id", roles: [.translator])) AS translators, \(series("w.series")) AS series,
            w.first_publication_year AS first_published, w.original_language, \(joined("w.genres")) AS genres,
            \(joined("w.subjects")) AS subjects, w.description, w.cover, w.open_library, w.wikidata,
            \(joined("w.providers")) AS providers, w.quality,
            \(name("w.review_status", ReviewStatus.allCases.map(\.contractName))) AS review_status,
            (SELECT count(*) FROM editions d WHERE d.id = w.id AND d.work = w.id)
                + (SELECT count(*) FROM editions d WHERE d.work = w.id AND d.work <> d.id) AS editions
        FROM works w
        """

    private static let editions = """
        SELECT \(Keyspaces.uniqueKey(in: "d")) AS edition, \(Keyspaces.uniqueKey(in: "w")) AS work, \(title) AS title, d.subtitle,
            CAST(d.isbn AS TEXT) AS isbn13, \(joined("d.isbns")) AS isbns, d.publisher,
            d.publication_date AS published, d.page_count AS pages, d.format, d.language, d.average_rating,
            d.ratings_count, d.cover, d.description, d.open_library, d.goodreads,
            \(joined("d.librarything")) AS librarything, \(joined("d.asin")) AS asin,
            \(joined("d.google_books")) AS google_books, d.isbndb, \(joined("d.providers")) AS providers, d.quality
        FROM editions d JOIN works w ON w.id = d.work
        """

    /// Authors that no work names any more are left out.
    private static let authors = """
        SELECT a.key AS author, a.name, \(name("a.gender", AuthorGender.allCases.map(\.contractName))) AS gender,
            a.nationality, \(name("a.region", CulturalRegion.allCases.map(\.contractName))) AS region,
            a.birth_year, a.death_year, a.open_library, a.wikidata,
            iif(a.identification BETWEEN 1 AND 5, 'yes', 'no') AS identified, n.works
        FROM (SELECT author, count(*) AS works FROM contributors GROUP BY author) n
            JOIN authors a ON a.id = n.author
        """

    /// The year of a stored date; NULL for a text that is no date.
    private static func year(_ date: String) -> String {
        "iif(\(StoredReadings.hasYear(date)), CAST(substr(\(date), 1, 4) AS INTEGER), NULL)"
    }

    /// One row per reading, as ``StoredReadings`` orders them: the earlier ones, the last finished one, and the
    /// one that is going on. Readings of which only the number is known are counted by the last finished one.
    private static let readings: String = {
        let isGoingOn = StoredReadings.isGoingOn("e")
        let isStarted = "e.date_started IS NOT NULL AND (e.date_read IS NULL OR \(isGoingOn))"
        let parts: [(started: String, finished: String, times: String, source: String)] = [
            (
                "iif(instr(j.value, '/'), nullif(substr(j.value, 1, instr(j.value, '/') - 1), ''), NULL)",
                "nullif(substr(j.value, instr(j.value, '/') + 1), '')", "1",
                "\(entryTables), json_each(e.earlier_readings) j"
            ),
            (
                "iif(\(isGoingOn), NULL, e.date_started)", "e.date_read",
                "max(1, ifnull(e.read_count, 1) - ifnull(json_array_length(e.earlier_readings), 0))",
                """
                \(entryTables) WHERE (e.date_read GLOB '[0-9][0-9][0-9][0-9]*' OR e.shelf = 'read' OR e.read_count > 0)
                    AND NOT (\(isGoingOn) AND \(StoredReadings.isListed("e")))
                    AND (e.date_read IS NOT NULL OR NOT (\(isStarted)))
                """
            ),
            ("e.date_started", "NULL", "1", "\(entryTables) WHERE \(isStarted)"),
        ]
        return parts.map { part in
            """
            SELECT e.id AS entry, l.name AS library, \(title) AS title, \(authors(of: "w.id")) AS authors,
                e.shelf AS status, \(part.finished) AS finished,
                \(year(part.finished)) AS year, \(part.times) AS times, e.rating,
                d.page_count AS pages, \(part.started) AS started
            FROM \(part.source)
            """
        }.joined(separator: "\nUNION ALL\n")
    }()

    /// The reading status, and each of the comma-separated shelves.
    private static let shelves = """
        SELECT e.id AS entry, l.name AS library, e.shelf AS shelf, 'status' AS kind, \(title) AS title
        FROM \(entryTables) WHERE e.shelf IS NOT NULL
        UNION ALL
        SELECT e.id, l.name, trim(s.value), 'shelf', \(title)
        FROM \(entryTables), json_each('[' || replace(json_quote(e.shelves), ',', '","') || ']') s
        WHERE e.shelves IS NOT NULL AND trim(s.value) NOT IN ('', ifnull(e.shelf, ''))
        """

    private static let genres = """
        SELECT \(Keyspaces.uniqueKey(in: "w")) AS work, \(ShownTitle.sql(ofWork: "w")) AS title, g.value AS genre FROM works w, json_each(w.genres) g
        """

    /// The rows that runs added, and those that they changed or removed.
    private static let changes =
        ["entries", "works", "editions", "authors"].map { table in
            let kind = ["entries": "entry"][table] ?? String(table.dropLast())
            let key = table == "entries" ? "source_id" : "key"
            let title: String =
                switch table {
                case "entries":
                    "(SELECT \(Self.title) FROM editions d JOIN works w ON w.id = d.work WHERE d.id = t.edition)"
                case "authors": "t.name"
                default: "t.title"
                }
            let span = table == "authors" ? "first_author" : "first_row"
            return """
                SELECT r.id AS run, j.name AS job, \(time("r.started_at")) AS changed_at, '\(kind)' AS kind,
                    'added' AS effect, t.\(key) AS id, \(title) AS title
                FROM \(table) t JOIN runs r ON r.id = (SELECT max(id) FROM runs WHERE \(span) <= t.id)
                    JOIN jobs j ON j.id = r.job
                UNION ALL
                SELECT r.id, j.name, \(time("r.started_at")), '\(kind)',
                    CASE WHEN NOT t.present THEN 'restored'
                        WHEN EXISTS (SELECT 1 FROM \(table) n WHERE n.id = t.id) THEN 'changed' ELSE 'removed' END,
                    t.\(key), \(title)
                FROM before_\(table) t JOIN runs r ON r.id = t.run JOIN jobs j ON j.id = r.job
                """
        }.joined(separator: "\nUNION ALL\n")

    private static let problems = """
        SELECT j.name AS job, l.name AS library, 'rejected' AS kind, p.code, p.file, p.row, p.line, p.field, p.value,
            p.message, NULL AS entry
        FROM rejects p JOIN jobs j ON j.id = p.job JOIN libraries l ON l.id = j.library
        WHERE j.undone_by IS NULL
        UNION ALL
        SELECT j.name, l.name, 'warning', p.code, p.file, p.row, p.line, p.field, p.value, p.message, p.entry
        FROM warnings p JOIN jobs j ON j.id = p.job JOIN libraries l ON l.id = j.library
        WHERE j.undone_by IS NULL
        UNION ALL
        SELECT j.name, l.name, 'pending', p.reasons, p.file, p.row, NULL, NULL, NULL, NULL, NULL
        FROM pending p JOIN jobs j ON j.id = p.job JOIN libraries l ON l.id = j.library
        WHERE j.undone_by IS NULL
        """
}
