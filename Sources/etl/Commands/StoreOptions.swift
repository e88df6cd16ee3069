import Pipeline

/// The options of commands that look into a results store.
enum StoreOptions {
    static let db = Option(
        Setting<String?>.text("db", "results store (SQLite)"), "PATH",
        defaultText: "$ETL_DB, else library.sqlite here")
    static let job = Option.parsed(
        "job", "ID", mustBe: JobName.words, "the job meant", defaultText: "the last one", parse: JobName.parse
    )
    static let json = Option.flag("json", "JSON on standard output instead of text")

    /// The job a command is about, as its argument.
    static let jobArgument = Argument.optional(
        "JOB", "the job, by its id or the beginning of it; the last one, if not given")
}
