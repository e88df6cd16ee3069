import Jobs
import Queries
import Store
import System

/// `etl remove`: removes a book from a library.
enum RemoveCommand: Command {
    static let spec = CommandSpec(
        "remove", summary: "Remove a book from a library permanently",
        details: [
            "Removes the book's entries with ratings, dates, reviews and notes, and its work, edition and authors if no "
                + "other library has them. Later imports leave the book out and say so.",
            "`etl undo` brings it back.",
        ],
        arguments: [LockCommand.book.spec], options: LockCommand.options,
        examples: [
            .init("etl remove --dry-run 9780441172719", "Show what would be removed"),
            .init("etl remove --library anna id:5907", "Remove one of Anna's books"),
            .init("etl undo --last", "Bring it back"),
        ])

    static func run(_ arguments: ParsedArguments, _ console: Console) async throws(CommandFailure)
        -> ExitStatus
    {
        let store = DefaultPaths.store(arguments)
        let removed: (title: String, change: LibraryChange)
        do throws(ETLError) {
            removed = try await LibraryEdits(store, isDryRun: arguments[SetCommand.dryRun])
                .remove(BookReference(arguments[LockCommand.book]), library: arguments[SetCommand.library])
        } catch {
            throw CommandFailure(error)
        }
        try ChangeReport(removed.change, store: store, removing: .book(removed.title))
            .write(asJSON: arguments[StoreOptions.json], to: console)
        return .completed
    }
}
