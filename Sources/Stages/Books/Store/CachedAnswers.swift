import Database
package import Pipeline

/// The answers of services that a store keeps, as `etl cache` shows and drops them.
package enum CachedAnswers {
    /// What is kept of one service.
    package struct Summary: Sendable, Hashable {
        package var service: String
        package var found = 0
        package var notFound = 0
        /// Of both, those too old to be used without asking again.
        package var stale = 0
        /// Bytes of words, packed, and of their gists.
        package var bytes = 0
        /// Age of the oldest in milliseconds.
        package var oldestMilliseconds: Int64 = 0
    }

    /// What is kept, by service.
    ///
    /// - Parameter now: Milliseconds since 1970.
    package static func summaries(_ store: String, now: Int64) throws(StageFailure) -> [Summary] {
        let connection = try StoreFile.openForReading(store)
        do {
            let read = try connection.prepare(
                """
                SELECT service, sum(body IS NOT NULL), sum(body IS NULL),
                    sum(length(body) + ifnull(length(gist), 0)), min(fetched_at)
                FROM answers GROUP BY service ORDER BY service
                """)
            var all: [Summary] = []
            while try read.step() {
                all.append(
                    Summary(
                        service: read.string(0), found: Int(read.integer(1)), notFound: Int(read.integer(2)),
                        bytes: Int(read.integer(3)), oldestMilliseconds: max(0, now - read.integer(4))))
            }
            for index in all.indices {
                let stale = try connection.prepare(
                    "SELECT count(*) FROM answers WHERE service = ?1 AND \(isStale(now))")
                stale.bind(1, all[index].service)
                if try stale.step() { all[index].stale = Int(stale.integer(0)) }
            }
            return all
        } catch {
            throw error.failure
        }
    }

    /// Drops answers, and notes that jobs have lost them: one that is run again from its start asks for them first
    /// (decision 0010).
    ///
    /// - Parameter service: nil for all.
    /// - Returns: how many were dropped.
    package static func purge(
        _ store: String, service: String?, onlyStale: Bool, now: Int64
    ) throws(StageFailure) -> Int {
        // Looked at first: what is no store of ours is not written to.
        _ = try StoreFile.openForReading(store)
        let lock = try StoreLock(store: store)
        defer { withExtendedLifetime(lock) {} }
        let connection = try StoreFile.openForWriting(store)
        do {
            let delete = try connection.prepare(
                "DELETE FROM answers WHERE (?1 IS NULL OR service = ?1) AND \(onlyStale ? isStale(now) : "1")"
            )
            delete.bind(1, service)
            return try connection.transaction { () throws(SQLiteError) in
                try delete.run()
                let dropped = connection.changes
                if dropped > 0 { try connection.execute("UPDATE jobs SET lost_answers = 1") }
                return dropped
            }
        } catch {
            throw error.failure
        }
    }

    /// Takes over what the copy of a store has heard since it was made: a run that keeps nothing else keeps answers, so
    /// that nobody is asked twice. The store is made where there is none yet.
    ///
    /// - Returns: how many answers the store did not have, or not so new.
    /// - Throws: `.temporary` while a run writes to the store.
    package static func takeOver(from copy: String, into store: String) throws(StageFailure) -> Int {
        guard try StoreFile.openIfStarted(copy) != nil else { return 0 }
        let lock = try StoreLock(store: store)
        defer { withExtendedLifetime(lock) {} }
        let connection = try StoreFile.openForWriting(store)
        do {
            let attach = try connection.prepare("ATTACH DATABASE ?1 AS heard")
            attach.bind(1, copy)
            try attach.run()
            return try connection.transaction { () throws(SQLiteError) in
                let columns = "service, key, version, fetched_at, body, wrongs, gist_version, gist"
                try connection.execute(
                    """
                    INSERT OR REPLACE INTO main.answers(\(columns))
                    SELECT \(columns) FROM heard.answers AS new WHERE NOT EXISTS(
                        SELECT 1 FROM main.answers AS kept
                        WHERE kept.service = new.service AND kept.key = new.key
                            AND (kept.fetched_at, kept.wrongs) >= (new.fetched_at, new.wrongs))
                    """)
                return connection.changes
            }
        } catch {
            throw error.failure
        }
    }

    /// ``CachedAnswer/isFresh(_:at:)``, the other way round, in SQL.
    private static func isStale(_ now: Int64) -> String {
        let day: Int64 = 86_400_000
        return """
            (fetched_at <= \(now) - CASE
             WHEN body IS NULL OR key LIKE 'title:%' OR key LIKE 'nameItems:%' THEN \(day) ELSE \(7 * day) END)
            """
    }
}
