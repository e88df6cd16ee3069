import Pipeline

/// The options of commands that look into a results store.
enum StoreOptions {
    static let db = store(in: .command)
    static let job = Option.parsed(
        "job", "ID", mustBe: JobName.words, "the job meant", defaultText: "the last one", parse: JobName.parse
    )
    static let json = Option.flag("json", "JSON on standard output instead of text")

    /// The job a command is about, as its argument.
    static let jobArgument = Argument.optional(
        "JOB", "the job, by its id or the beginning of it; the last one, if not given")

    /// The option that names the store; an empty name is none.
    static func store(in group: OptionSpec.Group) -> Option<String?> {
        .parsed(
            "db", "PATH", mustBe: "the path of a file", "results store (SQLite)",
            defaultText: "$ETL_DB, else library.sqlite here", in: group, parse: { $0.isEmpty ? nil : $0 })
    }
}
