/// `etl cancel`: stops a job that another process runs.
enum CancelCommand {
    static let job = Argument.one("JOB", "the job")

    static let spec = CommandSpec(
        "cancel", summary: "stop a running job from another terminal",
        details: [
            "The run finishes and commits the batches in hand, then ends. `etl resume` can take it up again."
        ],
        arguments: [job.spec], options: [StoreOptions.db.spec],
        examples: [
            .init("etl cancel spring-import", "stop the job of that name"),
            .init("etl cancel --db ours.sqlite spring-import", "stop it in another store"),
            .init("etl jobs", "find its name"),
        ])
}
