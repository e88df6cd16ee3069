import Pipeline
import Stages

/// `etl export`: data out.
enum ExportCommand: Command {
    static let what = Option(.choice("what", default: Export.What.books, "what is written"), "WHAT")
    static let format = Option(
        .choice("format", default: Export.Format.ndjson, "how it is written"), "FORMAT")

    static let safe = Option.flag(
        "csv-safe", "put an apostrophe before cells that a spreadsheet would take for a formula")

    static let spec = CommandSpec(
        "export", summary: "write what the store holds to standard output",
        details: [
            "The order is always the same. `--what all` is the canonical dump: everything stored, "
                + "sorted by public key, without clock times, so that two stores can be compared byte by "
                + "byte."
        ],
        options: [what.spec, format.spec, safe.spec, StoreOptions.db.spec],
        examples: [
            .init("etl export --format csv > books.csv", "all books as a spreadsheet"),
            .init("etl export --what authors | jq -r .name", "the names of all authors"),
            .init("etl export --what all | sha256sum", "a fingerprint of the whole store"),
        ]
    ) { arguments in
        arguments[what] == .all && arguments[format] == .csv
            ? "`--what all` holds records of several shapes and cannot be `--format csv`." : nil
    }

    static func run(_ arguments: ParsedArguments, _ console: Console) async throws(CommandFailure)
        -> ExitStatus
    {
        let (what, format, safe) = (arguments[what], arguments[format], arguments[safe])
        _ = try StoreOutput.write(Places.store(arguments), console) {
            (connection, sink) throws(StageFailure) in
            try Export(connection).write(what, as: format, guardsFormulas: safe, to: sink)
        }
        return .completed
    }
}
