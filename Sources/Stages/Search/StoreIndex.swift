import Glibc

/// The full-text index of a results store: a file beside it, `library.sqlite.search`, that the first search makes
/// and later ones bring up to date, so that imports pay nothing for it.
///
/// Works are numbered as they come, so new ones are appended. Where works were changed or folded since, the index
/// is made anew: it can be lost at any time. Who may not write beside the store searches in memory.
struct StoreIndex {
    private static let tables = """
        CREATE TABLE indexed(stamp TEXT NOT NULL, works INTEGER NOT NULL);
        """

    let connection: Connection

    /// - Parameters:
    ///   - store: The store, open for reading.
    ///   - path: The index's file.
    init(of store: Connection, at path: String) throws(SQLiteError) {
        if let connection = Self.current(path, store) {
            self.connection = connection
            return
        }
        // It can be lost at any time: what cannot be read is made anew.
        unlink(path)
        if let connection = Self.current(path, store) {
            self.connection = connection
            return
        }
        connection = try Connection(":memory:", .create)
        try Self.update(connection, from: store)
    }

    /// The index in its file, up to date; nil where that cannot be.
    private static func current(_ path: String, _ store: Connection) -> Connection? {
        guard let connection = open(path) else { return nil }
        do {
            try update(connection, from: store)
            return connection
        } catch {
            return nil
        }
    }

    /// The index's file, readable for its owner only as the store is; nil where it cannot be.
    private static func open(_ path: String) -> Connection? {
        let descriptor = Glibc.open(path, O_WRONLY | O_CREAT | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { return nil }
        close(descriptor)
        return try? Connection(path, .readWrite)
    }

    private static func update(_ index: Connection, from store: Connection) throws(SQLiteError) {
        let stamp = try store.string(stampQuestion) ?? ""
        let last = try store.integer("SELECT max(id) FROM works") ?? 0
        try index.transaction { () throws(SQLiteError) in
            var known: Int64 = 0
            if try index.integer("SELECT count(*) FROM sqlite_schema WHERE name = 'indexed'") == 1,
                try index.string("SELECT stamp FROM indexed") == stamp
            {
                known = try index.integer("SELECT works FROM indexed") ?? 0
            }
            if known == last, last > 0 { return }
            if known == 0 || known > last {
                known = 0
                try index.execute(
                    FullTextSchema.removal + "DROP TABLE IF EXISTS indexed;" + FullTextSchema.tables + tables)
            }
            try append(store, after: known, to: index)
            let note = try index.prepare("INSERT INTO indexed VALUES (?,?)")
            try index.execute("DELETE FROM indexed")
            note.bind(1, stamp)
            note.bind(2, last)
            try note.run()
        }
    }

    /// What changes when works that are indexed do: updates and folds of jobs, and the store itself.
    private static let stampQuestion = """
        SELECT ifnull((SELECT name || started_at FROM jobs ORDER BY id LIMIT 1), '') || '|'
            || ifnull((SELECT sum(updated) FROM jobs), 0) || '|' || (SELECT count(*) FROM aliases)
        """

    private static func append(
        _ store: Connection, after last: Int64, to index: Connection
    ) throws(SQLiteError) {
        let works = try store.prepare("SELECT id, title, subtitle FROM works WHERE id > ?1 ORDER BY id")
        let editions = try store.prepare(
            "SELECT count(*), max(title) FROM editions WHERE \(EditionsOfWork.condition(work: "?1"))")
        let reader = try StoreTexts(store)
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

/// What works of a results store are searched by.
final class StoreTexts {
    private let work: Statement
    private let edition: Statement
    private let names: Statement

    init(_ store: Connection) throws(SQLiteError) {
        work = try store.prepare("SELECT title, subtitle FROM works WHERE id = ?1")
        edition = try store.prepare(
            "SELECT title FROM editions WHERE \(EditionsOfWork.condition(work: "?1")) ORDER BY id LIMIT 1")
        names = try store.prepare(
            """
            SELECT a.name FROM contributors c JOIN authors a ON a.id = c.author
            WHERE \(ContributorIDs.condition(work: "?1", alias: "c.")) ORDER BY c.id
            """
        )
    }

    /// The text of a work; nil where it is there no more.
    func text(of id: Int64) throws(SQLiteError) -> SearchText? {
        work.bind(1, id)
        guard try work.step() else { return nil }
        var text = SearchText(title: Folding.fold(work.string(0)), subtitle: Folding.fold(work.string(1)))
        work.reset()
        if text.title.isEmpty {
            edition.bind(1, id)
            if try edition.step() { text.title = Folding.fold(edition.string(0)) }
            edition.reset()
        }
        names.bind(1, id)
        var authors: [String] = []
        while try names.step() { authors.append(Folding.fold(names.string(0))) }
        text.author = authors.joined(separator: " ")
        return text
    }
}
