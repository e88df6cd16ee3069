package import Books
package import Database
import Syntax
package import System

/// The matches left to the user, and the user's decisions.
///
/// Decisions are remembered by title and author, for all jobs of a private library, or of the libraries that share
/// books: a row imported again gets the book chosen for it. A record with a new decision is pending until its job applies it.
package struct Reviews {
    static let tables = """
        -- Records with possible matches for the user to decide; `options` is a JSON array of BookOption.
        CREATE TABLE reviews(
            job INTEGER NOT NULL,
            file INTEGER NOT NULL,
            row INTEGER NOT NULL,
            title TEXT NOT NULL,
            author TEXT NOT NULL,
            options TEXT NOT NULL,
            PRIMARY KEY(job, file, row)) WITHOUT ROWID;

        -- The user's decisions, by folded title and author; NULL in record means none of the possible matches.
        -- `library` is that of a private library, 0 for the others.
        CREATE TABLE decisions(
            library INTEGER NOT NULL,
            key TEXT NOT NULL,
            provider INTEGER,
            record TEXT,
            decided_at INTEGER NOT NULL,
            PRIMARY KEY(library, key)) WITHOUT ROWID;
        """

    /// The reason of a record that is pending after a decision, as in ``PendingRecords``.
    static let pendingReason = "\(pendingService):decided"
    /// Takes the place of the service in that reason.
    package static let pendingService = "review"

    private let connection: Connection

    package init(_ connection: Connection) { self.connection = connection }

    // MARK: Reading

    private func keyspace(ofJob job: Int64) throws(ETLError) -> Keyspace {
        let library = try connection.integer("SELECT library FROM jobs WHERE id = ?1", job)
        return try LibraryNames(connection).keyspace(ofLibrary: library ?? 0)
    }

    /// All decisions that apply to a job.
    ///
    /// - Throws: `.inputOutput` if a decision cannot be decoded.
    package func decisions(ofJob job: Int64) throws(ETLError) -> MatchDecisions {
        try decisions(in: keyspace(ofJob: job))
    }

    /// All decisions that apply to the libraries of a keyspace.
    ///
    /// - Throws: `.inputOutput` if a decision cannot be decoded.
    package func decisions(in space: Keyspace) throws(ETLError) -> MatchDecisions {
        var decisions = MatchDecisions()
        var unread: Int64?
        let read = try connection.query(
            "SELECT key, provider, record FROM decisions WHERE library = ?1", space.library)
        defer { read.reset() }
        while unread == nil, try read.next() {
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
        if let unread { throw StoreFile.unreadable("a review decision with provider number \(unread)") }
        return decisions
    }

    /// Whether a job has undecided reviews.
    package func isOpen(ofJob job: Int64) throws(ETLError) -> Bool {
        let rows = try ReviewRows(ofJob: job, in: connection)
        while let review = try rows.next() { if review.decision == nil { return true } }
        return false
    }

    /// Whether a job has reviews, decided or not: a decision can be changed at any time.
    package func exist(ofJob job: Int64) throws(ETLError) -> Bool {
        try connection.row("SELECT 1 FROM reviews WHERE job = ?1 LIMIT 1", job) != nil
    }

    // MARK: Writing

    /// Removes the decisions in a private library that a job removed, unless it has books again or they are newer.
    static func drop(of removal: Job, in connection: Connection) throws(ETLError) {
        let space = try LibraryNames(connection).keyspace(ofLibrary: removal.library)
        guard space != .shared else { return }
        try connection.execute(
            """
            DELETE FROM decisions WHERE library = ?1 AND decided_at <= ?2
                AND NOT EXISTS (SELECT 1 FROM entries WHERE library = ?1)
            """, space.library, removal.endedAt ?? removal.updatedAt)
    }

    /// Stores decisions about a job's records and locks the store meanwhile.
    ///
    /// - Parameter now: Milliseconds since 1970.
    /// - Throws: `.temporary` if a run is writing to the store.
    package static func keep(
        _ decided: [ReviewDecision], ofJob job: Int64, in store: String, now: Int64
    ) throws(ETLError) {
        let lock = try StoreLock(store: store)
        defer { withExtendedLifetime(lock) {} }
        try Reviews(StoreFile.openForWriting(store)).keep(decided, ofJob: job, now: now)
    }

    /// Stores the reviews of a batch's records, in the batch's transaction.
    static func note(_ rows: [PreparedRow], ofJob job: Int64, in connection: Connection)
        throws(ETLError)
    {
        guard rows.contains(where: { $0.abstention != nil }) else { return }
        let insert = try connection.prepare(
            "INSERT OR REPLACE INTO reviews(job, file, row, title, author, options) VALUES (?1,?2,?3,?4,?5,?6)"
        )
        for prepared in rows {
            guard let abstention = prepared.abstention else { continue }
            var options = JSONWriter()
            options.array { json in for option in abstention.options { option.write(into: &json) } }
            try insert.run(
                job, prepared.position.file, prepared.position.record, abstention.title, abstention.author,
                String(decoding: options.bytes, as: UTF8.self))
        }
    }

    /// Deletes the undecided reviews of a job that is run again. Decided ones stay, so that the user can see
    /// and revoke them.
    func forgetOpen(ofJob job: Int64) throws(ETLError) {
        let read = try connection.prepare(
            """
            SELECT file, row, title, author FROM reviews
            WHERE job = ?1 AND (file, row) > (?2, ?3) ORDER BY file, row LIMIT \(Self.forgottenAtOnce)
            """)
        let known = try connection.prepare("SELECT 1 FROM decisions WHERE key = ?1 AND library = ?2")
        known.bind(2, try keyspace(ofJob: job).library)
        let delete = try connection.prepare("DELETE FROM reviews WHERE job = ?1 AND file = ?2 AND row = ?3")
        var last: RecordPlace? = RecordPlace(file: -1, row: -1)
        while let place = last {
            last = nil
            var open: [RecordPlace] = []
            read.bind(values: job, place.file, place.row)
            while try read.next() {
                let place = RecordPlace(file: Int(read.integer(0)), row: Int(read.integer(1)))
                last = place
                if try !known.first(MatchKey.key(title: read.string(2), author: read.string(3))) {
                    open.append(place)
                }
                known.reset()
            }
            read.reset()
            for place in open {
                try delete.run(job, place.file, place.row)
            }
        }
    }

    private static let forgottenAtOnce = 1_024

    /// Stores decisions and marks their records as pending, so that the job applies them.
    ///
    /// - Parameter now: Milliseconds since 1970.
    package func keep(
        _ decided: [ReviewDecision], ofJob job: Int64, now: Int64
    ) throws(ETLError) {
        try connection.transaction { () throws(ETLError) in
            let insert = try connection.prepare(
                "INSERT OR REPLACE INTO decisions(key, provider, record, decided_at, library) VALUES (?1,?2,?3,?4,?5)"
            )
            let delete = try connection.prepare("DELETE FROM decisions WHERE key = ?1 AND library = ?2")
            let library = try keyspace(ofJob: job).library
            let mark = try connection.prepare(
                """
                INSERT INTO pending(job, file, row, reasons) VALUES (?1,?2,?3,?4)
                ON CONFLICT DO UPDATE SET reasons = reasons || ',' || ?4 WHERE instr(reasons, ?4) = 0
                """)
            for review in decided {
                if let decision = review.decision {
                    let chosen: ChosenRecord? =
                        if case .accepted(let record) = decision { record } else { nil }
                    try insert.run(
                        review.key, chosen.map { Int64($0.provider.rawValue) }, chosen?.record, now, library)
                } else {
                    try delete.run(review.key, library)
                }
                try mark.run(job, review.place.file, review.place.row, Self.pendingReason)
            }
        }
    }
}
