import Database
package import Pipeline
package import Services

/// Tells for many keys whether a store has good answers to them, without unpacking any.
package final class CachedKeys {
    private let read: Statement

    /// - Throws: What opening a store to be read throws.
    package init(_ store: String) throws(StageFailure) {
        let connection = try StoreFile.openForReading(store)
        read = try connection.question(
            """
            SELECT fetched_at, body IS NULL, wrongs FROM answers
            WHERE service = ?1 AND key = ?2 AND version = ?3
            """)
    }

    /// How many of some keys need not be asked of a service.
    ///
    /// - Parameter now: Milliseconds since 1970.
    package func freshCount(
        of service: String, version: Int, _ keys: [ServiceKey], now: Int64
    ) throws(StageFailure) -> Int {
        var count = 0
        do {
            for key in keys {
                read.bind(1, service)
                read.bind(2, key.stored)
                read.bind(3, version)
                defer { read.reset() }
                guard try read.step() else { continue }
                let kept = CachedAnswer(
                    body: read.integer(1) == 0 ? CachedBody(words: []) : nil, fetchedAt: read.integer(0),
                    wrongs: Int(read.integer(2)))
                if kept.answer != nil, kept.isFresh(key.kind, at: now) { count += 1 }
            }
        } catch {
            throw error.failure
        }
        return count
    }
}
