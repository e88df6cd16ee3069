import Books
package import Database
import Services
package import System

/// The cached answers of a store, as `etl cache` shows and purges them.
package enum CachedAnswers {
    /// The cached answers of one service.
    package struct Report: Sendable, Hashable {
        package var service: String
        package var found = 0
        package var notFound = 0
        /// Of both, those that have expired.
        package var stale = 0
        /// Bytes of compressed bodies and decoded answers.
        package var bytes = 0
        /// Age of the oldest answer in milliseconds.
        package var oldestMilliseconds: Int64 = 0
    }

    /// Cached answers by service.
    ///
    /// - Parameter now: Milliseconds since 1970.
    package static func reports(_ store: String, now: Int64) throws(ETLError) -> [Report] {
        let connection = try StoreFile.openForReading(store)
        let read = try connection.prepare(
            """
            SELECT service, sum(body IS NOT NULL), sum(body IS NULL),
                sum(length(body) + ifnull(length(decoded), 0)), min(fetched_at)
            FROM answers GROUP BY service ORDER BY service
            """)
        var all: [Report] = []
        while try read.next() {
            all.append(
                Report(
                    service: read.string(0), found: Int(read.integer(1)), notFound: Int(read.integer(2)),
                    bytes: Int(read.integer(3)),
                    oldestMilliseconds: now - min(max(0, read.integer(4)), now)))
        }
        for index in all.indices {
            let stale = try connection.query(
                "SELECT count(*) FROM answers WHERE service = ?1 AND \(isStale(now))", all[index].service)
            if try stale.next() { all[index].stale = Int(stale.integer(0)) }
        }
        return all
    }

    /// Deletes answers and marks all jobs as having lost answers. Such a job requests them again before it is
    /// run again from its start (Decision 0010).
    ///
    /// - Parameters:
    ///   - service: nil for all services.
    ///   - policy: Wait policy if another program has locked the store.
    /// - Returns: The number of deleted answers.
    package static func purge(
        _ store: String, service: String?, onlyStale: Bool, now: Int64,
        waiting policy: LockWaitPolicy = LockWaitPolicy()
    ) throws(ETLError) -> Int {
        // Check first that the file is a store, so that nothing else is written to.
        _ = try StoreFile.openForReading(store, waiting: policy)
        let lock = try StoreLock(store: store)
        defer { withExtendedLifetime(lock) {} }
        let connection = try StoreFile.openForWriting(store, waiting: policy)
        return try connection.transaction { () throws(ETLError) in
            try delete(onlyStale ? isStale(now) : "true", of: service, in: connection)
        }
    }

    /// Deletes expired answers in the caller's transaction.
    ///
    /// - Returns: The number of deleted answers.
    static func deleteExpired(now: Int64, in connection: Connection) throws(ETLError) -> Int {
        try delete(isStale(now), of: nil, in: connection)
    }

    private static func delete(
        _ condition: String, of service: String?, in connection: Connection
    ) throws(ETLError) -> Int {
        try connection.execute(
            "DELETE FROM answers WHERE (?1 IS NULL OR service = ?1) AND \(condition)", service)
        let dropped = connection.changes
        if dropped > 0 { try connection.execute("UPDATE jobs SET lost_answers = 1") }
        return dropped
    }

    /// Copies the answers that a copy of a store received since it was made. A dry run keeps its answers this
    /// way, so that no service is asked twice. Creates the store if there is none yet.
    ///
    /// - Returns: The number of answers that were new to the store, or newer.
    /// - Throws: `.temporary` while a run writes to the store.
    package static func copyAnswers(from copy: String, into store: String) throws(ETLError) -> Int {
        guard try StoreFile.openIfStarted(copy) != nil else { return 0 }
        let lock = try StoreLock(store: store)
        defer { withExtendedLifetime(lock) {} }
        let connection = try StoreFile.openForWriting(store)
        let attach = try connection.prepare("ATTACH DATABASE ?1 AS imported")
        attach.bind(1, fileName: copy)
        try attach.run()
        return try connection.transaction { () throws(ETLError) in
            let columns = AnswerTable.copied
            try connection.execute(
                """
                INSERT OR REPLACE INTO main.answers(\(columns))
                SELECT \(columns) FROM imported.answers AS new WHERE NOT EXISTS(
                    SELECT 1 FROM main.answers AS kept
                    WHERE kept.service = new.service AND kept.key = new.key
                        AND (kept.fetched_at, kept.mismatches) >= (new.fetched_at, new.mismatches))
                """)
            return connection.changes
        }
    }

    /// The negation of ``CachedAnswer/isFresh(_:at:)`` in SQL.
    private static func isStale(_ now: Int64) -> String {
        let kinds = ServiceKey.Kind.all.map { "WHEN key LIKE '\($0.name):%' THEN \($0.lifetime)" }
        return """
            (fetched_at <= \(now) - CASE WHEN body IS NULL THEN \(CachedAnswer.absenceLifetime)
             \(kinds.joined(separator: "\n ")) ELSE \(CachedAnswer.absenceLifetime) END)
            """
    }
}
