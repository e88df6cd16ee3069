import Database
package import System

/// A message for the webhook about the end of a job. It is kept until the receiver has taken it, so it arrives at least
/// once: the receiver tells copies by its id. Moments are milliseconds since 1970.
package struct WebhookDelivery: Sendable, Hashable {
    /// Pause after the first failure, and the longest one, in milliseconds. Each is twice as long as the one before.
    private static let (shortest, longest): (Int64, Int64) = (10_000, 3_600_000)
    /// Time after which nobody tries any more.
    private static let lifetime: Int64 = 24 * 3_600_000
    /// Maximum number of messages that wait. The oldest ones give way, so that a silent receiver cannot fill the disk.
    static let most = 10_000

    /// Its number; later ones have higher ones.
    package let number: Int64
    /// Identifies the message, in all attempts.
    package let id: String
    /// The name of the event: `job.completed`.
    package let event: String
    package let body: [UInt8]
    package let madeAt: Int64
    /// Number of attempts that have failed.
    package private(set) var failures: Int
    /// When the next attempt is due.
    package private(set) var dueAt: Int64

    package init(
        number: Int64 = 0, id: String, event: String, body: [UInt8], madeAt: Int64, failures: Int = 0,
        dueAt: Int64
    ) {
        self.number = number
        self.id = id
        self.event = event
        self.body = body
        self.madeAt = madeAt
        self.failures = failures
        self.dueAt = dueAt
    }

    /// An attempt has failed.
    ///
    /// - Parameter pause: How long the receiver asks to wait, in milliseconds; nil if it does not say.
    /// - Returns: Whether there will be another one.
    package mutating func fail(at now: Int64, pause: Int64?) -> Bool {
        failures += 1
        let own = min(Self.longest, Self.shortest << Int64(min(failures - 1, 16)))
        dueAt = now + max(own, min(pause ?? 0, Self.longest))
        return dueAt - madeAt < Self.lifetime
    }
}

extension JobQueue {
    static let webhookTables = """
        CREATE TABLE webhook_deliveries(
            number INTEGER PRIMARY KEY,
            id TEXT NOT NULL,
            event TEXT NOT NULL,
            body BLOB NOT NULL,
            made_at INTEGER NOT NULL,
            failures INTEGER NOT NULL,
            due_at INTEGER NOT NULL);
        """

    /// Keeps a new message, in the caller's transaction.
    func put(_ delivery: WebhookDelivery) throws(ETLError) {
        try connection.execute(
            """
            INSERT INTO webhook_deliveries(id, event, body, made_at, failures, due_at)
            VALUES (?1, ?2, ?3, ?4, ?5, ?6)
            """, delivery.id, delivery.event, delivery.body, delivery.madeAt, Int64(delivery.failures),
            delivery.dueAt)
        try connection.execute(
            """
            DELETE FROM webhook_deliveries WHERE number <=
                (SELECT number FROM webhook_deliveries ORDER BY number DESC LIMIT 1 OFFSET \(WebhookDelivery.most))
            """)
    }

    /// The message whose attempt is due, the oldest first, and the number of all; nil if none is due.
    package func nextDelivery(at now: Int64) throws(ETLError) -> (delivery: WebhookDelivery?, waiting: Int) {
        let waiting = Int(try connection.number("SELECT count(*) FROM webhook_deliveries"))
        let row = try connection.row(
            """
            SELECT number, id, event, body, made_at, failures, due_at FROM webhook_deliveries
            WHERE due_at <= ?1 ORDER BY number LIMIT 1
            """, now)
        return (
            row.map { row in
                WebhookDelivery(
                    number: row.integer(0), id: row.string(1), event: row.string(2), body: row.bytes(3),
                    madeAt: row.integer(4), failures: Int(row.integer(5)), dueAt: row.integer(6))
            }, waiting
        )
    }

    /// The next attempt is due later.
    package func postpone(_ delivery: WebhookDelivery) throws(ETLError) {
        try connection.execute(
            "UPDATE webhook_deliveries SET failures = ?2, due_at = ?3 WHERE number = ?1", delivery.number,
            Int64(delivery.failures), delivery.dueAt)
    }

    /// A message has arrived, or nobody tries any more.
    package func remove(_ delivery: WebhookDelivery) throws(ETLError) {
        try connection.execute("DELETE FROM webhook_deliveries WHERE number = ?1", delivery.number)
    }
}
