package import Books
import Database
import Glibc
import Pipeline
package import System

/// An offline catalog, open for reading. It answers whole batches of queries from one memory-mapped SQLite
/// file.
///
/// The actor has its own queue and one connection. All reads share one transaction that stays open, so a
/// lookup takes no lock. A rebuild creates a new file; an open catalog keeps reading the old one.
package actor Catalog: PersonDirectory {
    private nonisolated let executor = QueueExecutor(label: "etl.catalog")
    package nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }

    /// The provider whose dump the catalog was built from. Answers carry this name.
    package nonisolated let provider: Provider

    private let connection: Connection
    private let file: OpenFileGuard
    private let books: CatalogBooks
    private let people: CatalogPeople
    /// Whether it was built without Wikidata's dump.
    package nonisolated let isWithoutPeople: Bool
    /// Created by the first search. Lookups of an import usually do not need it.
    private var searching: CatalogSearch?

    /// Opens a catalog.
    ///
    /// - Throws: `ETLError.Kind.missing` if there is no file, `ETLError.Kind.configuration` if
    ///   the file is not a catalog or has an unsupported version.
    package init(_ path: String) throws(ETLError) {
        // Before SQLite opens it, so that a change in between is noticed.
        file = OpenFileGuard(path)
        let connection = try CatalogFile.open(path)
        self.connection = connection
        let provider = try CatalogFile.provider(connection)
        self.provider = provider
        books = try CatalogFile.reported(path) { () throws(ETLError) in
            try CatalogBooks(connection, provider: provider)
        }
        let people = try CatalogFile.reported(path) { () throws(ETLError) in
            try CatalogPeople(connection)
        }
        self.people = people
        isWithoutPeople = people.isEmpty
    }

    /// Contents and sources of the catalog.
    package func describe() throws(ETLError) -> CatalogDescription {
        try CatalogFile.reported(connection.path) { () throws(ETLError) in
            try CatalogDescription(connection)
        }
    }

    /// Advice for a catalog that is damaged or that this version of `etl` cannot read.
    package static func adviceToRebuild(_ path: String) -> UserText {
        "Build it again: \(UserCommand.buildCatalog(path: path))."
    }

    /// Maximum size in bytes of a catalog whose pages ``problems()`` checks. Checking that much takes about ten seconds.
    package static let maxBytesChecked: Int64 = 4 << 30

    /// Problems found in the file, one sentence each; empty if none were found. Compares the checksums of all blocks,
    /// opens the search index, and checks the structure of all pages unless the file is larger than
    /// ``maxBytesChecked``.
    package func problems() throws(ETLError) -> [String] {
        if case .damaged(let place) = CatalogChecksums.state(of: connection.path) {
            throw CatalogChecksums.damaged(connection.path, at: place)
        }
        return try CatalogFile.reported(connection.path) { () throws(ETLError) in
            _ = try CatalogSearch(connection)
            guard try CatalogDescription(connection).bytes <= Self.maxBytesChecked else { return [] }
            var problems: [String] = []
            let pages = try connection.prepare("PRAGMA quick_check(20)")
            while try pages.next() {
                let finding = pages.string(0)
                if finding != "ok" { problems.append(finding) }
            }
            return problems
        }
    }

    /// Answers a batch of queries. See ``BookProvider`` for the guarantees of an answer.
    package func answer(_ queries: BookQueries) throws(ETLError) -> BookAnswers {
        try read { () throws(ETLError) in try books.answer(queries) }
    }

    /// Searches works by words of their title, of their authors' names, or both. An empty text adds no
    /// condition.
    ///
    /// - Returns: At most ``FullTextSearch/resultLimit`` works, best first.
    package func search(title: String, author: String) throws(ETLError) -> CatalogFindings {
        try read { () throws(ETLError) in
            if searching == nil { searching = try CatalogSearch(connection) }
            return try searching?.find(title: title, author: author, books) ?? CatalogFindings()
        }
    }

    /// The editions of a work (``CatalogBooks/editions(of:languages:atMost:)``).
    package func editions(
        of work: Int64, languages: [String], atMost limit: Int
    ) throws(ETLError) -> BookAnswers {
        try read { () throws(ETLError) in
            try books.editions(of: work, languages: languages, atMost: limit)
        }
    }

    /// Finds people in Wikidata; see ``PersonDirectory``.
    package func find(_ queries: [PersonQuery]) throws(ETLError) -> PeopleFound {
        try read { () throws(ETLError) in PeopleFound(people: try people.find(queries)) }
    }

    /// The other names of authors; see ``PersonDirectory``.
    // Not a synchronous one: calls would take the default of the protocol, which is asynchronous.
    package func otherNames(ofAuthors keys: [String]) async throws(ETLError) -> [[String]] {
        try read { () throws(ETLError) in
            var names: [[String]] = []
            for key in keys { names.append(try people.otherNames(ofAuthor: key)) }
            return names
        }
    }

    /// Reads from the file. If it was overwritten meanwhile, that is the failure, whatever reading gave.
    private func read<Result>(_ body: () throws(ETLError) -> Result) throws(ETLError) -> Result {
        do {
            let result = try CatalogFile.reported(connection.path, body)
            try file.check()
            return result
        } catch {
            try file.check()
            throw error
        }
    }
}

/// A catalog as `etl catalog info` shows it.
package struct CatalogDescription: Sendable, Hashable {
    package var path: String
    /// Size of the catalog in bytes.
    package var bytes: Int64
    /// Version of the catalog's file format.
    package var version: Int
    /// The ``Provider``'s contract name under which the catalog answers.
    package var provider: String
    /// ISO 8601.
    package var builtAt: String
    /// ISBNs that have an edition.
    package var isbns: Int
    /// Open Library editions, including those without an ISBN.
    package var editions: Int
    package var works: Int
    package var authors: Int
    /// Keys of title and author.
    package var titles: Int
    /// People from Wikidata.
    package var people: Int
    /// Files the catalog was built from; those of updates come last.
    package var sources: [CatalogBuildReport.Source]

    init(_ connection: Connection) throws(ETLError) {
        path = connection.path
        var status = stat()
        bytes = FileSystem.stat(path, &status) == 0 ? Int64(status.st_size) : 0
        version = Int(try connection.integer("PRAGMA user_version") ?? 0)
        var texts: [String: String] = [:]
        let meta = try connection.prepare("SELECT key, value FROM meta")
        while try meta.next() { texts[meta.string(0)] = meta.string(1) }
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
        while try rows.next() {
            sources.append(
                .init(
                    name: rows.string(0), bytes: rows.integer(1), provider: rows.optionalString(2),
                    lines: Int(rows.integer(3)), records: Int(rows.integer(4)),
                    malformed: Int(rows.integer(5))))
        }
    }
}
