import Books
import Database
import System

/// The prepared statements for the tables of a record, on one connection.
final class LibraryTables {
    let connection: Connection
    let indexes: LibraryIndexes
    /// Keeps rows as they were before the run; nil until a run has begun.
    var journal: Journal?
    /// What the user has changed; nil if nothing, or until a run has begun.
    var locked: LockedFields?
    /// The works that have aliases, and perhaps others; nil if that is not known. An alias is not found by its work without
    /// reading all of them.
    var aliasedWorks: RowSet?

    /// Rows of the current batch that are not on disk yet.
    let new: NewRows
    let books: BookRows
    let spellings = AuthorSpellings()
    /// Bytes composed for the current batch that are bound in place.
    let scratch = ScratchBytes()

    let runs: OutcomeRuns
    let insertReject: Statement
    let updateReject: Statement
    let deleteReject: Statement
    let insertWarning: Statement
    let deleteWarnings: Statement
    let matches: EntryMatches

    let readEntry: Statement
    let readTitle: Statement
    let readNextEntry: Statement
    let readFormatName: Statement
    let readLayout: Statement
    let compareEntry: Statement
    let readAuthor: Statement
    let readAuthorName: Statement
    let readCandidateBody: Statement
    let readContributors: Statement
    let readContributorNames: Statement

    let updateAuthor: Statement
    let respellAuthor: Statement
    let updateEntry: Statement
    let fillEntry: Statement
    let updateEntryCommunity: Statement
    let updateCandidate: Statement
    let noteLeftEdition: Statement

    let deleteContributors: Statement
    let hasContributors: Statement
    let moveContributors: Statement
    let moveAliases: Statement
    let deleteWork: Statement
    let readAliases: Statement
    let insertAlias: Statement

    init(_ connection: Connection, limits: ResultsStore.Limits) throws(ETLError) {
        self.connection = connection
        indexes = try LibraryIndexes(connection, limits: limits.indexes)
        func prepare(_ sql: String) throws(ETLError) -> Statement { try connection.prepare(sql) }
        func values(_ count: Int) -> String { (1...count).map { "?\($0)" }.joined(separator: ",") }

        let ofWork = ContributorIDs.condition(work: "?1")
        new = try NewRows(connection)
        books = try BookRows(connection, new: new, bytes: limits.rowBytes)
        runs = try OutcomeRuns(connection)
        insertReject = try prepare("INSERT INTO rejects VALUES (\(values(12)))")
        // Bytes and place remain those of the source.
        updateReject = try prepare(
            "UPDATE rejects SET stage=?4, code=?5, field=?6, value=?7, message=?8 "
                + "WHERE job = ?1 AND file = ?2 AND row = ?3")
        deleteReject = try prepare("DELETE FROM rejects WHERE job = ?1 AND file = ?2 AND row = ?3")
        insertWarning = try prepare("INSERT INTO warnings VALUES (\(values(10)))")
        deleteWarnings = try prepare("DELETE FROM warnings WHERE job = ?1 AND file = ?2 AND row = ?3")

        matches = try EntryMatches(connection)
        let stored = "SELECT id, edition, content_hash, community"
        readTitle = try connection.query(
            """
            SELECT 1 FROM entries e JOIN editions d ON d.id = e.edition JOIN works w ON w.id = d.work
            WHERE e.id = ?1 AND \(ShownTitle.sql) <> ''
            """)
        readEntry = try prepare("\(stored) FROM entries WHERE id = ?1")
        readNextEntry = try prepare(
            "\(stored), source_id, library, layout FROM entries WHERE id > ?1 ORDER BY id LIMIT 1")
        readFormatName = try prepare("SELECT format FROM layouts WHERE id = ?1")
        readLayout = try prepare(
            "SELECT y.id, y.columns, e.cells, e.rating, e.date_read, e.date_added FROM entries e "
                + "JOIN layouts y ON y.id = e.layout WHERE e.id = ?1")
        let count = PreparedEntry.userColumns.count
        // A column whose bit is set keeps its value unless it is NULL. A locked column keeps it in any case.
        func value(_ column: String, _ index: Int, from first: Int, staying mask: Int) -> String {
            let new = "?\(index + first)"
            return "CASE WHEN ?\(mask) & \(1 << index) THEN coalesce(\(column), \(new)) "
                + "WHEN ?\(mask) & \(1 << (index + count)) THEN \(column) ELSE \(new) END"
        }
        let isSame = PreparedEntry.userColumns.enumerated().map {
            "\($1) IS \(value($1, $0, from: 2, staying: count + 2))"
        }
        compareEntry = try prepare(
            "SELECT \(isSame.joined(separator: " AND ")), cells FROM entries WHERE id = ?1")
        readAuthor = try prepare(
            "SELECT gender,nationality,region,birth_year,death_year,wikidata,identification FROM authors "
                + "WHERE id = ?1")
        readAuthorName = try prepare("SELECT name FROM authors WHERE id = ?1")
        readCandidateBody = try prepare("SELECT body FROM candidates WHERE id = ?1")
        readContributors = try prepare(
            "SELECT id, author, role FROM contributors WHERE \(ofWork) ORDER BY id")
        readContributorNames = try prepare(
            "SELECT name FROM authors WHERE id IN (SELECT author FROM contributors WHERE \(ofWork)) ORDER BY id"
        )

        func set(_ names: [String]) -> String {
            names.enumerated().map { "\($1)=?\($0 + 2)" }.joined(separator: ",")
        }
        updateAuthor = try prepare(
            "\(JournaledTable.update) authors SET \(set(["gender", "nationality", "region", "birth_year", "death_year", "wikidata", "identification"])) "
                + "WHERE id = ?1")
        respellAuthor = try prepare("\(JournaledTable.update) authors SET name=?2 WHERE id = ?1")
        let users = PreparedEntry.userColumns.enumerated()
        updateEntry = try prepare(
            "\(JournaledTable.update) entries SET edition=?2, layout=?3, "
                + users.map { "\($1)=\(value($1, $0, from: 4, staying: count + 7))" }.joined(
                    separator: ", ")
                + ", cells=?\(count + 4), content_hash=?\(count + 5), community=?\(count + 6) WHERE id = ?1")
        // Only columns that are NULL or have their bit set as unreadable get a value, and only then the row
        // counts as changed.
        fillEntry = try prepare(
            "\(JournaledTable.update) entries SET "
                + users.map {
                    "\($1)=coalesce(iif(?\(count + 2) & \(1 << $0), NULL, \($1)), ?\($0 + 2), \($1))"
                }
                .joined(separator: ", ")
                + " WHERE id = ?1 AND ("
                + users.map { "((?\(count + 2) & \(1 << $0) OR \($1) IS NULL) AND ?\($0 + 2) IS NOT NULL)" }
                .joined(separator: " OR ")
                + ")")
        updateEntryCommunity = try prepare(
            "\(JournaledTable.update) entries SET cells=?2, community=?3 WHERE id = ?1")
        updateCandidate = try prepare("\(JournaledTable.update) candidates SET body=?2 WHERE id = ?1")
        noteLeftEdition = try prepare("INSERT OR IGNORE INTO left_editions VALUES (?1)")

        deleteContributors = try prepare("DELETE FROM contributors WHERE \(ofWork)")
        hasContributors = try prepare("SELECT 1 FROM contributors WHERE \(ofWork) LIMIT 1")
        let step = ContributorIDs.id(work: 1, position: 0)
        moveContributors = try prepare(
            "UPDATE contributors SET id = id + (?2 - ?1) * \(step) WHERE \(ofWork)")
        moveAliases = try prepare("UPDATE aliases SET work = ?2 WHERE work = ?1")
        deleteWork = try prepare("DELETE FROM works WHERE id = ?1")
        readAliases = try prepare("SELECT key FROM aliases WHERE work = ?1")
        insertAlias = try prepare("INSERT OR REPLACE INTO aliases(key, work) VALUES (?1, ?2)")
    }
}

extension ResultsStore {
    /// The memory that the store's writer may use.
    package struct Limits: Sendable, Hashable {
        var indexes = LibraryIndexes.Limits()
        /// Memory for works and editions in use (``BookRows``).
        var rowBytes = 48 << 20
        /// Maximum number of rows whose keys an undo removes one by one (``ReversedKeys``).
        package var keysRemoved = ReversedKeys.mostRemoved

        package init() {}

        /// For a change of few books. To fill the filters from all stored keys would take longer than looking
        /// these books up.
        package static let fewBooks = {
            var limits = Limits()
            limits.indexes.usesFilters = false
            return limits
        }()

        /// Adapts the filters to the size of the input.
        package mutating func expect(records: Int) { indexes.expectedRecords = records }

        /// - Parameters:
        ///   - recentKeys: Number of keys held before they are written in a sorted run.
        ///   - usesFilters: Whether an empty store is filled in bulk, with most keys known to be new.
        ///   - rowBytes: Memory for works and editions in use; nil for the default.
        package init(recentKeys: Int, usesFilters: Bool, rowBytes: Int? = nil) {
            if let rowBytes { self.rowBytes = rowBytes }
            indexes.recentKeys = recentKeys
            indexes.keysOfRun = min(indexes.keysOfRun, recentKeys)
            indexes.usesFilters = usesFilters
        }
    }
}
