import Jobs
import Queries
import Store
import System

/// `etl lock`: protects fields of a book from imports and services.
enum LockCommand: Command {
    static let book = Argument.one("BOOK", SetCommand.bookWords)
    static let fields = Argument.many("FIELD", "Field (default: all fields)")
    static let options = [
        SetCommand.library.spec, SetCommand.dryRun.spec, StoreOptions.db.spec, StoreOptions.json.spec,
    ]

    static let spec = CommandSpec(
        "lock", summary: "Protect fields of a book from imports and services",
        details: [
            "A locked field keeps its value, or stays empty, whatever later imports and services say. A field that was "
                + "set with `etl set` is locked already.",
            "Fields: \(EditFields.names).",
        ],
        arguments: [book.spec, fields.spec], options: options,
        examples: [
            .init("etl lock 9780441172719 editionCover", "Keep the cover of an edition"),
            .init("etl lock id:5907 rating dateRead", "Keep two fields of an entry"),
            .init("etl lock --library anna 9780441172719", "Keep all fields of a book and of Anna's entry"),
        ])

    static func run(_ arguments: ParsedArguments, _ console: Console) async throws(CommandFailure)
        -> ExitStatus
    {
        try await run(arguments, console, pipeline: "lock", .lock)
    }

    /// Locks or unlocks the named fields, or all.
    static func run(
        _ arguments: ParsedArguments, _ console: Console, pipeline: String, _ action: EditRequest.Action
    ) async throws(CommandFailure) -> ExitStatus {
        var named: [EditableField] = []
        for name in arguments[fields] { named.append(try EditFields.field(name)) }
        let (library, book) = (arguments[SetCommand.library], BookReference(arguments[book]))
        return try await EditFields.edit(book, arguments, console, pipeline: pipeline) {
            edits throws(ETLError) in
            let all = named.isEmpty ? try edits.fields(of: book, library: library) : named
            return all.map { ($0, action) }
        }
    }
}
