package import Database
package import Pipeline
import Syntax

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
    static let pendingReason = "\(pendingService):decided"
    /// What stands there in a service's place.
    package static let pendingService = "review"

    private let connection: Connection

    package init(_ connection: Connection) { self.connection = connection }

    // MARK: Reading

    /// All that was ever decided.
    ///
    /// - Throws: `.inputOutput` for a decision that cannot be read.
    package func decisions() throws(StageFailure) -> MatchDecisions {
        var decisions = MatchDecisions()
        var unread: Int64?
        do {
            let read = try connection.prepare("SELECT key, provider, record FROM decisions")
            while unread == nil, try read.step() {
                guard !read.isNull(1) else {
                    decisions.byKey[read.string(0)] = .refused
                    continue
                }
                guard let provider = UInt8(exactly: read.integer(1)).flatMap(Provider.init(rawValue:)) else {
                    unread = read.integer(1)
                    continue
                }
                decisions.byKey[read.string(0)] = .accepted(
                    ChosenRecord(provider: provider, record: read.string(2)))
            }
        } catch {
            throw error.failure
        }
        if let unread { throw StoreFile.unreadable("a decision, whose provider has the number \(unread),") }
        return decisions
    }

    /// Whether a job has records about which nothing is decided yet.
    package func isOpen(ofJob job: Int64) throws(StageFailure) -> Bool {
        let rows = try ReviewRows(ofJob: job, in: connection)
        while let review = try rows.next() { if review.decision == nil { return true } }
        return false
    }

    // MARK: Writing

    /// Remembers decisions about records of a store that nobody else is writing to.
    ///
    /// - Parameters:
    ///   - now: Milliseconds since 1970.
    /// - Throws: `.temporary` when a run writes to it.
    package static func keep(
        _ decided: [ReviewDecision], ofJob job: Int64, in store: String, now: Int64
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
        for draft in drafts {
            guard let abstention = draft.abstention else { continue }
            var options = JSONWriter()
            options.array { json in for option in abstention.options { option.write(into: &json) } }
            insert.bind(1, job)
            insert.bind(2, draft.position.file)
            insert.bind(3, draft.position.record)
            insert.bind(4, abstention.title)
            insert.bind(5, abstention.author)
            insert.bind(6, String(decoding: options.bytes, as: UTF8.self))
            try insert.run()
        }
    }

    /// Forgets the open reviews of a job that is run again; those that are decided stay, to be looked at and taken back.
    func forgetOpen(ofJob job: Int64) throws(SQLiteError) {
        let read = try connection.prepare(
            """
            SELECT file, row, title, author FROM reviews
            WHERE job = ?1 AND (file, row) > (?2, ?3) ORDER BY file, row LIMIT \(Self.forgottenAtOnce)
            """)
        let known = try connection.prepare("SELECT 1 FROM decisions WHERE key = ?1")
        let delete = try connection.prepare("DELETE FROM reviews WHERE job = ?1 AND file = ?2 AND row = ?3")
        var last: RecordPlace? = RecordPlace(file: -1, row: -1)
        while let place = last {
            last = nil
            var open: [RecordPlace] = []
            read.bind(1, job)
            read.bind(2, place.file)
            read.bind(3, place.row)
            while try read.step() {
                let place = RecordPlace(file: Int(read.integer(0)), row: Int(read.integer(1)))
                last = place
                known.bind(1, MatchKey.key(title: read.string(2), author: read.string(3)))
                if try !known.step() { open.append(place) }
                known.reset()
            }
            read.reset()
            for place in open {
                delete.bind(1, job)
                delete.bind(2, place.file)
                delete.bind(3, place.row)
                try delete.run()
            }
        }
    }

    private static let forgottenAtOnce = 1_024

    /// Remembers what was decided, each by its review, and marks the records so that the job takes them up.
    ///
    /// - Parameters:
    ///   - now: Milliseconds since 1970.
    package func keep(
        _ decided: [ReviewDecision], ofJob job: Int64, now: Int64
    ) throws(StageFailure) {
        do {
            try connection.transaction { () throws(SQLiteError) in
                let insert = try connection.prepare(
                    "INSERT OR REPLACE INTO decisions(key, provider, record, decided_at) VALUES (?1,?2,?3,?4)"
                )
                let delete = try connection.prepare("DELETE FROM decisions WHERE key = ?1")
                let mark = try connection.prepare(
                    """
                    INSERT INTO pending(job, file, row, reasons) VALUES (?1,?2,?3,?4)
                    ON CONFLICT DO UPDATE SET reasons = reasons || ',' || ?4 WHERE instr(reasons, ?4) = 0
                    """)
                for review in decided {
                    if let decision = review.decision {
                        let chosen: ChosenRecord? =
                            if case .accepted(let record) = decision { record } else { nil }
                        insert.bind(1, review.key)
                        insert.bind(2, chosen.map { Int64($0.provider.rawValue) })
                        insert.bind(3, chosen?.record)
                        insert.bind(4, now)
                        try insert.run()
                    } else {
                        delete.bind(1, review.key)
                        try delete.run()
                    }
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
