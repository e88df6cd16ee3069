import Books
package import Database
import FoundationEssentials
import Pipeline
package import System

/// Reads and writes the jobs of a store.
package struct JobTable {
    let connection: Connection

    package init(_ connection: Connection) { self.connection = connection }

    // MARK: Reading

    private static let columns = """
        j.id, j.name, j.pipeline, l.name, j.format, j.mode, j.status, j.inputs, j.newest_date, j.started_at,
        j.updated_at, j.ended_at, j.total_count, j.file, j.byte, j.line, j.record, j.tail_digest,
        j.created, j.updated, j.duplicates, j.rejected, j.enriched, j.with_isbn, j.isbn_matches, j.busy_ms,
        j.failure, j.options, (SELECT count(*) FROM pending p WHERE p.job = j.id),
        (SELECT count(*) FROM pending p WHERE p.job = j.id AND p.reasons = '\(Reviews.pendingReason)'),
        (SELECT u.name FROM jobs u WHERE u.id = j.undone_by), j.run_state
        """

    /// - Parameters:
    ///   - value: The parameter of the condition.
    ///   - isLast: Whether no further jobs are needed. Reading a job takes twenty microseconds.
    func read(
        _ condition: String, _ value: String? = nil, upTo isLast: (Job) -> Bool = { _ in false }
    ) throws(ETLError) -> [Job] {
        let statement = try connection.prepare(
            "SELECT \(Self.columns) FROM jobs j JOIN libraries l ON l.id = j.library \(condition)")
        if let value { statement.bind(1, value) }
        var jobs: [Job] = []
        while try statement.next() {
            let job = try Self.job(statement)
            jobs.append(job)
            if isLast(job) { break }
        }
        return jobs
    }

    /// The ids of the jobs that are undone, as an SQL query.
    package static let undone = "SELECT id FROM jobs WHERE undone_by IS NOT NULL"

    /// The columns with ids, times, positions and counts.
    private static let numbers: [Int32] = [0] + Array(8...16) + Array(18...25)

    /// - Throws: `.inputOutput` if a row cannot be decoded. A job that lost its options would continue with
    ///   others.
    private static func job(_ row: Statement) throws(ETLError) -> Job {
        let counts = JobCounts(
            booksCreated: Int(row.integer(18)), booksUpdated: Int(row.integer(19)),
            duplicatesSkipped: Int(row.integer(20)), rejected: Int(row.integer(21)),
            enrichmentSucceeded: Int(row.integer(22)))
        func known<Value>(_ value: Value?, _ what: String) throws(ETLError) -> Value {
            guard let value else { throw StoreFile.unreadable("the \(what) of job `\(row.string(1))`") }
            return value
        }
        for column in numbers where !row.isNull(column) && !StoredNumber.range.contains(row.integer(column)) {
            throw StoreFile.unreadable("the numbers of job `\(row.string(1))`")
        }
        let inputs = try? JSONDecoder().decode([SourceFingerprint].self, from: Data(row.bytes(7)))
        var options: JobOptions?
        if let text = row.optionalString(27) {
            options = try known(JobOptions(json: text), "options")
        }
        var runState = JobRunState()
        if let text = row.optionalString(31) { runState = try known(JobRunState(json: text), "state") }
        return Job(
            id: row.integer(0), name: row.string(1), pipeline: row.string(2), library: row.string(3),
            formatName: row.optionalString(4), mode: try known(Job.Mode(rawValue: row.string(5)), "mode"),
            status: try known(JobState(rawValue: row.string(6)), "state"),
            inputs: try known(inputs, "input"), options: options, runState: runState,
            newestDate: row.optionalInteger(8), startedAt: row.integer(9), updatedAt: row.integer(10),
            endedAt: row.optionalInteger(11), totalCount: row.optionalInteger(12).map { Int($0) },
            checkpoint: Position(
                file: Int(row.integer(13)), byte: row.integer(14), line: Int(row.integer(15)),
                record: Int(row.integer(16))),
            tailDigest: row.optionalInteger(17), counts: counts, recordsWithISBN: Int(row.integer(23)),
            recordsMatched: Int(row.integer(24)), busyMilliseconds: row.integer(25),
            failure: row.optionalString(26), pending: Int(row.integer(28)),
            decided: Int(row.integer(29)), undoneBy: row.optionalString(30))
    }

    /// All jobs, newest first.
    package func all() throws(ETLError) -> [Job] { try read("ORDER BY j.id DESC") }

    /// The newest of the jobs that are wanted.
    ///
    /// - Parameters:
    ///   - count: Maximum number of them.
    ///   - latest: How many jobs are looked at, from the newest.
    package func newest(
        most count: Int, among latest: Int, where isWanted: (Job) -> Bool
    ) throws(ETLError) -> [Job] {
        var found = 0
        return try read("ORDER BY j.id DESC LIMIT \(latest)") { job in
            found += isWanted(job) ? 1 : 0
            return found == count
        }.filter(isWanted)
    }

    /// The jobs on files with the same content, newest first.
    package func all(on inputs: [SourceFingerprint]) throws(ETLError) -> [Job] {
        // A store that gets a file every day has many jobs, and nearly all are on other files.
        let digest = inputs.first?.headSHA256 ?? ""
        return try read("WHERE instr(j.inputs, ?1) > 0 ORDER BY j.id DESC", digest).filter {
            Self.isSame($0.inputs, inputs)
        }
    }

    /// A job by its public id.
    package func job(named name: String) throws(ETLError) -> Job? {
        try read("WHERE j.name = ?1", name).first
    }

    /// A job by its public id, by an unambiguous beginning of it, or by its number, such as `j12`.
    ///
    /// - Throws: `.usage` if the ids of several jobs start like that; the message lists them.
    package func job(withPrefix name: String) throws(ETLError) -> Job? {
        if let job = try job(named: name) { return job }
        guard !name.isEmpty else { return nil }
        let orNumber = Job.number(in: name).map { " OR j.id = \($0)" } ?? ""
        let matches = try read(
            "WHERE substr(j.name, 1, length(?1)) = ?1\(orNumber) ORDER BY j.id DESC", name)
        guard matches.count > 1 else { return matches.first }
        let shown = matches.prefix(Self.namesShown).map(\.name).joined(separator: ", ")
        throw ETLError(
            .usage,
            "\(matches.count) job names begin with `\(name)`: \(shown)\(matches.count > Self.namesShown ? ", …" : "").",
            advice: "Type more of the name.")
    }

    private static let namesShown = 8

    /// The newest job with records that is not undone; if there is none, the newest job.
    package func last() throws(ETLError) -> Job? {
        func isWanted(_ job: Job) -> Bool { job.undoneBy == nil && job.hasRecords }
        let jobs = try read("ORDER BY j.id DESC", upTo: isWanted)
        return jobs.last(where: isWanted) ?? jobs.first
    }

    /// The newest job that changed the library, undos included.
    ///
    /// - Throws: `.missing` if there is none.
    package func newestChange() throws(ETLError) -> Job {
        let jobs = try read("ORDER BY j.id DESC", upTo: \.changesLibrary)
        if let job = jobs.last(where: \.changesLibrary) { return job }
        throw ETLError(
            .missing, "No job has changed `\(connection.path)` yet.", advice: "Import a file first.")
    }

    // MARK: Starting

    /// The job that a request continues: the named one, or else the newest on the same input if it is
    /// unfinished.
    package func jobToContinue(_ request: JobRequest) throws(ETLError) -> Job? {
        if let name = request.name {
            if let job = try job(named: name) { return job }
            // A number is taken only as a whole, so it never names a new job by mistake.
            return Job.number(in: name) == nil ? nil : try job(withPrefix: name)
        }
        guard !request.restarts, let job = try newest(on: request) else { return nil }
        return job.isUnfinished ? job : nil
    }

    private func newest(on request: JobRequest) throws(ETLError) -> Job? {
        try all(on: request.inputs).first {
            $0.pipeline == request.pipeline && $0.library == request.library && $0.undoneBy == nil
        }
    }

    /// Starts or continues the job of a request: an unfinished one on the same input, or a new one. Runs in
    /// the caller's transaction.
    ///
    /// - Throws: `.unusableInput` if the named job has another input, `.usage` if it is complete,
    ///   `.configuration` if it belongs to another library or pipeline, `.temporary` if another process has
    ///   started it since the request was made and has read some of its input.
    func start(_ request: JobRequest, now: Int64) throws(ETLError) -> Job {
        let known = try jobToContinue(request)
        if request.restarts {
            if let known { try forget(known, freeing: true) }
            if let unfinished = try newest(on: request), unfinished.isUnfinished {
                try forget(unfinished, freeing: false)
            }
            return try create(request, now: now)
        }
        guard let known else { return try create(request, now: now) }
        if let undo = known.undoneBy { throw Self.undone(known, by: undo) }
        guard known.isUnfinished || request.finishesPending else { throw Self.completed(known) }
        guard known.library == request.library, known.pipeline == request.pipeline else {
            throw ETLError(
                .configuration,
                "Job `\(known.name)` belongs to library `\(known.library)` and pipeline `\(known.pipeline)`, "
                    + "not to library `\(request.library)` and pipeline `\(request.pipeline)`.",
                advice: "Specify another name with \(UserSetting.job).")
        }
        guard Self.isSame(known.inputs, request.inputs) else { throw Self.changed(known) }
        guard known.checkpoint == .start || known.id == request.continues else {
            throw ETLError(
                .temporary, "Job `\(known.name)` was just started by another etl process.",
                advice: "Run the same command again.")
        }
        return try resume(known, now: now)
    }

    /// Cancels an unfinished job in favor of a new one.
    ///
    /// - Parameter freeing: Whether the new job takes its name.
    private func forget(_ job: Job, freeing: Bool) throws(ETLError) {
        guard job.isUnfinished else { throw Self.completed(job) }
        // Shortened, so that the name stays valid with the appended number.
        let name = freeing ? "substr(name, 1, 40) || '.' || id" : "name"
        try connection.execute("UPDATE jobs SET status = 'canceled', name = \(name) WHERE id = ?1", job.id)
        try connection.execute("DELETE FROM job_inputs WHERE job = ?1", job.id)
    }

    /// The failure of a command that needs a finished job.
    package static func unfinished(_ job: Job) -> ETLError {
        ETLError(
            .temporary, "Job `\(job.name)` is unfinished.",
            advice: "Run \(UserCommand.resume(job: job.name)) first.")
    }

    /// The failure of a command that continues a job that was undone.
    package static func undone(_ job: Job, by undo: String) -> ETLError {
        ETLError(
            .usage, "Job `\(job.name)` is undone.",
            advice: "To bring it back, run \(UserCommand.undo(job: undo)).")
    }

    static func completed(_ job: Job) -> ETLError {
        ETLError(
            .usage,
            "Job `\(job.name)` has already completed, with \(job.inputs.map(\.name).joined(separator: ", ")).",
            advice: "Specify another name, or leave out \(UserSetting.job).")
    }

    /// Whether the contents are the same, whatever the files' names.
    package static func isSame(_ a: [SourceFingerprint], _ b: [SourceFingerprint]) -> Bool {
        a.count == b.count && zip(a, b).allSatisfy { $0.isSame(as: $1) }
    }

    package static func changed(_ job: Job) -> ETLError {
        let names = job.inputs.map(\.name)
        let shown =
            names.count == 1 ? "`\(names[0])` has changed" : "\(names.joined(separator: ", ")) have changed"
        let dates = job.options?.explicitDateOrder
        return ETLError(
            .unusableInput, "\(shown) since job `\(job.name)` started.",
            advice: """
                Restore the old file, or start over with \
                \(UserCommand.restart(file: names.count == 1 ? names[0] : nil, dates: dates)). To exclude the job from \
                \(UserCommand.retry), run \(UserCommand.cancel(job: job.name)).
                """)
    }

    /// Continues an unfinished job.
    func resume(_ job: Job, now: Int64) throws(ETLError) -> Job {
        var job = job
        job.status = .processing
        job.updatedAt = now
        try connection.execute(
            """
            UPDATE jobs SET status = 'processing', failure = NULL, ended_at = NULL,
            updated_at = ?1 WHERE id = ?2
            """, now, job.id)
        return job
    }

    /// Stores a job that changes stored rows, as completed.
    ///
    /// - Throws: `.usage` if the name is taken.
    func createChange(
        _ name: String, pipeline: String, _ options: JobOptions, _ state: JobRunState = JobRunState(),
        library: String, now: Int64
    ) throws(ETLError) -> Job {
        if let taken = try job(named: name) { throw Self.completed(taken) }
        var request = JobRequest(
            name: name, freshName: name, pipeline: pipeline, library: library, formatName: nil, inputs: [],
            options: options, totalCount: 0)
        request.runState = state
        let job = try create(request, now: now)
        try connection.execute(
            "UPDATE jobs SET status = 'completed', ended_at = ?1 WHERE id = ?2", now, job.id)
        return try existing(name)
    }

    /// Stores that jobs are undone by another one, or that they are in effect again.
    ///
    /// - Parameter undo: The row id of the other job; nil if they are in effect.
    func note(_ jobs: [Job], undoneBy undo: Int64?) throws(ETLError) {
        let update = try connection.prepare("UPDATE jobs SET undone_by = ?2 WHERE id = ?1")
        for job in jobs {
            try update.run(job.id, undo)
        }
    }

    /// Keeps the books of a library apart from those of others, unless it has some already.
    private func makePrivate(_ library: Int64) throws(ETLError) {
        let isShared = try connection.integer("SELECT is_private FROM libraries WHERE id = ?1", library) == 0
        guard isShared else { return }
        // A new library has no jobs. Without an index by library, all entries would be read.
        let isNew = try connection.row("SELECT 1 FROM jobs WHERE library = ?1 LIMIT 1", library) == nil
        if !isNew, try connection.row("SELECT 1 FROM entries WHERE library = ?1 LIMIT 1", library) != nil {
            return
        }
        guard library <= Keyspace.lastLibrary else {
            throw ETLError(
                .tooLarge, "The store has \(library) libraries. A private library cannot be added.",
                advice: "Use another store for it.")
        }
        try connection.execute("UPDATE libraries SET is_private = 1 WHERE id = ?1", library)
    }

    private func create(_ request: JobRequest, now: Int64) throws(ETLError) -> Job {
        let name = request.name ?? request.freshName
        guard Job.number(in: name) == nil else {
            throw ETLError(
                .usage, "No job has the number `\(name)`, and a new job cannot be called so.",
                advice: "Specify another name, such as `spring`, with \(UserSetting.job).")
        }
        let library = try InternTable.number(
            of: [request.library], in: "libraries", columns: ["name"], connection)
        if request.isPrivate { try makePrivate(library) }
        let newer = try newerExport(than: request, library: library, now: now)
        let mode: Job.Mode = request.options?.refresh != nil ? .refresh : newer == nil ? .update : .fill
        var options = request.options
        options?.newer = newer
        try connection.execute(
            """
            INSERT INTO jobs(name, pipeline, library, format, mode, status, inputs, options, newest_date,
                started_at, updated_at, total_count, run_state)
            VALUES (?1,?2,?3,?4,?5,'processing',?6,?7,?8,?9,?9,?10,?11)
            """, name, request.pipeline, library, request.formatName, mode.rawValue,
            try Self.json(request.inputs), try options.map(Self.json), request.newestDate, now,
            request.totalCount, try Self.json(request.runState))
        guard let job = try read("WHERE j.name = ?1", name).first else {
            throw ETLError(
                .bug, "Job `\(name)` was written but cannot be read back.", advice: "Please report this bug.")
        }
        return job
    }

    /// Stores the results of a job's runs.
    func keep(_ state: JobRunState, of job: Job) throws(ETLError) {
        try connection.execute(
            "UPDATE jobs SET run_state = ?2 WHERE id = ?1", job.id, try Self.json(state))
    }

    private static func json(_ value: some Encodable) throws(ETLError) -> String {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        do { return String(decoding: try encoder.encode(value), as: UTF8.self) } catch {
            throw ETLError(.bug, "\(error)")
        }
    }
}

extension JobTable {
    /// A job whose records are in the library: the one with this name or beginning of a name, or the newest.
    ///
    /// - Throws: `.missing` if there is none, `.usage` if several names start like that, or if it is undone.
    package func existing(_ name: String?) throws(ETLError) -> Job {
        let job = try any(name)
        if let undo = job.undoneBy { throw Self.undone(job, by: undo) }
        return job
    }

    /// A job that must exist, undone or not.
    ///
    /// - Throws: `.missing` if there is none, `.usage` if several names start like that.
    package func any(_ name: String?) throws(ETLError) -> Job {
        if let name {
            if let job = try job(withPrefix: name) { return job }
            throw ETLError(
                .missing, "There is no job `\(name)` in `\(connection.path)`.",
                advice: Spelling.nearest(to: name, among: try all().map(\.name)).map {
                    "Did you mean `\($0)`?"
                }
                    ?? "\(UserCommand.jobs) lists the jobs of the store.")
        }
        if let job = try last() { return job }
        throw ETLError(.missing, "`\(connection.path)` has no jobs yet.", advice: "Import a file first.")
    }
}

extension Job {
    /// The name of an input file; nil if the job has only one.
    package func fileName(_ index: Int) -> String? {
        inputs.count > 1 && inputs.indices.contains(index) ? inputs[index].name : nil
    }
}
