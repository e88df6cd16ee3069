import FoundationEssentials
import Store
import System

/// `etl library`: the libraries of a store.
enum LibraryCommand: Command {
    static let library = Argument.one(
        "LIBRARY", "Name of the library, as given with `etl import --library`"
    ).composed()

    static let remove = CommandSpec(
        "library", "remove", summary: "Remove a library: its entries, and books that only it has",
        details: [
            "Removes the entries of one person, with ratings, dates, reviews and notes, and the works, editions and "
                + "authors that no other library has. The library's jobs count as undone.",
            "`etl undo` brings the library back. To make that impossible, run `etl doctor --prune --older-than 0` "
                + "afterwards: the store then no longer contains the removed entries.",
        ],
        arguments: [library.spec],
        options: [UndoCommand.dryRun.spec, StoreOptions.db.spec, StoreOptions.json.spec],
        examples: [
            .init("etl library remove --dry-run anna", "Show what would be removed"),
            .init("etl library remove anna", "Remove a library"),
            .init("etl undo --last", "Bring it back"),
        ])

    static let spec = CommandSpec(
        "library", summary: "Remove the library of one person from a store",
        examples: [
            .init("etl library remove --dry-run anna", "Show what would be removed"),
            .init("etl library remove anna", "Remove a library"),
            .init("etl list --library anna", "List its books before"),
        ],
        subcommands: [remove])

    static func run(_ arguments: ParsedArguments, _ console: Console) async throws(CommandFailure)
        -> ExitStatus
    {
        let store = DefaultPaths.store(arguments)
        let (name, isDryRun) = (arguments[library], arguments[UndoCommand.dryRun])
        let change = try await ChangedStore.change(store) { (results) throws(ETLError) in
            try await results.forget(name, as: UUID().uuidString.lowercased(), isDryRun: isDryRun)
        }
        try ChangeReport(change, store: store, removing: .library(name))
            .write(asJSON: arguments[StoreOptions.json], to: console)
        return .completed
    }
}
