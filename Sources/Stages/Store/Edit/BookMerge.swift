import Books
import Bytes
import Database
import System

/// Combines works, or takes editions out of a work, as the user asks, in the caller's transaction.
///
/// Either way the editions concerned are locked to their work, so that no later record moves them
/// (``RecordWriter``).
struct BookMerge {
    private let tables: LibraryTables
    private let connection: Connection
    private let now: Int64

    /// Reads the locks, and which works have aliases, once for any number of merges.
    ///
    /// - Parameter now: Milliseconds since 1970.
    init(_ tables: LibraryTables, now: Int64) throws(ETLError) {
        self.tables = tables
        connection = tables.connection
        self.now = now
        tables.locked = try LockedFields(connection)
        var aliased = RowSet()
        let read = try connection.prepare("SELECT work FROM aliases")
        while try read.next() { aliased.insert(read.integer(0)) }
        tables.aliasedWorks = aliased
    }

    /// Ends the merges: other changes do not note which works have aliases.
    func end() { tables.aliasedWorks = nil }

    /// Merges works into another one. Their keys become aliases of it.
    func merge(_ works: [Int64], into survivor: Int64) throws(ETLError) {
        // Rows of a batch are written before works are merged. Here there are none.
        let batch = ResultBatch(
            arena: Arena(), firstRow: 0, layout: "",
            exportColumns: ColumnMap(formatName: "", names: [], fields: [:]))
        let writer = WorkWriter(tables: tables)
        tables.indexes.keyspace = tables.indexes.keyspaces.space(ofRow: survivor)
        try batch.lend(firstRow: 0) { batch in
            Result { () throws(ETLError) in
                for work in works { try writer.merge(work, into: survivor, batch) }
            }
        }.get()
        try tables.books.write()
        try tables.indexes.writeChanges()
        try confirm(survivor)
        try lock(.work, of: "SELECT id FROM editions WHERE \(EditionsOfWork.condition(work: "\(survivor)"))")
    }

    /// Takes editions out of a work. They become the editions of a new work with the title and the
    /// contributors of the old one.
    ///
    /// - Parameters:
    ///   - key: The public key of the new work.
    ///   - title: The title of the new work, if the first edition has none of its own; nil for that of the old
    ///     work.
    func split(
        _ editions: [Int64], from work: Int64, key: String, title: String?
    ) throws(ETLError) {
        guard let first = editions.first else { return }
        tables.indexes.lastRow += 1
        let new = tables.indexes.lastRow
        try tables.indexes.keyspaces.begin(tables.indexes.keyspaces.space(ofRow: work), atRow: new)
        try connection.execute(
            """
            INSERT INTO works(id, key, title, subtitle, original_language, synthetic, quality, review_status)
            SELECT ?1, ?2, coalesce(d.title, ?5, w.title),
                iif(d.title IS NULL, iif(?5 IS NULL, w.subtitle, NULL), d.subtitle),
                w.original_language, 1, 0, \(ReviewStatus.userEdited.rawValue)
            FROM works w JOIN editions d ON d.id = ?4 WHERE w.id = ?3
            """, new, key, work, first, title)
        let step = ContributorIDs.id(work: new, position: 0) - ContributorIDs.id(work: work, position: 0)
        let list = editions.map(String.init).joined(separator: ", ")
        try connection.execute(
            """
            INSERT INTO contributors(id, author, role) SELECT id + \(step), author, role FROM contributors
                WHERE \(ContributorIDs.condition(work: "\(work)"));
            UPDATE editions SET work = \(new) WHERE id IN (\(list));
            """)
        try confirm(work)
        // The provider's work is the old one.
        try lock(.openLibrary, of: "SELECT id FROM works WHERE id = \(new)")
        try lock(.work, of: "SELECT id FROM editions WHERE id IN (\(list))")
    }

    /// Notes that the user has looked at a work.
    private func confirm(_ work: Int64) throws(ETLError) {
        try connection.execute(
            "UPDATE works SET review_status = \(ReviewStatus.userEdited.rawValue) WHERE id = ?1", work)
    }

    /// Locks a field of the rows of a query, unless it is set or locked.
    private func lock(_ field: EditableField, of rows: String) throws(ETLError) {
        try connection.execute(
            """
            INSERT OR IGNORE INTO edits(id, part, field, is_set, edited_at)
                SELECT \(EditIDs.id(row: "r.id", field)), \(field.part.rawValue), '\(field.name)', 0, \(now)
                FROM (\(rows)) r
            """)
        guard let locked = tables.locked else {
            tables.locked = try LockedFields(connection)
            return
        }
        let read = try connection.prepare(rows)
        while try read.next() { locked.noteEdit(ofRow: read.integer(0)) }
    }
}
