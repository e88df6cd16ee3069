import Contract
import Jobs
import Queries
import System

/// `etl split`: takes editions out of a book.
enum SplitCommand: Command {
    static let editions = Argument.many("BOOK", atLeast: 1, SetCommand.bookWords)

    static let spec = CommandSpec(
        "split", summary: "Take editions out of a book that they do not belong to",
        details: [
            "The editions become a work of their own, with the same authors. Their entries move with them. Later imports "
                + "and services leave them there; their data can fill the new work's gaps.",
            "Undo it with `etl undo`; `etl merge` puts works together.",
        ],
        arguments: [editions.spec], options: MergeCommand.options,
        examples: [
            .init("etl split 9783453186835", "Make an edition a separate book"),
            .init(
                "etl split --dry-run 9783453186835 9783453317178", "Show which editions would be taken out"),
            .init("etl undo --last", "Undo it"),
        ])

    static func run(_ arguments: ParsedArguments, _ console: Console) async throws(CommandFailure)
        -> ExitStatus
    {
        let names = arguments[editions].map { BookReference($0) }
        return try await MergeCommand.run(
            arguments, console, { (edits) throws(ETLError) in try await edits.split(names) },
            words: words)
    }

    private static func words(_ change: WorkChange) -> String {
        let editions = change.keys.map { "`\($0)`" }.joined(separator: ", ")
        let verb = change.isDryRun ? "would be" : change.keys.count == 1 ? "is now" : "are now"
        return "\(editions) \(verb) a book apart from `\(change.book)`."
    }
}
