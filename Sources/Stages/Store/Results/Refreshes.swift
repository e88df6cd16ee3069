import Database
import System

/// Which job last refreshed each edition, and when services were last asked about it.
struct Refreshes {
    static let tables = """
        -- asked_at: when all services that were asked had answered; NULL if no service was.
        CREATE TABLE refreshes(edition INTEGER PRIMARY KEY, job INTEGER NOT NULL, asked_at INTEGER);
        """

    /// Deletes before-images of candidates that are as they were: of a record with two books, each of them had
    /// replaced the other's values.
    static func dropUnchangedCandidates(ofJob job: Int64, in connection: Connection) throws(ETLError) {
        let table = JournaledTable.candidates
        try connection.execute(
            """
            DELETE FROM \(table.images) WHERE run IN (SELECT id FROM runs WHERE job = \(job)) AND present = 1
            AND EXISTS (SELECT 1 FROM \(table.name) c WHERE c.id = \(table.images).id AND c.body = \(table.images).body)
            """)
    }

    /// Deletes the rows of editions that do not exist any more, or are about to be deleted.
    ///
    /// - Parameter editions: An SQL condition for the editions' ids, in which `edition` is one of them.
    static func drop(where editions: String, in connection: Connection) throws(ETLError) {
        try connection.execute("DELETE FROM refreshes WHERE \(editions)")
    }

    private let upsert: Statement
    private let job: Int64
    private let asksServices: Bool

    /// - Parameter job: The job that refreshes books.
    init(_ connection: Connection, of job: Job, asksServices: Bool) throws(ETLError) {
        upsert = try connection.prepare(
            """
            INSERT INTO refreshes VALUES (?1, ?2, ?3)
            ON CONFLICT(edition) DO UPDATE SET job = ?2, asked_at = coalesce(?3, asked_at)
            """)
        self.job = job.id
        self.asksServices = asksServices
    }

    /// Notes that an edition is refreshed.
    ///
    /// - Parameter now: Milliseconds since 1970.
    func note(_ edition: Int64, at now: Int64) throws(ETLError) {
        try upsert.run(edition, job, asksServices ? now : nil)
    }
}
