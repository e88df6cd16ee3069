import Books
import Contract
import Jobs
import Queries
import System

/// `etl merge`: combines books that are one.
enum MergeCommand: Command {
    static let books = Argument.many("BOOK", atLeast: 2, SetCommand.bookWords)
    static let options = [SetCommand.dryRun.spec, StoreOptions.db.spec, StoreOptions.json.spec]

    static let spec = CommandSpec(
        "merge", summary: "Combine books that are one work",
        details: [
            "The works of the other books become part of the work of the first one, which keeps its key. Their values "
                + "fill its gaps, their editions move to it, and their keys keep resolving. Editions and entries stay as "
                + "they are. Later imports and services leave the editions together.",
            "Undo it with `etl undo`; `etl split` takes single editions out.",
        ],
        arguments: [books.spec], options: options,
        examples: [
            .init("etl merge 9780441172719 9783453186835", "Combine an English and a German edition"),
            .init("etl merge --dry-run id:5907 id:5908", "Show which works would be combined"),
            .init("etl undo --last", "Undo it"),
        ])

    static func run(_ arguments: ParsedArguments, _ console: Console) async throws(CommandFailure)
        -> ExitStatus
    {
        let names = arguments[books].map { BookReference($0) }
        return try await run(
            arguments, console, { (edits) throws(ETLError) in try await edits.merge(names) },
            words: words)
    }

    private static func words(_ change: WorkChange) -> String {
        let others = change.keys.dropFirst().map { "`\($0)`" }.joined(separator: ", ")
        let verb = change.isDryRun ? "would become" : change.keys.count == 2 ? "is now" : "are now"
        return "\(others) \(verb) part of `\(change.book)` (`\(change.keys.first ?? "")`)."
    }

    /// Changes works and reports it.
    static func run(
        _ arguments: ParsedArguments, _ console: Console,
        _ body: (LibraryEdits) async throws(ETLError) -> WorkChange, words: (WorkChange) -> String
    ) async throws(CommandFailure) -> ExitStatus {
        let change: WorkChange
        do throws(ETLError) {
            change = try await body(
                LibraryEdits(DefaultPaths.store(arguments), isDryRun: arguments[SetCommand.dryRun]))
        } catch {
            throw CommandFailure(error)
        }
        if arguments[StoreOptions.json] {
            try console.writeJSON { change.write(into: &$0) }
            return .completed
        }
        try console.writeText(words(change))
        guard let job = change.job else {
            try console.write("\nNothing was changed. Leave out --dry-run to do it.\n")
            return .completed
        }
        try console.write("\n")
        try console.writeText(JobLookup.undoAdvice(job, console))
        return .completed
    }
}
