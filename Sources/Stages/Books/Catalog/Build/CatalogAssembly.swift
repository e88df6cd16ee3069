import Database
import Pipeline

/// Makes the catalog of the records that wait, part by part: each table in the order of its keys, so that every
/// page is written once. Rows are sorted by SQLite, keys by ``KeySorter``; both go to disk.
struct CatalogAssembly {
    private let connection: Connection
    private let stop: CancellationCheck
    private let keysInMemory: Int
    /// Path of the full-text index.
    private let index: String
    /// What was read, and more with each part.
    private(set) var report: CatalogBuildReport

    /// - Parameters:
    ///   - index: Path of the full-text index, which ``SearchDraft`` writes.
    ///   - keysInMemory: Keys that a sorter holds; more wait on disk.
    init(
        _ connection: Connection, _ report: CatalogBuildReport, stop: StopSignal, index: String,
        keysInMemory: Int
    ) {
        self.keysInMemory = keysInMemory
        self.index = index
        self.connection = connection
        self.report = report
        self.stop = CancellationCheck(stop, path: connection.path)
    }

    /// Writes a part of the catalog. Each needs those before it.
    mutating func write(_ phase: CatalogBuildProgress.Phase) throws(SQLiteError) {
        try stop.check()
        switch phase {
        case .reading: break
        case .authors: try writeAuthors()
        case .works:
            report.titles = try WorkAssembly(connection, stop, keysInMemory: keysInMemory).write()
            report.works = try count("work")
        case .editions:
            try EditionAssembly(connection, stop, keysInMemory: keysInMemory).write(noting: &report)
            report.isbns = try count("edition")
            report.editions = try count("edition_record")
        case .people:
            try PeopleAssembly(connection, stop).write()
            report.people = try count("person")
        case .search: try takeIndex()
        }
    }

    private func takeIndex() throws(SQLiteError) {
        let attach = try connection.prepare("ATTACH ? AS found")
        attach.bind(1, index)
        try attach.run()
        try FullTextCopy.copy(from: "found", connection) { () throws(SQLiteError) in try stop.check() }
        // A build that an older program began has no such table.
        try connection.execute(
            """
            \(CatalogSchema.editionTitles) DELETE FROM main.edition_title;
            INSERT INTO main.edition_title SELECT * FROM found.edition_title;
            """)
    }

    private mutating func writeAuthors() throws(SQLiteError) {
        report.deadRedirects = try Redirects(connection).resolve()
        try connection.execute(
            """
            INSERT INTO main.author SELECT * FROM stage.author;
            INSERT INTO main.moved SELECT * FROM stage.moved;
            """)
        report.authors = try count("author")
    }

    private func count(_ table: String) throws(SQLiteError) -> Int {
        Int(try connection.integer("SELECT count(*) FROM main.\(table)") ?? 0)
    }
}
