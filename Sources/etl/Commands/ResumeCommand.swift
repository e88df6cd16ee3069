import Books
import Pipeline

/// `etl resume`: continues a job that is unfinished or has pending records.
enum ResumeCommand: Command {
    static let job = StoreOptions.jobArgument
    static let files = Argument.many(
        "FILE", "New places of the job's files, if they were moved; - is standard input")

    static let spec = CommandSpec(
        "resume", summary: "Continue a job that is unfinished or has pending records",
        details: [
            "A job that was stopped or killed continues after its last committed batch. Nothing is done twice. The "
                + "input must be unchanged. Without a name, the newest job that is unfinished or has pending records "
                + "is continued. If there is none, the exit status is 0. With --job each argument is a FILE.",
            "The job keeps its catalogs, format, columns, limit and library: you do not have to repeat these options, "
                + "and you cannot change them. It also keeps its error budget, unless --max-errors sets another one. "
                + "After exit status 4 the remaining records get a fresh budget.",
        ],
        arguments: [job.spec, files.spec], options: RunOptions.all,
        examples: [
            .init("etl resume", "Continue the newest job with something to do"),
            .init("etl resume spring-import moved/library.csv", "Continue a job whose file was moved"),
            .init("etl resume --db ours.sqlite --json", "Print the closing summary as JSON"),
        ],
        objection: { arguments in
            arguments[RunOptions.restart]
                ? "`etl resume` continues a job. To start a new one, use `etl import --restart FILE`."
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
                "\(store) has no jobs: nothing to resume.", of: nil, in: store)
            return .completed
        }
        if ResumeSession.isDue(last) { return try await resumption.run(last, files: files) }
        if name == nil, let waiting = try lastWaiting(in: store) {
            console.note(
                "Continuing job \(waiting.name) (\(ResumeSession.due(waiting))). The newest job, \(last.name), is complete."
            )
            return try await resumption.run(waiting)
        }
        try resumption.reportNothing(
            "Job \(last.name) is complete and has no pending records: nothing to resume.", of: last,
            in: store)
        return .completed
    }

    /// The name of the job, and the new places of its files. With `--job` every argument is a file.
    private static func jobAndFiles(_ arguments: ParsedArguments) -> (name: String?, files: [String]) {
        guard let name = arguments[RunOptions.job] else { return (arguments[job], arguments[files]) }
        return (name, [arguments[job]].compactMap { $0 } + arguments[files])
    }

    /// The newest job that has something to do and was not canceled.
    private static func lastWaiting(in store: String) throws(CommandFailure) -> Job? {
        try JobLookup.all(in: store).first { ResumeSession.isDue($0) && !ResumeSession.isSuspended($0) }
    }
}
