import Store

/// `etl unlock`: lets imports and services change fields of a book again.
enum UnlockCommand: Command {
    static let spec = CommandSpec(
        "unlock", summary: "Let imports and services change fields of a book again",
        details: [
            "The values stay until an import or a service has others. This includes values that were set with `etl set`."
        ],
        arguments: [LockCommand.book.spec, LockCommand.fields.spec], options: LockCommand.options,
        examples: [
            .init("etl unlock 9780441172719", "Unlock all fields of a book"),
            .init("etl unlock id:5907 rating", "Unlock one field of an entry"),
            .init("etl unlock --dry-run 9780441172719", "Show which fields are locked"),
        ])

    static func run(_ arguments: ParsedArguments, _ console: Console) async throws(CommandFailure)
        -> ExitStatus
    {
        try await LockCommand.run(arguments, console, pipeline: "unlock", .unlock)
    }
}
