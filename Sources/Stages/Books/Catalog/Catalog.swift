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
    package nonisolated let knowsNobody: Bool
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
        knowsNobody = people.isEmpty
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
    package static let mostBytesChecked: Int64 = 4 << 30

    /// What is wrong with the file, in a sentence each: none where all that is looked at is well. All pages are read,
    /// unless they are more than ``mostBytesChecked``, and a search is begun.
    package func problems() throws(StageFailure) -> [String] {
        try CatalogFile.reported(connection.path) { () throws(SQLiteError) in
            _ = try CatalogSearch(connection)
            guard try CatalogDescription(connection).bytes <= Self.mostBytesChecked else { return [] }
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
