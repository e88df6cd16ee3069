import Books
package import Contract
import Database
import FoundationEssentials
import Glibc
import Store
import Synchronization
package import System

/// Durable state of a server, in a file next to its store (`library.sqlite.server`): queued jobs, how they
/// ended, hashes of tokens, and answers to requests with idempotency keys.
///
/// It is not in the store, because an import locks the store for as long as it runs. Everything is on disk when a
/// call returns.
package actor JobQueue {
    private nonisolated let executor = QueueExecutor(label: "etl.queue")
    package nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }

    let connection: Connection
    /// Ends of jobs that could not be written.
    var unwritten: [JobEnd] = []
    nonisolated let unwrittenCount = Atomic<Int>(0)
    /// Admits one server to a store, for the lifetime of the process.
    private nonisolated let lock: Int32

    /// `etlq`.
    private static let applicationID: Int64 = 0x6574_6C71
    /// Increased with each change of the tables.
    private static let version: Int64 = 2

    private static let tables = """
        CREATE TABLE queued_jobs(
            id INTEGER PRIMARY KEY,
            job TEXT NOT NULL,
            options TEXT NOT NULL,
            owner TEXT,
            state TEXT NOT NULL,
            runs INTEGER NOT NULL DEFAULT 0,
            accepted_at INTEGER NOT NULL,
            ended_at INTEGER,
            expires_at INTEGER,
            last_event INTEGER,
            message BLOB);
        CREATE INDEX queued_jobs_job ON queued_jobs(job);
        CREATE TABLE tokens(
            hash BLOB PRIMARY KEY, job TEXT NOT NULL, expires_at INTEGER NOT NULL, renewed_at INTEGER) WITHOUT ROWID;
        \(idempotencyTables)
        \(nightlyTables)
        \(webhookTables)
        \(SearchAnswers.tables)
        PRAGMA application_id = \(applicationID);
        PRAGMA user_version = \(version);
        """

    /// Opens the file of a store, and creates it if necessary. Only the user can read it.
    ///
    /// - Throws: `.temporary` if another server uses it.
    package init(store: String) throws(ETLError) {
        let path = Self.path(of: store)
        lock = try Self.lock(path + ".lock", store)
        guard let descriptor = try SidecarFile.open(path, O_RDWR | O_CREAT) else {
            throw ETLError(
                .cannotCreate, "`\(path)` cannot be created: \(String(cString: strerror(errno))).",
                advice: "Check the folder's permissions, or specify another store with \(UserSetting.store).")
        }
        close(descriptor)
        let connection = try Connection(path, .readWrite)
        switch try connection.integer("PRAGMA application_id") {
        case Self.applicationID:
            guard try connection.integer("PRAGMA user_version") == Self.version else {
                throw ETLError(
                    .configuration, "The job queue `\(path)` was made by another version of etl.",
                    advice: "Let its jobs finish with that version, then move the file away.")
            }
        case 0 where try connection.integer("SELECT count(*) FROM sqlite_schema") == 0:
            try connection.transaction { () throws(ETLError) in try connection.execute(Self.tables) }
        default: throw SidecarFile.refusal(path, "is another program's database")
        }
        _ = try connection.string("PRAGMA journal_mode = WAL")
        // A client that has an answer may rely on it, whatever happens to the machine.
        try connection.execute("PRAGMA synchronous = FULL")
        self.connection = connection
    }

    deinit { close(lock) }

    /// Lets another server use the store. Nothing may be written afterwards.
    package nonisolated func release() { flock(lock, LOCK_UN) }

    /// The path of a store's file.
    package static func path(of store: String) -> String { StorePath.real(store) + ".server" }

    private static func lock(_ path: String, _ store: String) throws(ETLError) -> Int32 {
        guard let descriptor = try SidecarFile.open(path, O_RDWR | O_CREAT) else {
            throw ETLError(
                .cannotCreate, "`\(path)` cannot be created: \(String(cString: strerror(errno))).",
                advice: "Check the folder's permissions, or specify another store with \(UserSetting.store).")
        }
        guard flock(descriptor, LOCK_EX | LOCK_NB) == 0 else {
            close(descriptor)
            throw ETLError(
                .temporary, "Another server uses `\(store)`.",
                advice: "Stop it, or specify another store with \(UserSetting.store).")
        }
        return descriptor
    }
}

/// Why a job is not accepted.
package enum JobRefusal: Error, Sendable {
    /// - Parameter status: HTTP status; nil for the error's own.
    case refused(ResponseError, status: Int? = nil)
    case failed(ETLError)

    /// What is wrong, in one sentence.
    package var message: String {
        switch self {
        case .refused(let error, _): error.message
        case .failed(let failure): failure.message
        }
    }
}

extension JobQueue {
    /// Result of adding a job.
    package enum Addition: Sendable {
        case added(QueuedJob)
        /// An earlier request with the key has a job. The token is now that job's.
        case repeated(JobToken)
        /// The key belongs to a request that asks something else.
        case asksOther
        case refused(JobRefusal)
    }

    /// Keeps a new job with the hash of its token, or finds the job that its request's key has, in one transaction. The
    /// answer itself is not kept: it has a token, of which only the hash may be stored.
    ///
    /// - Parameters:
    ///   - replaced: A job that ends in the same transaction; nil for none.
    ///   - now: Milliseconds since 1970, as in all other calls.
    ///   - refuse: Called if the request has no job yet. It says why it gets none; nil if it gets one.
    ///   - register: Called when the new job is on disk, before ``refuse`` is called for another one.
    package func add(
        _ options: ImportOptions, owner: String?, token: JobToken, key: RequestKey? = nil,
        replacing replaced: (id: Int64, ending: JobEnding)? = nil, now: Int64,
        refusing refuse: @Sendable () -> JobRefusal? = { nil },
        registering register: @Sendable (QueuedJob) -> Void = { _ in }
    ) throws(ETLError) -> Addition {
        let addition = try connection.transaction { () throws(ETLError) -> Addition in
            if let key, let earlier = try idempotencyRecord(of: owner ?? "", key.text, now: now) {
                guard earlier.question == key.question else { return .asksOther }
                var token = token
                token.job = String(decoding: earlier.body, as: UTF8.self)
                try put(token)
                return .repeated(token)
            }
            if let refusal = refuse() { return .refused(refusal) }
            if let key { try put(key, of: owner, job: options.job, now: now) }
            if let replaced { try end(replaced.id, replaced.ending) }
            return .added(try insert(options, owner: owner, token: token, now: now))
        }
        if case .added(let job) = addition { register(job) }
        return addition
    }

    private func insert(
        _ options: ImportOptions, owner: String?, token: JobToken, now: Int64
    ) throws(ETLError) -> QueuedJob {
        try connection.execute(
            "INSERT INTO queued_jobs(job, options, owner, state, accepted_at) VALUES (?1, ?2, ?3, 'waiting', ?4)",
            options.job, Self.json(options), owner, now)
        let id = connection.lastRowID
        try put(token)
        return QueuedJob(id: id, options: options, owner: owner, state: .waiting, runs: 0, acceptedAt: now)
    }

    /// A job begins to run.
    ///
    /// - Returns: How often jobs with its name were begun, this time included.
    package func begin(_ id: Int64) throws(ETLError) -> Int {
        try connection.execute("UPDATE queued_jobs SET state = 'running', runs = runs + 1 WHERE id = ?1", id)
        let runs = try connection.integer(
            "SELECT sum(runs) FROM queued_jobs WHERE job = (SELECT job FROM queued_jobs WHERE id = ?1)", id)
        return Int(runs ?? 1)
    }

    /// A job goes back among those that wait, because the server stops.
    package func postpone(_ id: Int64) throws(ETLError) {
        try connection.execute("UPDATE queued_jobs SET state = 'waiting' WHERE id = ?1", id)
    }

    /// A job waits for services, as its options say.
    package func keep(_ options: ImportOptions, of id: Int64) throws(ETLError) {
        try connection.execute(
            "UPDATE queued_jobs SET state = 'waiting', options = ?2 WHERE id = ?1", id, Self.json(options))
    }

    /// A job has worked for so many milliseconds in all its runs.
    func keep(worked milliseconds: Int64, of id: Int64) throws(ETLError) {
        try connection.execute(
            "UPDATE queued_jobs SET options = json_set(options, '$.worked', ?2) WHERE id = ?1", id,
            milliseconds)
    }

    /// A job has ended.
    ///
    /// - Parameter delivery: The message about it, which is kept with its end; nil if nobody is told.
    package func end(
        _ id: Int64, _ ending: JobEnding, telling delivery: WebhookDelivery? = nil
    ) throws(ETLError) {
        try connection.transaction { () throws(ETLError) in
            try connection.execute(
                """
                UPDATE queued_jobs SET state = ?2, ended_at = ?3, expires_at = ?4, last_event = ?5, message = ?6
                WHERE id = ?1
                """, id, ending.state.rawValue, ending.endedAt, ending.expiresAt, ending.lastEvent,
                ending.message)
            if let delivery { try put(delivery) }
        }
    }

    /// All queued jobs, in the order of their acceptance. Those that can no longer be read are left out.
    package func all() throws(ETLError) -> [QueuedJob] {
        let rows = try connection.prepare(
            """
            SELECT id, options, owner, state, runs, accepted_at, ended_at, expires_at, last_event, message
            FROM queued_jobs ORDER BY id
            """)
        var jobs: [QueuedJob] = []
        while try rows.next() {
            guard let options = try? JSONDecoder().decode(ImportOptions.self, from: Data(rows.bytes(1))),
                let state = QueuedJob.State(rawValue: rows.string(3))
            else { continue }
            var kept = QueuedJob(
                id: rows.integer(0), options: options, owner: rows.optionalString(2), state: state,
                runs: Int(rows.integer(4)), acceptedAt: rows.integer(5))
            if state.isEnd {
                kept.ending = JobEnding(
                    state: state, endedAt: rows.integer(6), expiresAt: rows.integer(7),
                    lastEvent: rows.integer(8), message: rows.bytes(9))
            }
            jobs.append(kept)
        }
        return jobs
    }

    /// Forgets jobs, tokens and idempotency records that are no longer of use.
    package func purge(now: Int64) throws(ETLError) {
        try connection.execute("DELETE FROM queued_jobs WHERE expires_at < ?1", now)
        try connection.execute(
            """
            DELETE FROM tokens
            WHERE expires_at + ?2 < ?1 AND job NOT IN (SELECT job FROM queued_jobs)
            """, now, JobToken.grace)
        try purgeIdempotencyRecords(now: now)
    }

    /// A value as it is stored.
    static func json(_ value: some Encodable) -> String {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        // Strings, numbers and flags can always be encoded.
        return (try? encoder.encode(value)).map { String(decoding: $0, as: UTF8.self) } ?? ""
    }
}
