import Database
package import Services
package import System

/// Answers of services that a server has asked for while clients waited, in a database outside the store: an import
/// locks the store for as long as it runs.
///
/// They can be asked for again, so nothing fails if they cannot be read or written.
package actor SearchAnswers: AnswerCache {
    private nonisolated let executor = QueueExecutor(label: "etl.search-answers")
    package nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }

    /// How long answers are kept, in milliseconds: thirty days. Old ones stand in for a service that is down.
    private static let lifetime: Int64 = 30 * 86_400_000

    private static let table = "service_answers"
    /// The tables that its database must have.
    package static let tables =
        "CREATE TABLE IF NOT EXISTS \(table)(\(AnswerTable.columns)) WITHOUT ROWID;"

    private let connection: Connection
    private let answers: AnswerTable
    /// Maximum number of answers.
    private let limit: Int

    /// Opens a database with ``tables``.
    ///
    /// - Parameter limit: Maximum number of answers. If there are more, the oldest are deleted.
    package init(_ path: String, limit: Int = 100_000) throws(ETLError) {
        connection = try Connection(path, .readWrite)
        // After a power cut the last answers may be missing.
        try connection.execute("PRAGMA synchronous = NORMAL; PRAGMA cache_size = -4096")
        answers = try AnswerTable(connection, table: Self.table)
        self.limit = limit
    }

    package func cachedAnswers(in form: AnswerFormat, _ keys: [ServiceKey]) -> [CachedAnswer?] {
        (try? answers.answers(in: form, keys)) ?? Array(repeating: nil, count: keys.count)
    }

    package func save(_ new: [NewAnswer], in form: AnswerFormat) {
        try? answers.save(new.map(CompressedAnswer.init), in: form)
    }

    /// Deletes answers that are too old or too many.
    ///
    /// - Parameter now: Milliseconds since 1970.
    package func purge(now: Int64) {
        try? connection.execute(
            """
            DELETE FROM \(Self.table) WHERE fetched_at < \(now - Self.lifetime);
            DELETE FROM \(Self.table) WHERE fetched_at < (SELECT fetched_at FROM \(Self.table)
                ORDER BY fetched_at DESC LIMIT 1 OFFSET \(limit));
            """)
    }
}
