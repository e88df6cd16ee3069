package import Books
import Bytes
package import Database
import Store
package import System

/// Finds the book that a query is about.
///
/// Key indexes are asked first. They do not yet have the keys of recently written rows (of a run that is
/// working or was killed), and a work's key need not be a key of one of its editions. Texts that the indexes
/// lack are searched row by row.
package struct BookLocator {
    /// A book that was found.
    package struct Found: Equatable {
        package var work: Int64
        /// The requested editions; empty if the whole work was requested.
        package var editions: [Int64] = []
        package var remarks: [String] = []
    }

    private let connection: Connection
    private let library: String?
    private let spaces: [Keyspace]

    /// - Parameter library: The library whose entries are found, and whose books if it is private; nil to find those of
    ///   all libraries, shared books first.
    package init(_ connection: Connection, library: String? = nil) throws(ETLError) {
        self.connection = connection
        self.library = library
        let names = LibraryNames(connection)
        if let library {
            spaces = [try names.keyspace(ofLibrary: library)]
        } else {
            spaces = try [.shared] + names.privateKeyspaces()
        }
    }

    /// Finds books that are found together with an edition.
    ///
    /// - Parameter edition: The edition's row id.
    package init(_ connection: Connection, besideEdition edition: Int64) throws(ETLError) {
        self.connection = connection
        library = nil
        spaces = [try Keyspace(ofRow: edition, in: connection)]
    }

    // MARK: By any name

    /// - Returns: The book, if there is one, and the name that was looked up.
    /// - Throws: `.usage` for a row of a job, or an impossible ISBN.
    package func find(_ book: BookReference) throws(ETLError) -> (found: Found?, name: String) {
        switch book {
        case .isbn(let isbn, _): return (try find(isbn), "isbn:\(isbn.isbn13)")
        case .sourceID(let id): return (try find(sourceID: id), id)
        case .key(let key): return (try find(key: key), key)
        case .impossibleISBN(let text, let fault):
            throw ETLError(
                .usage, "`\(text)` is not a valid ISBN-10 or ISBN-13: \(fault.reason.sentence)",
                advice: "Compare it with the ISBN on the book.")
        case .row:
            throw ETLError(
                .usage, "A row of a job cannot be used here.",
                advice: "Specify the book by ISBN, id:ID, or its key from \(UserCommand.exportTable).")
        }
    }

    /// - Parameter takesTitles: Whether a whole title that only one book has stands for its key.
    /// - Throws: `.missing` if there is no such book; `.usage` for a row of a job, or an impossible ISBN.
    package func locate(_ book: BookReference, takesTitles: Bool = false) throws(ETLError) -> Found {
        let (found, name) = try find(book)
        if let found { return found }
        let titles = try takesTitles && book == .key(name) ? titles(like: name, exactly: true) : nil
        if let only = titles?.only { return Self.found(only, byTitle: name) }
        let hint = try hint(for: name).map { UserText($0) }
        throw ETLError(
            .missing, "No book in the store has the name `\(name)`.",
            advice: titles?.advice ?? hint
                ?? "Specify an ISBN, id:ID, or a key from \(UserCommand.exportTable).")
    }

    // MARK: By title

    /// The works with a title that is no key of a book.
    func titles(like text: String, exactly isExact: Bool) throws(ETLError) -> TitleMatches {
        try TitleMatches(text, exactly: isExact, of: library, in: connection)
    }

    /// The only work with a title, with a remark that says so.
    static func found(_ match: TitleMatches.Match, byTitle text: String) -> Found {
        Found(
            work: match.work,
            remarks: ["No book has the key `\(text)`; found by title: \(match.words) (`\(match.key)`)."])
    }

    // MARK: By ISBN

    package func find(_ isbn: ISBN) throws(ETLError) -> Found? {
        let edition = try indexed("edition_isbns") { (keys, space) throws(ETLError) in
            try keys.value(of: space.key(isbn.value))
        }
        if let edition { return try found(edition: edition) }
        return try unindexed(isbn).flatMap { (edition) throws(ETLError) in try found(edition: edition) }
    }

    /// The edition with an ISBN among the rows whose keys are not on disk yet.
    private func unindexed(_ isbn: ISBN) throws(ETLError) -> Int64? {
        try first(
            """
            SELECT id FROM editions WHERE id > (SELECT coalesce(max(row), 0) FROM flushed WHERE name = 'editions')
            AND (isbn = ?1 OR instr(isbns, ?2) > 0) AND \(isFound("id")) ORDER BY id LIMIT 1
            """
        ) {
            $0.bind(1, isbn.value)
            $0.bind(2, "\"\(isbn.isbn13)\"")
        }
    }

    private func found(edition: Int64) throws(ETLError) -> Found? {
        try first("SELECT work FROM editions WHERE id = ?1") { $0.bind(1, edition) }
            .map { Found(work: $0, editions: [edition]) }
    }

    // MARK: By source id

    /// Reads all entries, because their index is by library, format and source id together.
    package func find(sourceID: String) throws(ETLError) -> Found? {
        guard
            let query = try connection.row(
                """
                SELECT d.work, d.id FROM entries e JOIN editions d ON d.id = e.edition WHERE e.source_id = ?1
                AND (?2 IS NULL OR e.library = (SELECT id FROM libraries WHERE name = ?2))
                ORDER BY e.id LIMIT 1
                """, sourceID, library)
        else { return nil }
        return Found(work: query.integer(0), editions: [query.integer(1)])
    }

    // MARK: By key

    package func find(key: String) throws(ETLError) -> Found? {
        for space in spaces {
            let alias = WorkAlias.stored(key, in: space)
            if let work = try first("SELECT work FROM aliases WHERE key = ?1", { $0.bind(1, alias) }) {
                return Found(
                    work: work,
                    remarks: ["`\(key)` is the former key of a work that was merged into this one."])
            }
        }
        if let work = try indexedWork(key) { return Found(work: work) }
        if let edition = try indexedEdition(key), let found = try found(edition: edition) {
            // A work can have the key of its first edition. Then the work is meant.
            let isWork = try first("SELECT id FROM works WHERE id = ?1 AND key = ?2") {
                $0.bind(1, found.work)
                $0.bind(2, key)
            }
            return isWork == nil ? found : Found(work: found.work)
        }
        if let work = try first(
            "SELECT id FROM works WHERE key = ?1 AND \(isFound("id")) ORDER BY id LIMIT 1",
            { $0.bind(1, key) })
        {
            return Found(work: work)
        }
        let edition = try first(
            "SELECT id FROM editions WHERE (key = ?1 OR open_library = ?1) AND \(isFound("id")) ORDER BY id LIMIT 1"
        ) { $0.bind(1, key) }
        guard let edition else { return nil }
        return try found(edition: edition)
    }

    private func indexedWork(_ key: String) throws(ETLError) -> Int64? {
        let openLibrary = key.hasPrefix("ol:") ? key : "ol:\(key)"
        guard let work = try row(of: TextKey(openLibrary), in: "work_keys") else { return nil }
        // The index has the work's former row; a work that was merged since is an alias and was found before.
        return try first("SELECT id FROM works WHERE id = ?1") { $0.bind(1, work) }
    }

    private func indexedEdition(_ key: String) throws(ETLError) -> Int64? {
        if key.hasPrefix("isbn:") {
            guard let isbn = ISBN(key.dropFirst(5)) else { return nil }
            return try find(isbn)?.editions.first
        }
        return key.hasPrefix("title:") ? try row(of: TextKey(key), in: "edition_keys") : nil
    }

    /// The row of a text key.
    private func row(of key: TextKey, in table: String) throws(ETLError) -> Int64? {
        try indexed(table) { (keys, space) throws(ETLError) in try keys.row(of: space.key(key)) }
    }

    /// Searches the stored keys of an index of works or editions.
    private func indexed(
        _ table: String, _ find: (SortedRuns, Keyspace) throws(ETLError) -> Int64?
    ) throws(ETLError) -> Int64? {
        let keys = try SortedRuns(connection, table: table)
        for space in spaces { if let row = try find(keys, space) { return row } }
        return nil
    }

    /// The condition for works and editions that can be found, as SQL.
    func isFound(_ row: String) -> String {
        guard let only = spaces.first, spaces.count == 1 else { return "true" }
        return "coalesce(\(Keyspaces.library(ofRow: row)), 0) = \(only.library)"
    }

    // MARK: Hints

    /// A suggestion for a key that leads to no book; nil if there is none.
    package func hint(for key: String) throws(ETLError) -> String? {
        let author = key.hasPrefix("OL") ? "ol:\(key)" : key
        if let id = try SortedRuns(connection, table: "author_keys").row(of: TextKey(author)) {
            let works = try strings(
                """
                SELECT DISTINCT w.key FROM contributors c
                JOIN works w ON w.id = \(ContributorIDs.work(alias: "c.")) WHERE c.author = ?1
                ORDER BY w.key LIMIT 3
                """
            ) { $0.bind(1, id) }
            if !works.isEmpty {
                return "That is an author's key. Works by this author: \(works.joined(separator: ", "))."
            }
        }
        let prefix = key.hasPrefix("title:") ? key : "title:\(KeyNormalizer.fold(key))"
        let near = try strings(
            """
            SELECT DISTINCT key FROM works WHERE key >= ?1 AND key < ?2 ORDER BY key LIMIT 3
            """
        ) {
            let start = String(prefix.prefix { $0 != "|" })
            $0.bind(1, start)
            $0.bind(2, start + "\u{10FFFF}")
        }
        return near.isEmpty ? nil : "Similar keys: \(near.joined(separator: ", "))."
    }

    // MARK: Queries

    private func first(_ sql: String, _ bind: (Statement) -> Void) throws(ETLError) -> Int64? {
        let query = try connection.query(sql)
        bind(query)
        return try query.next() ? query.optionalInteger(0) : nil
    }

    private func strings(_ sql: String, _ bind: (Statement) -> Void) throws(ETLError) -> [String] {
        let query = try connection.query(sql)
        bind(query)
        var all: [String] = []
        while try query.next() { all.append(query.string(0)) }
        return all
    }
}
