import Database
package import System

/// The answer to a request with an idempotency key. The same request gets it again.
package struct IdempotencyRecord: Sendable, Hashable {
    /// Lifetime of the record, in milliseconds.
    package static let lifetime: Int64 = 24 * 3_600_000
    /// Maximum number of records that are kept. The oldest ones give way, so that keys cannot fill the disk.
    package static let most = 100_000

    /// The owner of the server's token that the request came with; empty without one.
    package var owner: String
    package var key: String
    /// The question. A request that has the key and asks something else is a mistake.
    package var question: String
    package var status: Int
    package var body: [UInt8]
    /// Milliseconds since 1970.
    package var expiresAt: Int64

    package init(
        owner: String, key: String, question: String, status: Int, body: [UInt8], expiresAt: Int64
    ) {
        self.owner = owner
        self.key = key
        self.question = question
        self.status = status
        self.body = body
        self.expiresAt = expiresAt
    }
}

/// The idempotency key of a request, with what it asks. Requests with the same key must ask the same.
package struct RequestKey: Sendable, Hashable {
    package var text: String
    package var question: String

    package init(_ text: String, asking question: String) {
        self.text = text
        self.question = question
    }
}

extension JobQueue {
    static let idempotencyTables = """
        CREATE TABLE idempotency_records(
            id INTEGER PRIMARY KEY,
            owner TEXT NOT NULL,
            key TEXT NOT NULL,
            question TEXT NOT NULL,
            status INTEGER NOT NULL,
            body BLOB NOT NULL,
            expires_at INTEGER NOT NULL,
            UNIQUE(owner, key));
        """

    /// Keeps a record. It is on disk when this returns.
    ///
    /// - Returns: The record with the answer to give: the earlier one if the key has one that has not expired.
    package func keep(_ record: IdempotencyRecord, now: Int64) throws(ETLError) -> IdempotencyRecord {
        try connection.transaction { () throws(ETLError) in
            if let earlier = try idempotencyRecord(of: record.owner, record.key, now: now) { return earlier }
            try put(record)
            return record
        }
    }

    private func put(_ record: IdempotencyRecord) throws(ETLError) {
        try connection.execute(
            """
            INSERT OR REPLACE INTO idempotency_records(owner, key, question, status, body, expires_at)
            VALUES (?1, ?2, ?3, ?4, ?5, ?6)
            """, record.owner, record.key, record.question, Int64(record.status), record.body,
            record.expiresAt)
    }

    /// Keeps the job of a request with a key.
    func put(_ key: RequestKey, of owner: String?, job: String, now: Int64) throws(ETLError) {
        try put(
            IdempotencyRecord(
                owner: owner ?? "", key: key.text, question: key.question, status: 202,
                body: Array(job.utf8), expiresAt: now + IdempotencyRecord.lifetime))
    }

    /// The record that a key has; nil if there is none, or it has expired.
    package func idempotencyRecord(
        of owner: String, _ key: String, now: Int64
    ) throws(ETLError) -> IdempotencyRecord? {
        guard
            let row = try connection.row(
                """
                SELECT question, status, body, expires_at FROM idempotency_records
                WHERE owner = ?1 AND key = ?2 AND expires_at > ?3
                """, owner, key, now)
        else { return nil }
        return IdempotencyRecord(
            owner: owner, key: key, question: row.string(0), status: Int(row.integer(1)), body: row.bytes(2),
            expiresAt: row.integer(3))
    }

    /// Forgets records that have expired, and the oldest ones if there are too many.
    ///
    /// - Parameter most: Maximum number of records that are left.
    func purgeIdempotencyRecords(now: Int64, leaving most: Int = IdempotencyRecord.most) throws(ETLError) {
        try connection.execute("DELETE FROM idempotency_records WHERE expires_at <= ?1", now)
        try connection.execute(
            """
            DELETE FROM idempotency_records
            WHERE id <= (SELECT id FROM idempotency_records ORDER BY id DESC LIMIT 1 OFFSET ?1)
            """, most)
    }
}
