import Bytes
import Database
import System

/// The stored works and editions that records are about, in a write-back cache (``RowCache``).
///
/// In a library of many users, books repeat. A repeated book reads and changes rows at scattered places. Rows
/// in use stay in memory, and changes are gathered and written in the order of the rows: before a commit, or
/// when their memory is used up.
final class BookRows {
    private let new: NewRows
    private let bytes: Int
    private var works: RowCache<CachedWork>
    private var editions: RowCache<CachedEdition>
    /// Whether a changed edition has another work than on disk.
    private var hasMovedEditions = false

    private let readWork: Statement
    private let readEdition: Statement
    private let readEditionsOfWork: Statement
    private let updateWork: Statement
    private let updateEdition: Statement

    /// - Parameters:
    ///   - new: New rows, which are not read before they are on disk.
    ///   - bytes: Maximum memory, half for each table.
    init(_ connection: Connection, new: NewRows, bytes: Int) throws(ETLError) {
        self.new = new
        self.bytes = bytes
        works = RowCache(bytes: bytes / 2)
        editions = RowCache(bytes: bytes / 2)
        readWork = try connection.prepare(
            "SELECT \(CachedWork.columns.joined(separator: ",")) FROM works WHERE id = ?1")
        readEdition = try connection.prepare(
            "SELECT \(CachedEdition.columns.joined(separator: ",")) FROM editions WHERE id = ?1")
        readEditionsOfWork = try connection.prepare(
            "SELECT id FROM editions WHERE \(EditionsOfWork.condition(work: "?1")) ORDER BY id")
        func update(_ table: String, _ columns: [String]) throws(ETLError) -> Statement {
            let values = columns.enumerated().map { "\($1)=?\($0 + 2)" }
            return try connection.prepare(
                "\(JournaledTable.update) \(table) SET \(values.joined(separator: ",")) WHERE id = ?1")
        }
        updateWork = try update("works", CachedWork.updated)
        updateEdition = try update("editions", CachedEdition.columns)
    }

    // MARK: Reading

    /// The work with an id; nil if there is none.
    func work(_ id: Int64, _ batch: ResultBatchView) throws(ETLError) -> CachedWork? {
        if let known = works.row(id) { return known }
        try new.settle(work: id, batch)
        readWork.bind(1, id)
        defer { readWork.reset() }
        guard try readWork.next() else { return nil }
        let row = CachedWork(readWork)
        works.keep(id, row)
        return row
    }

    /// The edition with an id; nil if there is none.
    func edition(_ id: Int64, _ batch: ResultBatchView) throws(ETLError) -> CachedEdition? {
        if let known = editions.row(id) { return known }
        try new.settle(edition: id, batch)
        readEdition.bind(1, id)
        defer { readEdition.reset() }
        guard try readEdition.next() else { return nil }
        let row = CachedEdition(readEdition)
        editions.keep(id, row)
        return row
    }

    // MARK: Changing

    /// Changes a work.
    func set(work id: Int64, _ row: CachedWork) throws(ETLError) {
        // What SQLite makes of a number has to be read.
        guard row.hasPlainNumbers else {
            works.remove(id)
            return try write(work: id, row)
        }
        works.change(id, row)
        if works.isFull { try writeWorks() }
    }

    /// Changes an edition.
    func set(edition id: Int64, _ row: CachedEdition) throws(ETLError) {
        if row.work != editions.row(id)?.work { hasMovedEditions = true }
        guard row.hasPlainNumbers else {
            editions.remove(id)
            return try write(edition: id, row)
        }
        editions.change(id, row)
        if editions.isFull { try writeEditions() }
    }

    /// Drops a work that was deleted.
    func remove(work id: Int64) { works.remove(id) }

    /// Drops all rows, because other statements delete or restore rows. The changed ones must be on disk.
    func forget() {
        works = RowCache(bytes: bytes / 2)
        editions = RowCache(bytes: bytes / 2)
    }

    /// Moves all editions of a work to another one. The works' other rows have to be on disk.
    func moveEditions(of work: Int64, to other: Int64, _ batch: ResultBatchView) throws(ETLError) {
        // They are found by their works on disk.
        if hasMovedEditions { try writeEditions() }
        var ids: [Int64] = []
        readEditionsOfWork.bind(1, work)
        while try readEditionsOfWork.next() { ids.append(readEditionsOfWork.integer(0)) }
        for id in ids {
            guard var row = try edition(id, batch) else { continue }
            row.work = other
            try set(edition: id, row)
        }
    }

    // MARK: Writing

    /// Writes all changed rows, in the caller's transaction.
    func write() throws(ETLError) {
        try writeWorks()
        try writeEditions()
    }

    private func writeWorks() throws(ETLError) {
        try works.writeChanged { (id, row) throws(ETLError) in try write(work: id, row) }
    }

    private func writeEditions() throws(ETLError) {
        hasMovedEditions = false
        try editions.writeChanged { (id, row) throws(ETLError) in try write(edition: id, row) }
    }

    private func write(work id: Int64, _ row: CachedWork) throws(ETLError) {
        try row.texts.withColumns { (texts) throws(ETLError) in
            updateWork.bind(1, id)
            row.bind(to: updateWork, from: 2, texts)
            try updateWork.run()
        }
    }

    private func write(edition id: Int64, _ row: CachedEdition) throws(ETLError) {
        try row.texts.withColumns { (texts) throws(ETLError) in
            updateEdition.bind(1, id)
            row.bind(to: updateEdition, from: 2, texts)
            try updateEdition.run()
        }
    }
}
