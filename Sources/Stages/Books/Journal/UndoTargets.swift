import Database
import Pipeline

/// The jobs that an undo takes back. Finding them rejects jobs that cannot be undone.
///
/// A job has *built on* another if, after the other's first run, it changed a row that the other created or
/// changed, has rows that refer to such a row, or has a record about such an entry (``LaterRuns``). Jobs that
/// are undone, and undos themselves, leave nothing behind that is theirs, so they build on nothing.
struct UndoTargets {
    /// Newest first.
    private(set) var jobs: [Job] = []
    private let connection: Connection
    private let known: [Job]
    private let runs: [RunTable.Run]

    /// - Parameter withLater: Whether to take back jobs that have built on the named ones as well.
    /// - Throws: `.missing` if there is no such job; `.usage` if a job is undone, or what it changed is not
    ///   known; `.conflict` if others have built on it.
    init(_ names: [String], withLater: Bool, in connection: Connection) throws(StageFailure) {
        self.connection = connection
        let table = JobTable(connection)
        known = try table.all()
        runs = try SQLiteError.reported { () throws(SQLiteError) in try RunTable(connection).all() }
        for name in names {
            let job = try table.any(name)
            try check(job)
            if !jobs.contains(where: { $0.id == job.id }) { jobs.append(job) }
        }
        var later = try jobsBuiltOn()
        guard later.isEmpty || withLater else { throw builtOn(later) }
        while !later.isEmpty {
            for job in later { try check(job) }
            jobs += later
            later = try jobsBuiltOn()
        }
        let last = Dictionary(runs.map { ($0.job, $0.id) }) { $1 }
        jobs.sort { (last[$0.id] ?? 0, $0.id) > (last[$1.id] ?? 0, $1.id) }
    }

    /// What takes them back.
    var reversal: RunReversal {
        RunReversal(ownRuns, keeping: laterRuns, of: runs, in: connection)
    }

    /// The first row that was created after them.
    var firstRow: Int64 {
        guard let last = ownRuns.last?.id else { return 1 }
        return runs.first { $0.id > last }?.firstRow ?? .max
    }

    /// Whether later jobs stay.
    var hasLater: Bool { !laterRuns.isEmpty }

    /// The jobs that the targets have undone, and that are in effect again when the targets are taken back.
    var redone: [Job] {
        let names = Set(jobs.map(\.name))
        return known.filter { job in job.undoneBy.map(names.contains) == true }
    }

    /// Stores that the jobs are undone by another, and that those they have undone are in effect again.
    func note(undoneBy undo: Job) throws(SQLiteError) {
        let update = try connection.prepare("UPDATE jobs SET undone_by = ?2 WHERE id = ?1")
        for job in redone {
            update.bind(1, job.id)
            update.bindNull(2)
            try update.run()
        }
        for job in jobs {
            update.bind(1, job.id)
            update.bind(2, undo.id)
            try update.run()
        }
    }

    /// The failure if the rows to restore have the keys of rows that were created since.
    func replaced(by jobs: Set<Int64>) -> StageFailure { builtOn(known.filter { jobs.contains($0.id) }) }

    // MARK: Runs

    private var ownRuns: [RunTable.Run] {
        let ids = Set(jobs.map(\.id))
        return runs.filter { ids.contains($0.job) }
    }

    /// The runs after the targets' first one whose effects stay.
    private var laterRuns: [RunTable.Run] {
        let ids = Set(jobs.map(\.id))
        let effective = Set(known.filter { $0.undoneBy == nil && !$0.isUndo }.map(\.id)).subtracting(ids)
        guard let first = ownRuns.first?.id else { return [] }
        return runs.filter { $0.id > first && effective.contains($0.job) }
    }

    private func jobsBuiltOn() throws(StageFailure) -> [Job] {
        let ids = try SQLiteError.reported { () throws(SQLiteError) in
            let later = LaterRuns(laterRuns, in: connection)
            try later.gather()
            let jobs = try later.jobs(holdingRowsOf: ownRuns, among: runs)
            try later.finish()
            return jobs
        }
        return known.filter { ids.contains($0.id) }
    }

    // MARK: Failures

    private func check(_ job: Job) throws(StageFailure) {
        if let undo = job.undoneBy {
            throw StageFailure(
                .usage, "Job `\(job.name)` is undone already.",
                advice: "To bring it back, run \(UserCommand.undo(job: undo)).")
        }
        if job.isUndo {
            let targets = known.filter { job.options?.undoes?.contains($0.id) == true }
            if let other = targets.first(where: { $0.isUndo || $0.undoneBy != job.name }) {
                throw StageFailure(
                    .usage, "Job `\(job.name)` cannot be undone: what it took back was brought back or taken back again since.",
                    advice: "\(UserCommand.jobs) shows which jobs are undone. Undo one of those, not `\(other.name)`.")
            }
        }
        guard runs.allSatisfy({ $0.job != job.id || $0.firstAuthor != nil }) else {
            throw StageFailure(
                .usage, "Job `\(job.name)` cannot be undone: what it changed is not known, or no longer.",
                advice: "Restore a copy of the store that was made before the job.")
        }
    }

    private func builtOn(_ later: [Job]) -> StageFailure {
        let shown = later.prefix(Self.jobsShown).map { "`\($0.name)`" }.joined(separator: ", ")
        let more = later.count > Self.jobsShown ? ", …" : ""
        let names = jobs.map { "`\($0.name)`" }.joined(separator: ", ")
        return StageFailure(
            .conflict,
            "\(later.count == 1 ? "A later job has" : "\(later.count) later jobs have") built on \(names): \(shown)\(more).",
            advice: "To undo \(later.count == 1 ? "it" : "them") as well, use \(UserSetting.withLater).")
    }

    private static let jobsShown = 8
}
