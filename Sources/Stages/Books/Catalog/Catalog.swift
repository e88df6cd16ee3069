import Database
package import Pipeline

/// An offline catalog, open for reading: answers whole batches of questions from one mapped SQLite file.
///
/// One connection on a queue of its own. It reads in one transaction that never ends, so a look-up takes no
/// lock; a catalog that is built anew meanwhile is another file, and this one stays what it was.
package actor Catalog: PersonDirectory {
    private nonisolated let executor = QueueExecutor(label: "etl.catalog")
    package nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }

    /// The name it answers under: the provider whose dump it was built from.
    package nonisolated let provider: Provider

    private let connection: Connection
    private let books: CatalogBooks
    private let people: CatalogPeople
    /// Whether it was built without Wikidata's dump.
    package nonisolated let isWithoutPeople: Bool
    /// Made by the first search: look-ups of an import do without it.
    private var searching: CatalogSearch?

    /// Opens a catalog.
    ///
    /// - Throws: ``StageFailure/Kind/missing`` where there is none, ``StageFailure/Kind/configuration`` for a
    ///   file
    ///   that is something else or of another version.
    package init(_ path: String) throws(StageFailure) {
        let connection = try CatalogFile.open(path)
        self.connection = connection
        let provider = try CatalogFile.provider(connection)
        self.provider = provider
        books = try CatalogFile.reported(path) { () throws(SQLiteError) in
            try CatalogBooks(connection, provider: provider)
        }
        let people = try CatalogFile.reported(path) { () throws(SQLiteError) in
            try CatalogPeople(connection)
        }
        self.people = people
        isWithoutPeople = people.isEmpty
    }

    /// What it holds and what it was made of.
    package func describe() throws(StageFailure) -> CatalogDescription {
        try CatalogFile.reported(connection.path) { () throws(SQLiteError) in
            try CatalogDescription(connection)
        }
    }

    /// What to do about a catalog at a path that is damaged, or that this program cannot read.
    package static func adviceToRebuild(_ path: String) -> UserText {
        "Build it again: \(UserCommand.buildCatalog(path: path))."
    }

    /// Bytes of a catalog that ``problems()`` reads page by page: some ten seconds of it.
    package static let maxBytesChecked: Int64 = 4 << 30

    /// What is wrong with the file, in a sentence each: none where all that is looked at is well. All pages are read,
    /// unless they are more than ``maxBytesChecked``, and a search is begun.
    package func problems() throws(StageFailure) -> [String] {
        try CatalogFile.reported(connection.path) { () throws(SQLiteError) in
            _ = try CatalogSearch(connection)
            guard try CatalogDescription(connection).bytes <= Self.maxBytesChecked else { return [] }
            var problems: [String] = []
            let pages = try connection.prepare("PRAGMA quick_check(20)")
            while try pages.step() {
                let finding = pages.string(0)
                if finding != "ok" { problems.append(finding) }
            }
            return problems
        }
    }

    /// Answers a batch of questions; see ``BookProvider`` for what an answer promises.
    package func answer(_ questions: BookQueries) throws(StageFailure) -> BookAnswers {
        try CatalogFile.reported(connection.path) { () throws(SQLiteError) in try books.answer(questions) }
    }

    /// Searches works by words of their title, of their authors' names, or both; an empty text asks for nothing.
    ///
    /// - Returns: At most ``FullTextSearch/resultLimit`` works, the best first.
    package func search(title: String, author: String) throws(StageFailure) -> CatalogFindings {
        try CatalogFile.reported(connection.path) { () throws(SQLiteError) in
            if searching == nil { searching = try CatalogSearch(connection) }
            return try searching?.find(title: title, author: author, books) ?? CatalogFindings()
        }
    }

    /// Finds people of Wikidata; see ``PersonDirectory``.
    package func find(_ queries: [PersonQuery]) throws(StageFailure) -> [[PersonFacts]] {
        try CatalogFile.reported(connection.path) { () throws(SQLiteError) in try people.find(queries) }
    }
}

/// A catalog as `etl catalog info` shows it.
package struct CatalogDescription: Sendable, Hashable {
    package var path: String
    /// Size of the catalog in bytes.
    package var bytes: Int64
    /// Version of the form in which catalogs are kept.
    package var version: Int
    /// Under whose name it answers: a ``Provider``'s contract name.
    package var provider: String
    /// ISO 8601.
    package var builtAt: String
    /// ISBNs it knows an edition of.
    package var isbns: Int
    /// Editions of Open Library, those without an ISBN among them.
    package var editions: Int
    package var works: Int
    package var authors: Int
    /// Keys of title and author.
    package var titles: Int
    /// People of Wikidata.
    package var people: Int
    /// Files it was built from, the updates' after those before them.
    package var sources: [CatalogBuildReport.Source]

    init(_ connection: Connection) throws(SQLiteError) {
        path = connection.path
        bytes =
            try (connection.integer("PRAGMA page_count") ?? 0) * (connection.integer("PRAGMA page_size") ?? 0)
        version = Int(try connection.integer("PRAGMA user_version") ?? 0)
        var texts: [String: String] = [:]
        let meta = try connection.prepare("SELECT key, value FROM meta")
        while try meta.step() { texts[meta.string(0)] = meta.string(1) }
        provider = texts["provider"] ?? ""
        builtAt = texts["built_at"] ?? ""
        isbns = texts["isbns"].flatMap { Int($0) } ?? 0
        editions = texts["editions"].flatMap { Int($0) } ?? 0
        works = texts["works"].flatMap { Int($0) } ?? 0
        authors = texts["authors"].flatMap { Int($0) } ?? 0
        titles = texts["titles"].flatMap { Int($0) } ?? 0
        people = texts["people"].flatMap { Int($0) } ?? 0
        sources = []
        let rows = try connection.prepare(
            "SELECT name, bytes, provider, lines, records, malformed FROM source ORDER BY number")
        while try rows.step() {
            sources.append(
                .init(
                    name: rows.string(0), bytes: rows.integer(1), provider: rows.optionalString(2),
                    lines: Int(rows.integer(3)), records: Int(rows.integer(4)),
                    malformed: Int(rows.integer(5))))
        }
    }
}
