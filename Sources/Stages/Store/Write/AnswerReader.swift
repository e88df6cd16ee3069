import Books
import Database
package import Services
package import System

/// Reads cached answers on its own connection, so that lookups and the writer do not wait for each other.
package actor AnswerReader {
    private nonisolated let executor = QueueExecutor(label: "etl.answers")
    package nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }

    private let answers: AnswerTable

    /// Opens a connection to a store in WAL mode. In any other mode, as while the store is filled for the
    /// first time, a reader would delay commits.
    init(_ store: String) throws(ETLError) {
        let connection = try Connection(store, .reading)
        try connection.execute("PRAGMA cache_size = -8192")
        answers = try AnswerTable(connection)
    }

    /// Opens an existing store.
    ///
    /// - Throws: The errors of opening a store for reading.
    package init(of store: String) throws(ETLError) {
        let connection = try StoreFile.openForReading(store)
        answers = try AnswerTable(connection)
    }

    /// The cached answers for keys, including stale ones, in the keys' order; nil for a key without one.
    package func cachedAnswers(
        in form: AnswerFormat, _ keys: [ServiceKey]
    ) throws(ETLError) -> [CachedAnswer?] {
        try answers.answers(in: form, keys)
    }
}

extension ResultsStore: AnswerCache {
    package nonisolated func cachedAnswers(
        in form: AnswerFormat, _ keys: [ServiceKey]
    ) async throws(ETLError) -> [CachedAnswer?] {
        if let reader { return try await reader.cachedAnswers(in: form, keys) }
        return try await keptByWriter(form, keys)
    }

    private func keptByWriter(_ form: AnswerFormat, _ keys: [ServiceKey]) throws(ETLError)
        -> [CachedAnswer?]
    {
        try answers.answers(in: form, keys)
    }

    /// Compresses on a thread of the pool, because everything waits for work on the store's own thread.
    @concurrent
    package nonisolated func save(_ new: [NewAnswer], in form: AnswerFormat) async throws(ETLError) {
        try await write(new.map(CompressedAnswer.init), form)
    }

    /// Stores answers, and that the job may not have used them.
    private func write(_ new: [CompressedAnswer], _ form: AnswerFormat) throws(ETLError) {
        try connection.transaction { () throws(ETLError) in
            try answers.save(new, in: form)
            guard let current else { return }
            try connection.execute(
                "UPDATE jobs SET unused_answers = 1 WHERE id = ?1 AND NOT unused_answers", current.job.id)
        }
    }
}
