/// `etl stages`: the stages a definition can name.
enum StagesCommand {
    static let name = Argument.optional("NAME", "only this stage, with its settings")

    static let spec = CommandSpec(
        "stages", summary: "list stages and their settings", arguments: [name.spec],
        options: [StoreOptions.json.spec],
        examples: [
            .init("etl stages", "every source, stage and sink: what it takes, gives and does"),
            .init("etl stages LookUpBooks", "the settings of one, with defaults and bounds"),
            .init("etl stages --json", "the same as JSON"),
        ])
}
