/// Writes the catalog's full-text index: works of more editions in lower places.
struct SearchAssembly {
    private let connection: Connection
    private var stop: StopCheck
    private let keysInMemory: Int

    init(_ connection: Connection, _ stop: StopCheck, keysInMemory: Int) {
        self.keysInMemory = keysInMemory
        self.connection = connection
        self.stop = stop
    }

    consuming func write() throws(SQLiteError) {
        let works = try connection.prepare(
            "SELECT -fewer, work, title, subtitle, author FROM stage.search ORDER BY fewer, work")
        let writer = try FullTextWriter(connection, keysInMemory: keysInMemory)
        var place: Int64 = 0
        while try works.step() {
            try stop.countRow()
            place += 1
            try writer.append(
                place: place, document: works.integer(1), editions: works.integer(0),
                SearchText(title: works.string(2), subtitle: works.string(3), author: works.string(4)))
        }
        var words = stop
        try writer.finish { () throws(SQLiteError) in try words.countRow() }
    }
}
