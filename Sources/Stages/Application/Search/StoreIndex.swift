import Books
import Bytes
import Database
import Glibc

/// The full-text index of a results store: a file beside it, `library.sqlite.search`, that the first search makes
/// and later ones bring up to date, so that imports pay nothing for it.
///
/// Works are numbered as they come, so new ones are appended, with the titles of their editions and those in readers'
/// rows. Where works were changed or folded since, or one that is indexed has come to another edition or reader, the
/// index is made anew: it can be lost at any time. Who may not write beside the store, or finds that another search
/// writes, searches in memory.
struct StoreIndex {
    private static let tables = """
        CREATE TABLE indexed(
            stamp TEXT NOT NULL, job TEXT NOT NULL, works INTEGER NOT NULL, entries INTEGER NOT NULL);
        -- Titles in readers' rows, as they are spelt there, where neither the work nor the edition has them.
        CREATE TABLE readers_title(
            work INTEGER NOT NULL, title TEXT NOT NULL, PRIMARY KEY(work, title)) WITHOUT ROWID;
        """

    let connection: Connection

    /// - Parameters:
    ///   - store: The store, open for reading.
    ///   - path: The index's file.
    ///   - busyMilliseconds: How long one who writes to the file is waited for.
    init(
        of store: Connection, at path: String, busyMilliseconds: Int32 = 5_000
    ) throws(SQLiteError) {
        var attempt = Self.attempt(path, store, busyMilliseconds)
        if case .unusable = attempt {
            // It can be lost at any time: what cannot be read is made anew.
            for file in [path, path + "-journal"] { unlink(file) }
            attempt = Self.attempt(path, store, busyMilliseconds)
        }
        if case .current(let connection) = attempt {
            self.connection = connection
            return
        }
        connection = try Connection(":memory:", .create)
        try Self.update(connection, from: store)
    }

    /// What became of bringing the index in its file up to date.
    private enum Attempt {
        case current(Connection)
        /// Somebody else writes to the file, which is in order: it must not be taken from under them.
        case inUse
        case unusable
    }

    private static func attempt(_ path: String, _ store: Connection, _ busyMilliseconds: Int32) -> Attempt {
        guard let connection = open(path, busyMilliseconds) else { return .unusable }
        do {
            try update(connection, from: store)
            return .current(connection)
        } catch {
            return error.isLock ? .inUse : .unusable
        }
    }

    /// The index's file, readable for its owner only as the store is; nil where it cannot be.
    private static func open(_ path: String, _ busyMilliseconds: Int32) -> Connection? {
        let descriptor = Glibc.open(path, O_WRONLY | O_CREAT | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { return nil }
        close(descriptor)
        guard let index = try? Connection(path, .readWrite, busyMilliseconds: busyMilliseconds) else {
            return nil
        }
        // A block of keys fits a page. A file that has pages keeps theirs.
        try? index.execute("PRAGMA page_size = \(CatalogSchema.pageSize)")
        return index
    }

    /// What of a store an index knows: the last rows of its works and of readers' entries.
    private struct Reach: Equatable {
        var works: Int64 = 0
        var entries: Int64 = 0
    }

    private static func update(_ index: Connection, from store: Connection) throws(SQLiteError) {
        let stamp = try store.string(stampQuestion) ?? ""
        let last = Reach(
            works: try store.integer("SELECT max(id) FROM works") ?? 0,
            entries: try store.integer("SELECT max(id) FROM entries") ?? 0)
        try index.transaction { () throws(SQLiteError) in
            var known = Reach()
            if try index.integer("SELECT count(*) FROM sqlite_schema WHERE name = 'indexed'") == 1,
                try index.string("SELECT stamp FROM indexed") == stamp,
                try isLater(store, than: index.string("SELECT job FROM indexed") ?? "")
            {
                known.works = try index.integer("SELECT works FROM indexed") ?? 0
                known.entries = try index.integer("SELECT entries FROM indexed") ?? 0
            }
            if known == last, last.works > 0 { return }
            var continues = known.works > 0 && known.works <= last.works && known.entries <= last.entries
            if continues { continues = try !hasNewTitles(store, ofWorksIn: known) }
            if !continues {
                known = Reach()
                try index.execute(
                    FullTextSchema.removal
                        + "DROP TABLE IF EXISTS indexed; DROP TABLE IF EXISTS readers_title;"
                        + FullTextSchema.tables + tables)
            }
            try appendTitles(of: store, after: known.entries, to: index)
            try append(store, after: known.works, to: index)
            let note = try index.prepare("INSERT INTO indexed VALUES (?,?,?,?)")
            try index.execute("DELETE FROM indexed")
            note.bind(1, stamp)
            note.bind(2, try store.string("SELECT \(jobStamp) FROM jobs ORDER BY id DESC LIMIT 1") ?? "")
            note.bind(3, last.works)
            note.bind(4, last.entries)
            try note.run()
        }
    }

    /// What changes when works that are indexed do: updates and folds of jobs, records that were taken up, and the
    /// store itself; and the shape of the index, which comes first.
    private static let stampQuestion = """
        SELECT 'jobs|' || ifnull((SELECT name || started_at FROM jobs ORDER BY id LIMIT 1), '') || '|'
            || ifnull((SELECT sum(updated) FROM jobs), 0) || '|' || (SELECT count(*) FROM aliases) || '|'
            || (SELECT count(*) FROM pending)
        """

    /// What tells one job from all others, in this store and in a copy of it that has gone another way.
    private static let jobStamp = "id || '|' || name || '|' || started_at"

    /// Whether a store is the one that was indexed, or has gone on from there: it knows the job that was the last one then.
    /// One that was put back in its place from a copy does not, though it may have as many rows.
    private static func isLater(_ store: Connection, than job: String) throws(SQLiteError) -> Bool {
        let question = try store.prepare("SELECT EXISTS (SELECT 1 FROM jobs WHERE \(jobStamp) = ?1)")
        question.bind(1, job)
        return try question.step() && question.integer(0) != 0 || job.isEmpty
    }

    /// Whether works that are indexed have editions or readers that came later.
    private static func hasNewTitles(
        _ store: Connection, ofWorksIn known: Reach
    ) throws(SQLiteError) -> Bool {
        let question = try store.prepare(
            """
            SELECT EXISTS (SELECT 1 FROM editions WHERE work <> id AND work <= ?1 AND id > ?1)
                OR EXISTS (
                    SELECT 1 FROM entries e JOIN editions d ON d.id = e.edition
                    WHERE e.id > ?2 AND d.work <= ?1)
            """)
        question.bind(1, known.works)
        question.bind(2, known.entries)
        return try question.step() && question.integer(0) != 0
    }

    private static func appendTitles(
        of store: Connection, after last: Int64, to index: Connection
    ) throws(SQLiteError) {
        let entries = try store.prepare(
            """
            SELECT e.layout, e.cells, w.id, w.title, w.subtitle, d.title, d.subtitle FROM entries e
            JOIN editions d ON d.id = e.edition JOIN works w ON w.id = d.work WHERE e.id > ?1 ORDER BY e.id
            """)
        let insert = try index.prepare("INSERT OR IGNORE INTO readers_title VALUES (?,?)")
        let titles = try UserTitles(store)
        entries.bind(1, last)
        while try entries.step() {
            guard let title = try titles.title(in: entries, layout: 0, cells: 1) else { continue }
            let folded = Folding.fold(title)
            let isKnown = [Int32(3), 5].contains { column in
                let known = Folding.fold(entries.string(column))
                return folded == known || folded == known + " " + Folding.fold(entries.string(column + 1))
            }
            if folded.isEmpty || isKnown { continue }
            insert.bind(1, entries.integer(2))
            insert.bind(2, title)
            try insert.run()
        }
    }

    private static func append(
        _ store: Connection, after last: Int64, to index: Connection
    ) throws(SQLiteError) {
        let works = try store.prepare("SELECT id FROM works WHERE id > ?1 ORDER BY id")
        let editions = try store.prepare(
            "SELECT count(*) FROM editions WHERE \(EditionsOfWork.condition(work: "?1"))")
        let reader = try StoreTexts(store, index)
        let writer = try FullTextWriter(index)
        works.bind(1, last)
        while try works.step() {
            let id = works.integer(0)
            guard let text = try reader.text(of: id) else { continue }
            editions.bind(1, id)
            let count = try editions.step() ? editions.integer(0) : 0
            editions.reset()
            try writer.append(place: id, document: id, editions: count, text)
        }
        try writer.finish()
    }
}
