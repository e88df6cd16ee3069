import Bytes
import Database
import Glibc
import Sources
import Store
package import System

/// The full-text index of a results store: a file next to it, `library.sqlite.search`. The first search
/// creates it and later ones update it, so that imports do not pay for it.
///
/// Works have ascending ids, so new ones are appended, with the titles of their editions and of users' rows.
/// If indexed works were changed or merged, or got another edition or entry, the index is rebuilt. It can be
/// deleted while nothing uses it. If the file cannot be written, if another search is writing it, or if another
/// program's file is in its place, `etl search` uses an index in memory. While the file is written, others can
/// read its last state (``init(existingAt:of:)``).
struct StoreIndex {
    private static let tables = """
        CREATE TABLE indexed(
            stamp TEXT NOT NULL, job TEXT NOT NULL, works INTEGER NOT NULL, entries INTEGER NOT NULL);
        -- Titles in users' rows in their own spelling, if neither the work nor the edition has them.
        CREATE TABLE users_title(
            work INTEGER NOT NULL, title TEXT NOT NULL, PRIMARY KEY(work, title)) WITHOUT ROWID;
        """

    let connection: Connection

    /// - Parameters:
    ///   - store: The store, open for reading.
    ///   - path: The index's file.
    ///   - busyMilliseconds: Maximum wait for another process that writes the file.
    init(
        of store: Connection, at path: String, busyMilliseconds: Int32 = 5_000
    ) throws(ETLError) {
        if let connection = Self.attempt(path, store, busyMilliseconds).connection {
            self.connection = connection
            return
        }
        connection = try Connection(":memory:", .create)
        try Self.update(connection, from: store)
    }

    /// Opens the index without updating it; nil if the file is missing or belongs to another store.
    ///
    /// - Throws: A lock of a process that keeps others from reading.
    init?(existingAt path: String, of store: Connection) throws(ETLError) {
        guard FileSystem.access(path, F_OK) == 0, let connection = Self.open(path, 5_000) else { return nil }
        do throws(ETLError) {
            guard try Self.belongs(connection, to: store) else { return nil }
        } catch {
            guard error.isLock else { return nil }
            throw error
        }
        self.connection = connection
    }

    /// Updates the index's file only.
    ///
    /// - Parameter stop: Ends the update when it is raised. The index then stays as it was.
    static func update(of store: Connection, at path: String, stop: StopSignal) -> IndexUpdate {
        attempt(path, store, 0, stop).result
    }

    /// Empties an index's file. The next search fills it again.
    static func clear(at path: String) throws(ETLError) {
        guard FileSystem.access(path, F_OK) == 0, let connection = open(path, 5_000) else { return }
        try connection.empty()
        _ = try connection.integer("PRAGMA wal_checkpoint(TRUNCATE)")
    }

    /// The path of a store's index.
    static func path(of store: String) -> String { StorePath.real(store) + ".search" }

    /// Updates the file, and rebuilds a damaged one.
    ///
    /// - Returns: The connection, if the index is current.
    private static func attempt(
        _ path: String, _ store: Connection, _ busyMilliseconds: Int32, _ stop: StopSignal = StopSignal()
    ) -> (connection: Connection?, result: IndexUpdate) {
        guard let connection = open(path, busyMilliseconds) else {
            return (
                nil,
                .failed(
                    ETLError(
                        .cannotCreate, "The search index `\(path)` cannot be written, or is not an index.",
                        advice: "Check its permissions, or move it away."))
            )
        }
        func update() throws(ETLError) {
            guard !stop.isRaised else { throw .interrupted(path) }
            try connection.interrupting(at: stop) { () throws(ETLError) in
                // In this mode others can read while the index is written.
                _ = try connection.string("PRAGMA journal_mode = WAL")
                try Self.update(connection, from: store)
            }
        }
        do throws(ETLError) {
            do throws(ETLError) {
                try update()
            } catch {
                guard error.isDamage || error.isNotADatabase else { throw error }
                // Not by deleting the file: others may have it open.
                try connection.empty()
                try update()
            }
            return (connection, .current)
        } catch {
            return (nil, error.isLock ? .inUse : .failed(error))
        }
    }

    /// Opens the index's file, which like the store is readable for its owner only; nil if that fails.
    private static func open(_ path: String, _ busyMilliseconds: Int32) -> Connection? {
        guard (try? SidecarFile.makeDatabase(path)) ?? false else { return nil }
        guard let index = try? Connection(path, .readWrite, busyMilliseconds: busyMilliseconds), isOurs(index)
        else { return nil }
        // A block of keys fits into a page of this size. An existing file keeps its page size.
        try? index.execute("PRAGMA page_size = \(CatalogSchema.pageSize)")
        return index
    }

    /// `etlS`.
    private static let applicationID: Int64 = 0x6574_6C53

    /// Whether a database is an index, or empty.
    private static func isOurs(_ index: Connection) -> Bool {
        do {
            switch try index.integer("PRAGMA application_id") {
            case applicationID: return true
            case 0: return try index.integer("SELECT count(*) FROM sqlite_schema") == 0
            default: return false
            }
        } catch {
            // A locked index is one, and so is a file of zeros, whose first page was not written yet.
            return error.isLock || error.isNotADatabase && SidecarFile.content(of: index.path) == .blank
        }
    }

    /// The part of a store that an index covers: the last row ids of works and entries.
    private struct Reach: Equatable {
        var works: Int64 = 0
        var entries: Int64 = 0
    }

    private static func update(_ index: Connection, from store: Connection) throws(ETLError) {
        let stamp = try store.string(WorkTexts.stampQuery) ?? ""
        let last = Reach(
            works: try store.integer("SELECT max(id) FROM works") ?? 0,
            entries: try store.integer("SELECT max(id) FROM entries") ?? 0)
        // Most searches find the index current, and then need not wait for a writer.
        if try covered(by: index, of: store, stamp) == last { return }
        try index.transaction { () throws(ETLError) in
            var known = try covered(by: index, of: store, stamp)
            if known == last { return }
            if let reach = known, try !canAppend(reach, upTo: last, in: store) { known = nil }
            if known == nil {
                try index.execute(
                    FullTextSchema.removal
                        + "DROP TABLE IF EXISTS indexed; DROP TABLE IF EXISTS users_title;"
                        + FullTextSchema.tables + tables + "PRAGMA application_id = \(applicationID)")
            }
            // An import may be adding rows beyond the last ones. They are left to the next update.
            try appendTitles(of: store, after: known?.entries ?? 0, upTo: last.entries, to: index)
            try append(store, after: known?.works ?? 0, upTo: last.works, to: index)
            let note = try index.prepare("INSERT INTO indexed(stamp, job, works, entries) VALUES (?,?,?,?)")
            try index.execute("DELETE FROM indexed")
            try note.run(
                stamp, try store.string("SELECT \(jobStamp) FROM jobs ORDER BY id DESC LIMIT 1") ?? "",
                last.works, last.entries)
        }
        // The log may be as large as the index. If somebody reads it, a later update shortens it.
        _ = try? index.integer("PRAGMA wal_checkpoint(TRUNCATE)")
    }

    /// Metadata of an index: the store's stamp and last job when it was updated, and its coverage.
    private struct Note {
        var stamp: String
        var job: String
        var reach: Reach
    }

    /// Nil if the index is empty.
    private static func note(of index: Connection) throws(ETLError) -> Note? {
        guard try index.integer("SELECT count(*) FROM sqlite_schema WHERE name = 'indexed'") == 1 else {
            return nil
        }
        guard let query = try index.row("SELECT stamp, job, works, entries FROM indexed") else { return nil }
        return Note(
            stamp: query.string(0), job: query.string(1),
            reach: Reach(works: query.integer(2), entries: query.integer(3)))
    }

    /// Whether an index is of an earlier or the present state of a store, in the present format.
    private static func belongs(_ index: Connection, to store: Connection) throws(ETLError) -> Bool {
        guard let note = try note(of: index), let now = try store.string(WorkTexts.stampQuery) else {
            return false
        }
        func identity(_ stamp: String) -> ArraySlice<Substring> { stamp.split(separator: "|").prefix(2) }
        guard identity(note.stamp) == identity(now) else { return false }
        return try isLater(store, than: note.job)
    }

    /// An index's coverage of a store; nil if it is not this store's, or indexed works were changed since.
    private static func covered(
        by index: Connection, of store: Connection, _ stamp: String
    ) throws(ETLError) -> Reach? {
        guard let note = try note(of: index), note.stamp == stamp, try isLater(store, than: note.job) else {
            return nil
        }
        return note.reach
    }

    /// Distinguishes a job from all others, also in a copy of the store that was changed independently.
    private static let jobStamp = "id || '|' || name || '|' || started_at"

    /// Whether the store is the indexed one or a later state of it: it has the job that was the last one
    /// then. A store that was restored from a copy does not have that job, even if it has as many rows.
    private static func isLater(_ store: Connection, than job: String) throws(ETLError) -> Bool {
        let query = try store.query("SELECT EXISTS (SELECT 1 FROM jobs WHERE \(jobStamp) = ?1)", job)
        return try query.next() && query.integer(0) != 0 || job.isEmpty
    }

    /// Whether appending rows is enough to update an index from `known` to `last`: the indexed works have no new
    /// editions or entries.
    private static func canAppend(
        _ known: Reach, upTo last: Reach, in store: Connection
    ) throws(ETLError) -> Bool {
        guard known.works <= last.works, known.entries <= last.entries else { return false }
        let query = try store.query(
            """
            SELECT EXISTS (SELECT 1 FROM editions WHERE work <> id AND work <= ?1 AND id > ?1)
                OR EXISTS (
                    SELECT 1 FROM entries e JOIN editions d ON d.id = e.edition
                    WHERE e.id > ?2 AND d.work <= ?1)
            """, known.works, known.entries)
        return try query.next() && query.integer(0) == 0
    }

    private static func appendTitles(
        of store: Connection, after known: Int64, upTo last: Int64, to index: Connection
    ) throws(ETLError) {
        let entries = try store.prepare(
            """
            SELECT e.layout, e.cells, w.id, w.title, w.subtitle, d.title, d.subtitle FROM entries e
            JOIN editions d ON d.id = e.edition JOIN works w ON w.id = d.work
            WHERE e.id > ?1 AND e.id <= ?2 ORDER BY e.id
            """)
        let insert = try index.prepare("INSERT OR IGNORE INTO users_title VALUES (?,?)")
        let userCells = try UserCells(store)
        entries.bind(values: known, last)
        while try entries.next() {
            guard let title = try userCells.title(in: entries, layout: 0, cells: 1) else { continue }
            let folded = Folding.fold(title)
            let isKnown = [Int32(3), 5].contains { column in
                let known = Folding.fold(entries.string(column))
                return folded == known || folded == known + " " + Folding.fold(entries.string(column + 1))
            }
            if folded.isEmpty || isKnown { continue }
            try insert.run(entries.integer(2), title)
        }
    }

    private static func append(
        _ store: Connection, after known: Int64, upTo last: Int64, to index: Connection
    ) throws(ETLError) {
        let works = try store.prepare("SELECT id FROM works WHERE id > ?1 AND id <= ?2 ORDER BY id")
        let editions = try store.prepare(
            "SELECT count(*) FROM editions WHERE \(EditionsOfWork.condition(work: "?1"))")
        let reader = try StoreTexts(store, index)
        let writer = try FullTextWriter(index)
        works.bind(values: known, last)
        while try works.next() {
            let id = works.integer(0)
            guard let text = try reader.text(of: id) else { continue }
            let count = try editions.first(id) ? editions.integer(0) : 0
            editions.reset()
            try writer.append(place: id, document: id, editions: count, text)
        }
        try writer.finish()
    }
}

/// The result of updating a store's index in its file.
package enum IndexUpdate: Sendable, Hashable {
    /// The file covers the store.
    case current
    /// There is no store yet.
    case noStore
    /// Another process is writing the file.
    case inUse
    case failed(ETLError)
}
