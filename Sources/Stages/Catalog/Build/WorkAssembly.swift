/// Writes the catalog's works with their authors and the keys by which they are found, and puts down to wait what
/// they are searched by.
struct WorkAssembly {
    private let connection: Connection
    private var stop: StopCheck
    private let authors: KnownAuthors
    private let keysInMemory: Int

    init(_ connection: Connection, _ stop: StopCheck, keysInMemory: Int) throws(SQLiteError) {
        self.keysInMemory = keysInMemory
        self.connection = connection
        self.stop = stop
        authors = try KnownAuthors(connection)
    }

    /// - Returns: Keys of titles.
    consuming func write() throws(SQLiteError) -> Int {
        let works = try connection.prepare("SELECT id, revision, authors, body FROM stage.work ORDER BY id")
        let insert = try connection.prepare("INSERT INTO main.work VALUES (?,?,?,?,?)")
        let keep = try connection.prepare("INSERT INTO stage.kept_work VALUES (?,?)")
        var editions = try EditionsOfWorks(connection)
        var titles = TitleAssembly(connection, keysInMemory: keysInMemory)
        var search = try SearchStaging(connection)
        var record = PackedRecordWriter()
        while try works.step() {
            try stop.countRow()
            let id = works.integer(0)
            record.reset()
            works.withBytes(3) { record.append(record: $0) }
            titles.begin(work: id, body: record.bytes)
            search.begin()
            let count = try editions.visit(id) { title in titles.add(edition: title) }
            let numbers = works.withBytes(2) { NumberList.unpack($0) }
            let found = try authors.append(numbers, to: &record) {
                titles.add(author: $0)
                search.add(author: $0)
            }
            insert.bind(1, id)
            insert.bind(2, count)
            insert.bind(3, works.integer(1))
            insert.bind(4, column: 2, of: works)
            try record.bytes.lend { bytes throws(SQLiteError) in
                insert.bind(5, blobInPlace: bytes)
                try insert.run()
            }
            keep.bind(1, id)
            keep.bind(2, found > 0 ? 1 : 0)
            try keep.run()
            try titles.end()
            try search.write(work: id, editions: count, record.bytes)
        }
        editions.end()
        var keys = stop
        return try titles.write(to: connection) { () throws(SQLiteError) in try keys.countRow() }
    }
}
