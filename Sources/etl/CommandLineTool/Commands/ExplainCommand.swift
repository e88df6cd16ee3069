import Contract
import Queries
import Syntax
import System

/// `etl explain`: shows where the values of a book come from.
enum ExplainCommand: Command {
    static let what = Argument.one(
        "ISBN|row:N|id:ID|KEY|TITLE",
        "Book, by ISBN, by row of the input (row:FILE:N if the job has several files), by ID in the export, by its key in `etl export`, or by its title or the beginning of it"
    )

    static let spec = CommandSpec(
        "explain", summary: "Show where each value of a book comes from, and why",
        arguments: [what.spec],
        options: [StoreOptions.job.spec, StoreOptions.db.spec, StoreOptions.json.spec],
        examples: [
            .init(
                "etl explain 0-441-17271-7",
                "Explain a book; hyphens in the ISBN do not matter"),
            .init("etl explain dune", "Explain the book with this title"),
            .init("etl explain row:17", "Show what happened to row 17 of the newest job"),
        ], isPaged: true)

    static func run(_ arguments: ParsedArguments, _ console: Console) async throws(CommandFailure)
        -> ExitStatus
    {
        let store = DefaultPaths.store(arguments)
        let (reference, job) = (BookReference(arguments[what]), arguments[StoreOptions.job])
        let explanation = try StoreOutput.write(store, console) { (connection, _) throws(ETLError) in
            try Explainer(connection).explain(reference, job: job, takesTitles: true)
        }
        if arguments[StoreOptions.json] {
            try console.writeJSON { explanation.write(into: &$0) }
        } else {
            try ExplanationReport(explanation, jobs: JobLookup.all(in: store)).write(to: console)
        }
        return .completed
    }
}
