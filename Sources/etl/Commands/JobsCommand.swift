/// `etl jobs`: the jobs of a store.
enum JobsCommand {
    static let spec = CommandSpec(
        "jobs", summary: "list the jobs of a store", options: [StoreOptions.db.spec, StoreOptions.json.spec],
        examples: [
            .init("etl jobs", "the jobs in library.sqlite, the last one first"),
            .init("etl jobs --db ours.sqlite", "those of another store"),
            .init("etl jobs --json", "the same as JSON"),
        ])
}
