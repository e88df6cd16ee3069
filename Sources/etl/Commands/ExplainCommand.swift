/// `etl explain`: where a book's fields come from.
enum ExplainCommand {
    static let what = Argument.one(
        "ISBN|row:N|KEY", "a book, by ISBN, by its row in the input or by its public key")

    static let spec = CommandSpec(
        "explain", summary: "tell which provider gave each field of a book, and why",
        arguments: [what.spec],
        options: [StoreOptions.job.spec, StoreOptions.db.spec, StoreOptions.json.spec],
        examples: [
            .init("etl explain 9780441172719", "where the fields of that book come from"),
            .init("etl explain row:17", "what became of row 17 of the last job's input"),
            .init("etl explain --json 0-441-17271-7", "the same as JSON; an ISBN may be spelt in any way"),
        ])
}
