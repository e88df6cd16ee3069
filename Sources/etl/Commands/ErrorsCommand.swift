import Pipeline

/// `etl errors`: what was rejected, and why.
enum ErrorsCommand {
    enum Format: String, Sendable, CaseIterable {
        case table, csv, json
    }

    static let job = StoreOptions.jobArgument
    static let format = Option(
        .choice(
            "format", default: Format.table, "csv gives the rows as they were, and a column with the reason"),
        "FORMAT")
    static let warnings = Option.flag("warnings", "ISBN warnings too")
    static let reasons = Option.flag("reasons", "list the reason codes and what they mean")

    static let spec = CommandSpec(
        "errors", summary: "list rejected rows with row number, field, value and reason",
        details: [
            "The rows of `--format csv` can be mended and imported again with `etl import --rejects "
                + "FILE --job JOB`."
        ],
        arguments: [job.spec], options: [format.spec, warnings.spec, reasons.spec, StoreOptions.db.spec],
        examples: [
            .init("etl errors", "what the last job rejected"),
            .init("etl errors --format csv spring-import > mend.csv", "the rows, ready to be mended"),
            .init("etl errors --reasons", "every reason code and its meaning"),
        ])
}
