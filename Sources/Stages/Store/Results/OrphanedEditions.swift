import Bytes
import Database
import System

/// Editions whose entry moved to another edition because an export has a new ISBN for its id.
///
/// They stay until the job is complete, because another record may be about one of them. Then those that no
/// entry uses are removed, with works and authors that nothing else refers to. So neither the order of
/// records nor a kill in between affects the result.
struct OrphanedEditions {
    private let connection: Connection

    static let tables = """
        -- Editions that an entry has left since the last job was completed.
        CREATE TABLE left_editions(edition INTEGER PRIMARY KEY);
        """

    init(_ connection: Connection) { self.connection = connection }

    /// Removes the editions that no entry uses, in the caller's transaction.
    ///
    /// There is no index for these queries on entries, contributors and the editions' ISBNs, so each table is
    /// scanned once.
    ///
    /// - Parameter indexes: Indexes whose keys are all on disk.
    func remove(from indexes: LibraryIndexes) throws(ETLError) {
        guard try connection.integer("SELECT 1 FROM left_editions LIMIT 1") != nil else { return }
        try connection.execute(
            """
            DELETE FROM left_editions WHERE edition IN
                (SELECT edition FROM entries WHERE edition IN (SELECT edition FROM left_editions));
            CREATE TEMP TABLE left_works(id INTEGER PRIMARY KEY);
            CREATE TEMP TABLE left_authors(id INTEGER PRIMARY KEY);
            INSERT OR IGNORE INTO left_works SELECT work FROM editions WHERE \(Self.isLeft("editions"))
            """)
        let numbers = try forgetEditions(in: indexes)
        try Refreshes.drop(where: "edition IN (SELECT edition FROM left_editions)", in: connection)
        try connection.execute("DELETE FROM editions WHERE \(Self.isLeft("editions"))")
        try handOver(numbers, in: indexes)
        try indexes.writeChanges()
        try connection.execute(
            """
            DELETE FROM left_works WHERE EXISTS (
                SELECT 1 FROM editions e WHERE \(EditionsOfWork.condition(work: "left_works.id", alias: "e.")))
            """)
        try forgetWorks(in: indexes)
        let ofWork = "contributors c ON \(ContributorIDs.condition(work: "w.id", alias: "c."))"
        try connection.execute(
            """
            INSERT OR IGNORE INTO left_authors SELECT c.author FROM left_works w JOIN \(ofWork);
            DELETE FROM contributors WHERE id IN (SELECT c.id FROM left_works w JOIN \(ofWork));
            DELETE FROM aliases WHERE work IN (SELECT id FROM left_works);
            DELETE FROM works WHERE \(Self.isLeft("works"));
            DELETE FROM edits WHERE \(EditIDs.condition(rowIn: "SELECT id FROM left_works", .work));
            DELETE FROM edits WHERE \(EditIDs.condition(rowIn: "SELECT edition FROM left_editions", .edition));
            DELETE FROM left_authors WHERE id IN
                (SELECT author FROM contributors WHERE author IN (SELECT id FROM left_authors))
            """)
        try forgetAuthors(in: indexes)
        try connection.execute(
            """
            DELETE FROM authors WHERE \(Self.isLeft("authors"));
            DELETE FROM left_editions;
            DROP TABLE temp.left_works;
            DROP TABLE temp.left_authors
            """)
    }

    private static func isLeft(_ table: String) -> String {
        table == "editions"
            ? "id IN (SELECT edition FROM left_editions)" : "id IN (SELECT id FROM left_\(table))"
    }

    // MARK: Keys

    /// - Returns: The ISBNs of the editions, in their keyspaces.
    private func forgetEditions(in indexes: LibraryIndexes) throws(ETLError) -> Set<Int64> {
        var numbers: Set<Int64> = []
        try StoredKeys(connection: connection, keyspaces: indexes.keyspaces).visit(
            .editions, where: Self.isLeft("editions")
        ) { (key, row) throws(ETLError) in
            try indexes.remove(key, of: row)
            if case .isbn(let number) = key { numbers.insert(number) }
        }
        return numbers
    }

    /// Points those ISBNs that no longer lead to an edition to the first remaining edition that has them, as a
    /// rebuilt index would (``LibraryIndexes``).
    ///
    /// - Parameter numbers: ISBNs in their keyspaces.
    func handOver(_ numbers: Set<Int64>, in indexes: LibraryIndexes) throws(ETLError) {
        var numbers = numbers
        for number in numbers where try indexes.row(of: .isbn(number)) != nil { numbers.remove(number) }
        let rows = try connection.prepare("SELECT id, isbns FROM editions ORDER BY id")
        // A table cannot be dropped while its rows are being read.
        defer { rows.reset() }
        while !numbers.isEmpty, try rows.next() {
            let row = rows.integer(0)
            let space = indexes.keyspaces.space(ofRow: row)
            for isbn in rows.withBytes(1, { StoredList.isbn13s($0) })
            where numbers.remove(space.key(isbn)) != nil {
                try indexes.change(.isbn(space.key(isbn)), of: row)
            }
        }
    }

    private func forgetWorks(in indexes: LibraryIndexes) throws(ETLError) {
        let rows = try connection.prepare(
            """
            SELECT id, key FROM works WHERE \(Self.isLeft("works"))
            UNION ALL SELECT id, 'ol:' || open_library FROM works
                WHERE \(Self.isLeft("works")) AND open_library IS NOT NULL
            UNION ALL SELECT work, key FROM aliases WHERE work IN (SELECT id FROM left_works)
            """)
        while try rows.next() {
            let (row, key) = (rows.integer(0), WorkAlias.key(ofStored: rows.string(1)))
            guard key.hasPrefix("ol:") else { continue }
            let space = indexes.keyspaces.space(ofRow: row)
            try indexes.remove(.text(space.key(TextKey(key)), .works), of: row)
        }
    }

    private func forgetAuthors(in indexes: LibraryIndexes) throws(ETLError) {
        let rows = try connection.prepare("SELECT id, key FROM authors WHERE \(Self.isLeft("authors"))")
        while try rows.next() { try indexes.authors.remove(TextKey(rows.string(1)), of: rows.integer(0)) }
    }
}

/// The libraries that have a work.
package enum LibrariesOfWork {
    /// A query with a row if a library has the work `?1`.
    ///
    /// - Parameter comparison: How its name compares with `?2`: `=` for that library, `<>` for any other.
    package static func query(_ comparison: String) -> String {
        """
        SELECT 1 FROM entries e JOIN libraries l ON l.id = e.library WHERE l.name \(comparison) ?2
        AND e.edition IN (SELECT id FROM editions WHERE \(EditionsOfWork.condition(work: "?1"))) LIMIT 1
        """
    }
}

/// The editions of a work: the one created with it, which has its id, and the others, which an index finds.
package enum EditionsOfWork {
    /// The SQL condition for the editions of a work.
    ///
    /// - Parameters:
    ///   - work: The work's id, an SQL expression.
    ///   - alias: The table's alias, followed by a period.
    package static func condition(work: String, alias: String = "") -> String {
        // Each side repeats the whole condition, so that SQLite finds one edition by its id and the others by
        // their index.
        """
        ((\(alias)id = \(work) AND \(alias)work = \(work))
            OR (\(alias)work = \(work) AND \(alias)work <> \(alias)id))
        """
    }
}
