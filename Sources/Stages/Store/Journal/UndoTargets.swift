import Books
import Database
import System

/// The jobs to undo. Finding them rejects jobs that cannot be undone.
///
/// A later job has *built on* another if it changed a row that the other created or changed, has rows that
/// refer to such a row or a record about such an entry (``LaterRuns``), deleted a row to which a restored one
/// refers, or stored a book again that is to come back. Jobs that are undone, and undos themselves, leave
/// nothing behind that is theirs, so they build on nothing.
struct UndoTargets {
    /// Newest first.
    private(set) var jobs: [Job] = []
    private let connection: Connection
    private let known: [Job]
    private let history: RunHistory

    /// - Throws: `.missing` if there is no such job; `.usage` if a job is undone, or its changes are not
    ///   known.
    init(_ names: [String], in connection: Connection) throws(ETLError) {
        self.connection = connection
        let table = JobTable(connection)
        known = try table.all()
        history = try RunHistory(connection)
        for name in names { try add([try table.any(name).id]) }
    }

    /// The targets, and their reversal's rows in temporary tables.
    ///
    /// - Parameter withLater: Whether later jobs that have built on the named ones are targets, too.
    /// - Throws: As the initializer; `.conflict` if later jobs have built on them and are no targets.
    static func gathered(
        _ names: [String], withLater: Bool, _ keys: ReversedKeys, in connection: Connection
    ) throws(ETLError) -> UndoTargets {
        var targets = try UndoTargets(names, in: connection)
        while true {
            let later = try targets.jobsBuiltOn(keys)
            if later.isEmpty { return targets }
            guard withLater else { throw targets.builtOn(by: later) }
            try targets.add(later)
        }
    }

    /// Adds jobs, for example those that have built on the present ones.
    ///
    /// - Throws: As the initializer.
    mutating func add(_ ids: Set<Int64>) throws(ETLError) {
        let present = Set(jobs.map(\.id))
        for job in known where ids.contains(job.id) && !present.contains(job.id) {
            try check(job)
            jobs.append(job)
        }
        let last = Dictionary(history.runs.map { ($0.job, $0.id) }) { $1 }
        jobs.sort { (last[$0.id] ?? 0, $0.id) > (last[$1.id] ?? 0, $1.id) }
    }

    /// The later runs whose effects stay.
    private var later: LaterRuns {
        let effective = Set(known.filter { $0.undoneBy == nil && !$0.isUndo }.map(\.id)).subtracting(ids)
        let first = runs.first?.id ?? .max
        return LaterRuns(
            history.runs.filter { $0.id > first && effective.contains($0.job) }, than: runs, of: history,
            in: connection)
    }

    /// Whether later jobs stay.
    var hasLater: Bool { !later.isEmpty }

    private var ids: Set<Int64> { Set(jobs.map(\.id)) }
    private var runs: [Run] { history.runs(of: ids) }

    /// Their reversal.
    var reversal: RunReversal { RunReversal(runs, keeping: later, of: history, in: connection) }

    /// The jobs that the targets have undone, and that are in effect again when the targets are undone.
    var redone: [Job] {
        let names = Set(jobs.map(\.name))
        return known.filter { job in job.undoneBy.map(names.contains) == true }
    }

    /// The jobs that have built on them. If there are none, the reversal has been gathered.
    func jobsBuiltOn(_ keys: ReversedKeys) throws(ETLError) -> Set<Int64> {
        try later.gather()
        let jobs = try later.jobsBuiltOn()
        guard jobs.isEmpty else { return jobs }
        try reversal.gather()
        let others = try reversal.jobsThatDeletedReferences()
        guard others.isEmpty else { return others }
        return try keys.jobsWithKeysOfRestoredRows(of: runs, history).subtracting(ids)
    }

    /// Stores that the jobs are undone by another, and that those they have undone are in effect again.
    func note(undoneBy undo: Job) throws(ETLError) {
        try JobTable(connection).note(redone, undoneBy: nil)
        try JobTable(connection).note(jobs, undoneBy: undo.id)
    }

    /// Drops the temporary tables.
    func finish() throws(ETLError) {
        try later.finish()
        try reversal.finish()
    }

    // MARK: Failures

    private func check(_ job: Job) throws(ETLError) {
        if let undo = job.undoneBy { throw JobTable.undone(job, by: undo) }
        if job.isUndo {
            let targets = known.filter { job.options?.undoes?.contains($0.id) == true }
            if let other = targets.first(where: { $0.isUndo || $0.undoneBy != job.name }) {
                throw ETLError(
                    .usage,
                    "Job `\(job.name)` cannot be undone: what it undid was restored or undone again since.",
                    advice:
                        "\(UserCommand.jobs) shows which jobs are undone. Undo one of those, not `\(other.name)`."
                )
            }
        }
        let own = history.runs(of: [job.id])
        guard own.allSatisfy(\.isKnown) else {
            throw ETLError(
                .usage, "Job `\(job.name)` cannot be undone: the history of its changes was deleted.",
                advice: "Restore a copy of the store that was made before the job.")
        }
    }

    /// The failure if jobs have built on them.
    func builtOn(by ids: Set<Int64>) -> ETLError {
        let later = known.filter { ids.contains($0.id) }
        let shown = later.prefix(Self.jobsShown).map { "`\($0.name)`" }.joined(separator: ", ")
        let more = later.count > Self.jobsShown ? ", …" : ""
        let names = jobs.map { "`\($0.name)`" }.joined(separator: ", ")
        return ETLError(
            .conflict,
            "\(later.count == 1 ? "A later job has" : "\(later.count) later jobs have") built on \(names): \(shown)\(more).",
            advice: "To undo \(later.count == 1 ? "it" : "them") as well, use \(UserSetting.withLater).")
    }

    private static let jobsShown = 8
}
