import Bytes
import Database

/// Writes the catalog's works with their authors and the keys by which they are found.
struct WorkAssembly {
    private let connection: Connection
    private var stop: CancellationCheck
    private let authors: AuthorLookup
    private let keysInMemory: Int

    init(_ connection: Connection, _ stop: CancellationCheck, keysInMemory: Int) throws(SQLiteError) {
        self.keysInMemory = keysInMemory
        self.connection = connection
        self.stop = stop
        authors = try AuthorLookup(connection, records: "stage")
    }

    /// - Returns: Keys of titles.
    consuming func write() throws(SQLiteError) -> Int {
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
        while try works.step() {
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
        return try titles.write(to: connection) { () throws(SQLiteError) in try keys.countRow() }
    }
}

/// A work as the catalog keeps it.
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
