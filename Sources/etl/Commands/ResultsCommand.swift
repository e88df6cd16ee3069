import Application
import Books
import Pipeline

/// `etl results`: the results of a job in their contract envelope.
enum ResultsCommand: Command {
    static let job = StoreOptions.jobArgument
    static let view = Option(
        .choice("view", default: ResultsView.imports, "the shape of the results"), "VIEW")

    static let spec = CommandSpec(
        "results", summary: "print the results of a job as the API would",
        arguments: [job.spec], options: [view.spec, StoreOptions.db.spec],
        examples: [
            .init("etl results", "the last job's results"),
            .init("etl results --view csv spring-import", "another job's, in the older shape"),
            .init("etl results | jq .data.booksCreated", "how many books are new"),
        ])

    static func run(_ arguments: ParsedArguments, _ console: Console) async throws(CommandFailure)
        -> ExitStatus
    {
        let store = DefaultPaths.store(arguments)
        let view = arguments.isGiven(view) ? arguments[view] : nil
        var isStarted = false
        let refusal: ResponseError?
        do throws(CommandFailure) {
            guard let found = try JobLookup.find(arguments[job], in: store) else {
                throw CommandFailure(
                    .missing, "\(store) holds no jobs yet.", advice: "Import something first.")
            }
            refusal = try StoreOutput.write(store, console) { (connection, sink) throws(StageFailure) in
                try JobResults(connection).write(found.name, as: view) { (bytes) throws(StageFailure) in
                    isStarted = true
                    try sink(bytes)
                }
            }
        } catch {
            // Who reads standard output is answered as the API would answer, where the answer has not begun.
            if !isStarted, !error.isQuiet {
                try console.write(Self.refusal(of: error, arguments[job], in: store))
            }
            throw error
        }
        guard let refusal else { return .completed }
        throw CommandFailure(refusal.code == .notFound ? .missing : .usage, refusal.message)
    }

    /// The contract's words for a command line that cannot be read.
    static func refusal(of failure: CommandFailure, typed words: [String]) -> ResponseError {
        .invalidRequest("options", value: words.joined(separator: " "), reason: failure.message)
    }

    /// The contract's words for what went wrong.
    private static func refusal(
        of failure: CommandFailure, _ name: String?, in store: String
    ) -> ResponseError {
        switch failure.status {
        case .missing:
            name.map { .noResults(jobId: $0, hoursKept: JobResults.hoursKept) } ?? .notFound(failure.message)
        case .usage: failure.refusal(of: "jobId", value: name ?? "")
        default: failure.refusal(of: "db", value: store)
        }
    }
}
