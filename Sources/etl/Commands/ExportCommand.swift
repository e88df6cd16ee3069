import Application
import Pipeline

/// `etl export`: writes the contents of a store.
enum ExportCommand: Command {
    static let what = Option(.choice("what", default: Export.What.books, "Records to write"), "WHAT")
    static let format = Option(
        .choice("format", default: Export.Format.ndjson, "Output format"), "FORMAT")

    static let safe = Option.flag(
        "csv-safe",
        "Put an apostrophe before cells that a spreadsheet would run as a formula; `etl` removes it when it reads the table"
    )

    static let library = Option(
        Setting<String?>.text("library", "Write only this library's books and their data"), "NAME",
        defaultText: "all libraries")

    static let spec = CommandSpec(
        "export", summary: "Write the contents of a store to standard output",
        details: [
            "Records are always written in the same order. `--what all` writes the whole store, sorted by key and "
                + "without timestamps, so that two stores can be compared byte by byte.",
            "You can edit the CSV of books and import it again. Its rows go into the library that --library names "
                + "(default: `default`). The column `library` only shows where the entry came from. Exports of "
                + "works, editions and authors cannot be imported.",
        ],
        options: [what.spec, format.spec, library.spec, safe.spec, StoreOptions.db.spec],
        examples: [
            .init("etl export --format csv > books.csv", "Write all books as CSV, for a spreadsheet"),
            .init("etl export --format csv --library anna > anna.csv", "Write the books of one library"),
            .init("etl export --what all | sha256sum", "Compute a checksum of the whole store"),
        ]
    ) { arguments in
        guard arguments[what] == .all else { return nil }
        if arguments[format] == .csv {
            return Objection(
                "`--what all` writes records with different columns and cannot be combined with `--format csv`.",
                advice: "Leave out `--format csv`, or export books, works, editions or authors.")
        }
        return arguments[library] == nil
            ? nil
            : Objection(
                "`--what all` writes the whole store and cannot be combined with `--library`.",
                advice: "Leave out `--library`, or export books, works, editions or authors.")
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
