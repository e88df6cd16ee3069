import Pipeline

/// `etl results`: the results of a job in their contract envelope.
enum ResultsCommand {
    /// The contract's views (contract.md section 7).
    enum View: String, Sendable, CaseIterable {
        case csv, job, `import`, scan
    }

    static let job = StoreOptions.jobArgument
    static let view = Option(.choice("view", default: View.import, "the shape of the results"), "VIEW")

    static let spec = CommandSpec(
        "results", summary: "print the results of a job as the API would",
        arguments: [job.spec], options: [view.spec, StoreOptions.db.spec],
        examples: [
            .init("etl results", "the last job's results"),
            .init("etl results --view csv spring-import", "another job's, in the older shape"),
            .init("etl results | jq .data.booksCreated", "how many books are new"),
        ])
}
