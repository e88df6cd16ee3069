import Pipeline
import Stages

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
        let store = Places.store(arguments)
        guard let name = try Jobs.find(arguments[job], in: store)?.name else {
            throw CommandFailure(.missing, "\(store) holds no jobs yet.", advice: "Import something first.")
        }
        let view = arguments.isGiven(view) ? arguments[view] : nil
        let refusal = try StoreOutput.write(store, console) { (connection, sink) throws(StageFailure) in
            try JobResults(connection).write(name, as: view, to: sink)
        }
        switch refusal {
        case nil: return .completed
        case .notFound: return .missing
        default: return .usage
        }
    }
}
