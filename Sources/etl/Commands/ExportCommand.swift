import Application
import Pipeline

/// `etl export`: data out.
enum ExportCommand: Command {
    static let what = Option(.choice("what", default: Export.What.books, "what is written"), "WHAT")
    static let format = Option(
        .choice("format", default: Export.Format.ndjson, "how it is written"), "FORMAT")

    static let safe = Option.flag(
        "csv-safe",
        "put an apostrophe before cells that a spreadsheet would take for a formula; it is taken off where the table is read back"
    )

    static let library = Option(
        Setting<String?>.text("library", "only this library's books, and what they are made of"), "NAME",
        defaultText: "all that the store holds")

    static let spec = CommandSpec(
        "export", summary: "write what the store holds to standard output",
        details: [
            "The order is always the same. `--what all` is the canonical dump: everything stored, "
                + "sorted by public key, without clock times, so that two stores can be compared byte by "
                + "byte.",
            "The CSV of books can be imported again, edited or not: each row becomes an entry of the library that "
                + "`etl import --library` names, `default` if none is named. Its column `library` tells where the "
                + "entry came from and decides nothing. Works, editions and authors are for looking at and are not "
                + "imported.",
        ],
        options: [what.spec, format.spec, library.spec, safe.spec, StoreOptions.db.spec],
        examples: [
            .init("etl export --format csv > books.csv", "all books as a spreadsheet"),
            .init("etl export --format csv --library anna > anna.csv", "those of one reader"),
            .init("etl export --what all | sha256sum", "a fingerprint of the whole store"),
        ]
    ) { arguments in
        guard arguments[what] == .all else { return nil }
        if arguments[format] == .csv {
            return "`--what all` holds records of several shapes and cannot be `--format csv`."
        }
        return arguments[library] == nil
            ? nil : "`--what all` is the dump of the whole store and cannot be of one `--library`."
    }

    static func run(_ arguments: ParsedArguments, _ console: Console) async throws(CommandFailure)
        -> ExitStatus
    {
        let (what, format, safe) = (arguments[what], arguments[format], arguments[safe])
        let library = arguments[library]
        _ = try StoreOutput.write(DefaultPaths.store(arguments), console) {
            (connection, sink) throws(StageFailure) in
            try Export(connection).write(what, as: format, of: library, guardsFormulas: safe, to: sink)
        }
        return .completed
    }
}
