import Application
import Pipeline
import Syntax

/// `etl explain`: where a book's fields come from.
enum ExplainCommand: Command {
    static let what = Argument.one(
        "ISBN|row:N|id:ID|KEY",
        "a book, by ISBN, by its row in the input, by its id in the export or by its public key")

    static let spec = CommandSpec(
        "explain", summary: "tell which provider gave each field of a book, and why",
        arguments: [what.spec],
        options: [StoreOptions.job.spec, StoreOptions.db.spec, StoreOptions.json.spec],
        examples: [
            .init(
                "etl explain 0-441-17271-7",
                "where the fields of that book come from; an ISBN may be spelt in any way"),
            .init("etl explain row:17", "what became of row 17 of the last job's input"),
            .init("etl explain id:5907", "the book that Goodreads calls 5907"),
        ])

    static func run(_ arguments: ParsedArguments, _ console: Console) async throws(CommandFailure)
        -> ExitStatus
    {
        let store = DefaultPaths.store(arguments)
        let (question, job) = (BookReference(arguments[what]), arguments[StoreOptions.job])
        let explanation = try StoreOutput.write(store, console) { (connection, _) throws(StageFailure) in
            try Explainer(connection).explain(question, job: job)
        }
        if arguments[StoreOptions.json] {
            var json = JSONWriter()
            explanation.write(into: &json)
            try console.write(json.bytes + [UInt8(ascii: "\n")])
        } else {
            try ExplanationReport(explanation).write(to: console)
        }
        return .completed
    }
}
