import Foundation
package import Pipeline

/// What the matcher left to readers, and what they have decided.
///
/// Decisions are remembered by title and author, for all jobs and libraries of the store: a row that is imported again
/// is given what was chosen for it. A record about which something was decided counts as pending until its job has
/// taken it up.
package struct Reviews {
    static let tables = """
        -- Records for which something was found and nothing taken; `options` is a JSON array of BookOption.
        CREATE TABLE reviews(
            job INTEGER NOT NULL,
            file INTEGER NOT NULL,
            row INTEGER NOT NULL,
            title TEXT NOT NULL,
            author TEXT NOT NULL,
            options TEXT NOT NULL,
            PRIMARY KEY(job, file, row)) WITHOUT ROWID;

        -- What readers have decided, by folded title and author; no record: it is none of what was offered.
        CREATE TABLE decisions(
            key TEXT PRIMARY KEY,
            provider INTEGER,
            record TEXT,
            decided_at INTEGER NOT NULL) WITHOUT ROWID;
        """

    /// What a record waits for after a decision, in the words of ``PendingRecords``.
    private static let pendingReason = "\(pendingService):decided"
    /// What stands there in a service's place.
    static let pendingService = "review"

    private let connection: Connection

    package init(_ connection: Connection) { self.connection = connection }

    // MARK: Reading

    /// The records of a job that wait for their reader, in the order of its input.
    package func all(ofJob job: Int64) throws(StageFailure) -> [Review] {
        let decisions = try decisions()
        do {
            let read = try connection.prepare(
                "SELECT file, row, title, author, options FROM reviews WHERE job = ?1 ORDER BY file, row")
            read.bind(1, job)
            var reviews: [Review] = []
            while try read.step() {
                let options = try? JSONDecoder().decode([BookOption].self, from: Data(read.bytes(4)))
                var review = Review(
                    place: RecordPlace(file: Int(read.integer(0)), row: Int(read.integer(1))),
                    title: read.string(2), author: read.string(3), options: options ?? [])
                review.decision = decisions[review.key]
                reviews.append(review)
            }
            return reviews
        } catch {
            throw error.failure
        }
    }

    /// All that was ever decided.
    package func decisions() throws(StageFailure) -> MatchDecisions {
        do {
            let read = try connection.prepare("SELECT key, provider, record FROM decisions")
            var decisions = MatchDecisions()
            while try read.step() {
                let provider = Provider(rawValue: UInt8(truncatingIfNeeded: read.integer(1)))
                decisions.byKey[read.string(0)] =
                    provider.map { .accepted(ChosenRecord(provider: $0, record: read.string(2))) } ?? .refused
            }
            return decisions
        } catch {
            throw error.failure
        }
    }

    // MARK: Writing

    /// Remembers decisions about records of a store that nobody else is writing to.
    ///
    /// - Parameter now: Milliseconds since 1970.
    /// - Throws: `.temporary` when a run writes to it.
    package static func keep(
        _ decided: [(review: Review, decision: MatchDecisions.Decision)], ofJob job: Int64, in store: String,
        now: Int64
    ) throws(StageFailure) {
        let lock = try StoreLock(store: store)
        defer { withExtendedLifetime(lock) {} }
        try Reviews(StoreFile.openForWriting(store)).keep(decided, ofJob: job, now: now)
    }

    /// Notes those of a batch's records that wait for their reader, in the batch's transaction.
    static func note(_ drafts: [ResultDraft], ofJob job: Int64, in connection: Connection) throws(SQLiteError)
    {
        guard drafts.contains(where: { $0.abstention != nil }) else { return }
        let insert = try connection.prepare(
            "INSERT OR REPLACE INTO reviews(job, file, row, title, author, options) VALUES (?1,?2,?3,?4,?5,?6)"
        )
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        for draft in drafts {
            guard let abstention = draft.abstention else { continue }
            let options = (try? encoder.encode(abstention.options)) ?? Data("[]".utf8)
            insert.bind(1, job)
            insert.bind(2, draft.position.file)
            insert.bind(3, draft.position.record)
            insert.bind(4, abstention.title)
            insert.bind(5, abstention.author)
            insert.bind(6, String(decoding: options, as: UTF8.self))
            try insert.run()
        }
    }

    /// Remembers what was decided, each by its review, and marks the records so that the job takes them up.
    ///
    /// - Parameter now: Milliseconds since 1970.
    package func keep(
        _ decided: [(review: Review, decision: MatchDecisions.Decision)], ofJob job: Int64, now: Int64
    ) throws(StageFailure) {
        do {
            try connection.transaction { () throws(SQLiteError) in
                let insert = try connection.prepare(
                    "INSERT OR REPLACE INTO decisions(key, provider, record, decided_at) VALUES (?1,?2,?3,?4)"
                )
                let mark = try connection.prepare(
                    """
                    INSERT INTO pending(job, file, row, reasons) VALUES (?1,?2,?3,?4)
                    ON CONFLICT DO UPDATE SET reasons = reasons || ',' || ?4 WHERE instr(reasons, ?4) = 0
                    """)
                for (review, decision) in decided {
                    insert.bind(1, review.key)
                    if case .accepted(let record) = decision {
                        insert.bind(2, Int64(record.provider.rawValue))
                        insert.bind(3, record.record)
                    } else {
                        insert.bind(2, nil as Int64?)
                        insert.bind(3, nil as String?)
                    }
                    insert.bind(4, now)
                    try insert.run()
                    mark.bind(1, job)
                    mark.bind(2, review.place.file)
                    mark.bind(3, review.place.row)
                    mark.bind(4, Self.pendingReason)
                    try mark.run()
                }
            }
        } catch {
            throw error.failure
        }
    }
}
