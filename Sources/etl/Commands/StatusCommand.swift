/// `etl status`: how far a job is.
enum StatusCommand {
    static let job = StoreOptions.jobArgument

    static let spec = CommandSpec(
        "status", summary: "tell how far a job is", arguments: [job.spec],
        options: [StoreOptions.db.spec, StoreOptions.json.spec],
        examples: [
            .init("etl status", "the last job"),
            .init("etl status spring-import", "the job of that name, running or not"),
            .init("etl status --json spring-import", "the same in the contract's words"),
        ])
}
