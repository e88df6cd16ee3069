import Books
import Bytes
import Database
import System

/// Writes the catalog's works with their authors, and the keys by which they are found.
struct WorkAssembly {
    private let connection: Connection
    private var stop: CancellationCheck
    private let authors: AuthorLookup
    private let keysInMemory: Int

    init(_ connection: Connection, _ stop: CancellationCheck, keysInMemory: Int) throws(ETLError) {
        self.keysInMemory = keysInMemory
        self.connection = connection
        self.stop = stop
        authors = try AuthorLookup(connection, records: "stage")
    }

    /// - Returns: The number of title keys.
    consuming func write() throws(ETLError) -> Int {
        let works = try connection.prepare(
            "SELECT id, revision, authors, body FROM stage.work ORDER BY id")
        let rows = try Appender<WorkRow>(
            connection, table: "main.work", columns: ["id", "editions", "revision", "authors", "body"])
        var arena = Arena()
        let kept = try Appender<NumberRow>(
            connection, table: "stage.kept_work", columns: ["id", "has_authors"])
        var editions = try EditionsByWork(connection, records: "stage")
        var titles = TitleAssembly(connection, keysInMemory: keysInMemory)
        var record = PackedRecordWriter()
        while try works.next() {
            try stop.countRow()
            let id = works.integer(0)
            record.reset()
            works.withBytes(3) { record.append(record: $0) }
            titles.begin(work: id, body: record.bytes)
            let count = try editions.visit(id) { _, title in titles.add(edition: title) }
            let numbers = works.withBytes(2) { NumberList.unpack($0) }
            let found = try authors.append(numbers, to: &record) { titles.add(author: $0) }
            rows.append(
                WorkRow(
                    id: id, editions: Int64(count), revision: works.integer(1),
                    authors: works.withBytes(2) { arena.append($0) }, body: arena.append(record.bytes)))
            if rows.isFull { try rows.flush(from: &arena) }
            try kept.write(NumberRow(id: id, value: found > 0 ? 1 : 0))
            try titles.end()
        }
        try rows.flush(from: &arena)
        try kept.flush(from: ())
        editions.end()
        var keys = stop
        return try titles.write(to: connection) { () throws(ETLError) in try keys.countRow() }
    }
}

/// A work as the catalog stores it.
private struct WorkRow: AppendedRow {
    var id: Int64
    var editions: Int64
    var revision: Int64
    var authors: Text
    var body: Text

    func put<Row: RowValues & ~Copyable>(into row: inout Row, from source: UnsafeRawBufferPointer) {
        row.add(editions)
        row.add(revision)
        row.add(authors, in: source)
        row.add(body, in: source)
    }
}

/// The staged editions of each work. Both are sorted by the work's number and read in parallel.
struct EditionsByWork {
    private let rows: Statement
    /// Work of the statement's current row; nil at the end.
    private var work: Int64?

    /// - Parameter records: The connection's name for the staging database.
    init(_ connection: Connection, records: String) throws(ETLError) {
        rows = try connection.prepare(
            """
            SELECT coalesce(f.target, t.work), t.id, t.first, t.second FROM \(records).edition_record t
            LEFT JOIN \(records).forward f ON f.kind = 2 AND f.id = t.work
            WHERE t.work <> 0 ORDER BY 1, 2
            """)
        work = try rows.next() ? rows.integer(0) : nil
    }

    /// Calls `body` with the titles of a work's editions. Works must be requested in ascending order.
    ///
    /// - Returns: The work's number of editions.
    mutating func visit(
        _ id: Int64, _ body: (_ edition: Int64, _ title: FoldedHash) -> Void
    ) throws(ETLError) -> Int {
        var count = 0
        var last: Int64?
        while let current = work, current <= id {
            if current == id {
                let edition = rows.integer(1)
                if edition != last { count += 1 }
                last = edition
                if let first = rows.optionalInteger(2), let second = rows.optionalInteger(3) {
                    let title = FoldedHash(
                        first: UInt64(bitPattern: first), second: UInt64(bitPattern: second))
                    body(edition, title)
                }
            }
            work = try rows.next() ? rows.integer(0) : nil
        }
        return count
    }

    /// Ends the statement, even if editions of unknown works remain. SQLite delays much of its work until a
    /// statement ends.
    mutating func end() {
        rows.reset()
        work = nil
    }
}
