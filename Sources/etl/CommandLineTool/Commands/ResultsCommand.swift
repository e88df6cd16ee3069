import Contract
import Pipeline
import Queries
import Store
import System

/// `etl results`: prints the results of a job in an envelope of the contract.
enum ResultsCommand: Command {
    static let job = StoreOptions.jobArgument
    static let view = Option(
        .choice("view", default: ResultsView.imports, "View of the results"), "VIEW")

    static let spec = CommandSpec(
        "results", summary: "Print the results of a job as JSON",
        details: [
            "Views of an import: `import` has the counts, errors and books; `csv` has the books in the shape of the "
                + "rows, then the errors; `job` has the books and errors of any pipeline. `scan` is for jobs that "
                + "read photos."
        ],
        arguments: [job.spec], options: [view.spec, StoreOptions.db.spec, StoreOptions.alwaysJSON.spec],
        examples: [
            .init("etl results", "Print the results of the newest job"),
            .init(
                "etl results --view csv spring-import", "Print the results of another job in the csv view"),
            .init("etl results | jq .data.booksCreated", "Count the new books"),
        ])

    static func run(_ arguments: ParsedArguments, _ console: Console) async throws(CommandFailure)
        -> ExitStatus
    {
        let store = DefaultPaths.store(arguments)
        let view = arguments.isExplicit(view) ? arguments[view] : nil
        var isStarted = false
        let refusal: ResponseError?
        do throws(CommandFailure) {
            guard let found = try JobLookup.find(arguments[job], in: store) else {
                throw CommandFailure(
                    .missing, "`\(store)` has no jobs yet.", advice: "Import a file first.")
            }
            refusal = try StoreOutput.write(store, console) { (connection, sink) throws(ETLError) in
                try JobResults(connection).write(found.name, as: view) { (bytes) throws(ETLError) in
                    isStarted = true
                    try sink(bytes)
                }
            }
        } catch {
            // A program that reads standard output expects an envelope, unless the output has already begun.
            if !isStarted, !error.isQuiet {
                try console.write(Self.refusal(of: error, arguments[job], in: store))
            }
            throw error
        }
        guard let refusal else { return .completed }
        throw CommandFailure(refusal.code == .notFound ? .missing : .usage, refusal.message)
    }

    /// The contract's error for a command line that cannot be parsed.
    static func refusal(of failure: CommandFailure, typed words: [String]) -> ResponseError {
        .invalidRequest("options", value: words.joined(separator: " "), reason: failure.message)
    }

    /// The contract's error for a failure.
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
