/// `etl check`: checks a pipeline definition without running it.
enum CheckCommand {
    static let pipeline = Argument.one("PIPELINE.yaml", "the pipeline definition")
    static let set = RunCommand.set

    static let spec = CommandSpec(
        "check", summary: "check a pipeline definition without running it",
        details: [
            "Tells all mistakes at once, each with line and column. Where there are none, prints every value the run "
                + "would go by, and who said it: the file, an option, the environment or a default."
        ],
        arguments: [pipeline.spec], options: [set.spec, StoreOptions.json.spec],
        examples: [
            .init("etl check Pipelines/csv_import.yaml", "is it right, and what would it do?"),
            .init("etl check --set run.window=8 Pipelines/csv_import.yaml", "the same with a value changed"),
            .init("etl check --json Pipelines/csv_import.yaml", "the configuration or the mistakes as JSON"),
        ])
}
