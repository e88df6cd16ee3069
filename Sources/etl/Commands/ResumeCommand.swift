import Books
import Pipeline

/// `etl resume`: goes on with an unfinished job.
enum ResumeCommand: Command {
    static let job = StoreOptions.jobArgument
    static let files = Argument.many(
        "FILE", "where its files are now, if they were moved; - is standard input")

    static let spec = CommandSpec(
        "resume", summary: "go on with an unfinished job, or with its pending records",
        details: [
            "A job that was stopped or killed goes on after its last committed batch; nothing is "
                + "done twice. The input must be what it was. Without a name the last job goes on that has something "
                + "to do. Where none has, that is said and the status is 0. With --job each argument is a FILE.",
            "It goes on as it was begun, with its catalogs, format, columns, limit and library: they need "
                + "not be said again, and others are refused. Its error budget holds too, unless --max-errors "
                + "says another one; where it is spent, it is had anew for the records that are left.",
        ],
        arguments: [job.spec, files.spec], options: RunOptions.all,
        examples: [
            .init("etl resume", "go on with the last job that has something to do"),
            .init("etl resume spring-import moved/library.csv", "its export has gone to another place"),
            .init("etl resume --db ours.sqlite --json", "tell the closing summary as JSON"),
        ],
        objection: { arguments in
            arguments[RunOptions.restart]
                ? "`etl resume` goes on and `--restart` begins anew: give it to `etl import`."
                : RunOptions.objection(arguments)
        })

    static func run(_ arguments: ParsedArguments, _ console: Console) async throws(CommandFailure)
        -> ExitStatus
    {
        let store = DefaultPaths.store(arguments, RunOptions.db)
        let (name, files) = meant(arguments)
        let resumption = ResumeSession(arguments: arguments, console: console)
        guard let last = try JobLookup.find(name, in: store) else {
            try resumption.reportNothing(
                "There is no job in \(store): nothing to resume.", of: nil, in: store)
            return .completed
        }
        if ResumeSession.isDue(last) { return try await resumption.run(last, files: files) }
        if name == nil, let waiting = try lastWaiting(in: store) {
            console.note(
                "Job \(waiting.name) goes on (\(ResumeSession.due(waiting))); \(last.name), the last one, is done."
            )
            return try await resumption.run(waiting)
        }
        try resumption.reportNothing(
            "Job \(last.name) is completed and has no pending records: nothing to resume.", of: last,
            in: store)
        return .completed
    }

    /// The job by its name, and where its files are now: with `--job` every word is a file.
    private static func meant(_ arguments: ParsedArguments) -> (name: String?, files: [String]) {
        guard let name = arguments[RunOptions.job] else { return (arguments[job], arguments[files]) }
        return (name, [arguments[job]].compactMap { $0 } + arguments[files])
    }

    /// The last job with something to do that nobody has canceled.
    private static func lastWaiting(in store: String) throws(CommandFailure) -> Job? {
        try JobLookup.all(in: store).first { ResumeSession.isDue($0) && !ResumeSession.isLeftAlone($0) }
    }
}
