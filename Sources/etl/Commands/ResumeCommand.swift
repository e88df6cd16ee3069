/// `etl resume`: goes on with an unfinished job.
enum ResumeCommand {
    static let job = StoreOptions.jobArgument

    static let spec = CommandSpec(
        "resume", summary: "go on with an unfinished job, or with its pending records",
        details: [
            "A job that was stopped or killed goes on after its last committed batch; nothing is done twice. The "
                + "input must be what it was. Where there is nothing to do, that is said and the status is 0."
        ],
        arguments: [job.spec], options: RunOptions.all,
        examples: [
            .init("etl resume", "go on with the last job"),
            .init("etl resume spring-import", "go on with the job of that name"),
            .init("etl resume --db ours.sqlite --json", "tell the closing summary as JSON"),
        ],
        objection: RunOptions.objection)
}
