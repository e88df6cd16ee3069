import Books
import Database
import System

/// Builds the catalog from the staged records, one part at a time. Each table is written in key order, so
/// every page is written once. SQLite sorts rows and `KeySorter` sorts keys; both spill to disk.
struct CatalogAssembly {
    private let connection: Connection
    private let stop: CancellationCheck
    private let keysInMemory: Int
    /// Path of the full-text index.
    private let index: String
    /// Counts of the input, extended by each part.
    private(set) var report: CatalogBuildReport

    /// - Parameters:
    ///   - index: Path of the full-text index, which ``StagedIndex`` writes.
    ///   - keysInMemory: Keys that a sorter holds in memory; more are kept on disk.
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

    /// Writes one part of the catalog. Each part needs the parts before it.
    mutating func write(_ phase: CatalogBuildProgress.Phase) throws(ETLError) {
        try stop.check()
        switch phase {
        case .reading: break
        case .authors: try writeAuthors()
        case .works:
            report.titles = try WorkAssembly(connection, stop, keysInMemory: keysInMemory).write()
            report.works = try count("work")
        case .editions:
            try EditionAssembly(connection, stop, keysInMemory: keysInMemory).write(noting: &report)
            report.isbns = try count("edition WHERE isbn > 0")
            report.editions = try count("edition_record")
        case .people:
            try PeopleAssembly(connection, stop).write()
            report.people = try count("person")
        case .search: try takeIndex()
        }
    }

    private func takeIndex() throws(ETLError) {
        let attach = try connection.prepare("ATTACH ? AS found")
        attach.bind(1, fileName: index)
        try attach.run()
        try FullTextCopy.copy(from: "found", connection) { () throws(ETLError) in try stop.check() }
        try connection.execute(
            """
            DELETE FROM main.edition_title;
            INSERT INTO main.edition_title SELECT * FROM found.edition_title;
            """)
    }

    private mutating func writeAuthors() throws(ETLError) {
        report.deadRedirects = try Redirects(connection).resolve()
        try connection.execute(
            """
            INSERT INTO main.author SELECT * FROM stage.author;
            INSERT INTO main.moved SELECT * FROM stage.moved;
            """)
        report.authors = try count("author")
    }

    private func count(_ table: String) throws(ETLError) -> Int {
        Int(try connection.integer("SELECT count(*) FROM main.\(table)") ?? 0)
    }
}

/// Ends a long transaction when the build must stop. The transaction is rolled back, and the next run repeats
/// it.
struct CancellationCheck {
    /// Rows between two checks.
    private static let interval = 16_384

    private let signal: StopSignal
    private let path: String
    private var rows = 0

    init(_ signal: StopSignal, path: String) {
        self.signal = signal
        self.path = path
    }

    /// Throws if the build must stop or has failed elsewhere.
    func check() throws(ETLError) {
        if signal.isRaised || Task.isCancelled { throw .interrupted(path) }
    }

    /// Counts a row and checks at intervals.
    @inline(__always)
    mutating func countRow() throws(ETLError) {
        rows += 1
        if rows % Self.interval == 0 { try check() }
    }
}

/// Writes the people from Wikidata and their two indexes: by Open Library author and by folded name.
struct PeopleAssembly {
    private let connection: Connection
    private var stop: CancellationCheck

    init(_ connection: Connection, _ stop: CancellationCheck) {
        self.connection = connection
        self.stop = stop
    }

    consuming func write() throws(ETLError) {
        try connection.execute(
            """
            INSERT INTO main.person SELECT item, body FROM stage.person ORDER BY item;
            CREATE TEMP TABLE person_author(author INTEGER, item INTEGER);
            CREATE TEMP TABLE person_name(key INTEGER, item INTEGER, mark INTEGER);
            """)
        let people = try connection.prepare("SELECT item, body FROM main.person ORDER BY item")
        let insertAuthor = try connection.prepare("INSERT INTO temp.person_author VALUES (?,?)")
        let insertName = try connection.prepare("INSERT INTO temp.person_name VALUES (?,?,?)")
        while try people.next() {
            try stop.countRow()
            guard let person = people.withBytes(1, { PersonFacts(packed: $0) }) else { continue }
            let item = people.integer(0)
            for key in person.openLibraryKeys {
                guard let author = OpenLibraryKey(key), author.kind == .author else { continue }
                insertAuthor.bind(1, author.number)
                insertAuthor.bind(2, item)
                try insertAuthor.run()
            }
            for name in Set([person.label] + person.aliases) {
                guard let key = PersonNameKey(name) else { continue }
                insertName.bind(1, key.key)
                insertName.bind(2, item)
                insertName.bind(3, key.check)
                try insertName.run()
            }
        }
        // Sorted, so that the result does not depend on the order of a `Set`.
        try connection.execute(
            """
            INSERT OR IGNORE INTO main.person_author
                SELECT author, item FROM temp.person_author ORDER BY 1, 2;
            INSERT OR IGNORE INTO main.person_name
                SELECT key, item, mark FROM temp.person_name ORDER BY 1, 2, 3;
            DROP TABLE temp.person_author;
            DROP TABLE temp.person_name;
            """)
    }
}
