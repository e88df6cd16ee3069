import Store
import System

/// `etl resume`: continues a job that is unfinished or has pending records.
enum ResumeCommand: Command {
    // With --job, it is the first file.
    static let job = Argument.optional(
        "JOB", canBePath: true,
        "Name of the job, or the beginning of its name (default: the newest unfinished or pending job)")
    static let files = Argument.many(
        "FILE", "New paths of the job's files, if they were moved; - is standard input")

    static let spec = CommandSpec(
        "resume", summary: "Continue a job that is unfinished or has pending records",
        details: [
            "A job that was stopped or killed continues after its last committed batch. No record is imported "
                + "twice. The input must be unchanged while records are unread; after that, the store has a copy "
                + "if one is needed. Without a name, continues the newest job that is unfinished or "
                + "has pending records. If no job does, the exit status is 0. If you name the job with --job, all "
                + "arguments are files.",
            "The job keeps its catalogs, format, columns, limit and library. You do not have to repeat these options; "
                + "other values are errors. It also keeps its error budget, unless --max-errors sets another one. "
                + "After exit status 4 the remaining records get a fresh budget.",
            "A refresh continues with the remaining books. Its command, `etl enrich`, does the same and takes "
                + "--max-calls and --max-time.",
        ],
        arguments: [job.spec, files.spec], options: RunOptions.all,
        showing: RunOptions.usual,
        examples: [
            .init("etl resume", "Continue the newest unfinished or pending job"),
            .init("etl resume spring-import moved/library.csv", "Continue a job whose file was moved"),
            .init("etl resume --db ours.sqlite --json", "Print the closing report as JSON"),
        ],
        objection: { arguments in
            arguments[RunOptions.restart]
                ? Objection(
                    "`etl resume` continues a job and cannot be combined with `--restart`.",
                    advice: "To start over, use `etl import --restart FILE`.")
                : RunOptions.objection(arguments)
        })

    static func run(_ arguments: ParsedArguments, _ console: Console) async throws(CommandFailure)
        -> ExitStatus
    {
        let store = DefaultPaths.store(arguments, RunOptions.db)
        let (name, files) = jobAndFiles(arguments)
        let resumption = ResumeSession(arguments: arguments, console: console)
        guard let last = try JobLookup.find(name, in: store) else {
            try resumption.reportNothing(
                "`\(store)` has no jobs: nothing to resume.", of: nil, in: store)
            return .completed
        }
        if ResumeSession.isDue(last) { return try await resumption.run(last, files: files) }
        if name == nil, let waiting = try lastWaiting(in: store) {
            console.note(
                "Continuing job `\(waiting.name)` (\(ResumeSession.due(waiting))). The newest job, `\(last.name)`, has nothing left to do."
            )
            return try await resumption.run(waiting)
        }
        try resumption.reportNothing(
            "Job `\(last.name)` has completed and has no pending records: nothing to resume.", of: last,
            in: store)
        return .completed
    }

    /// The name of the job, and the new paths of its files. With `--job` every argument is a file.
    private static func jobAndFiles(_ arguments: ParsedArguments) -> (name: String?, files: [String]) {
        guard let name = arguments[RunOptions.job] else { return (arguments[job], arguments[files]) }
        return (name, [arguments[job]].compactMap { $0 } + arguments[files])
    }

    /// The newest job that has something to do and was not canceled.
    private static func lastWaiting(in store: String) throws(CommandFailure) -> Job? {
        try JobLookup.all(in: store).first { ResumeSession.isDue($0) && !ResumeSession.isSuspended($0) }
    }
}
