import Formats
import Pipeline
import Queries
import System

/// `etl export`: writes the contents of a store.
enum ExportCommand: Command {
    static let what = Option(.choice("what", default: Export.What.books, "Records to write"), "WHAT")
    static let format = Option(
        .choice(
            "to", default: Export.Format.ndjson.rawValue,
            of: Export.Format.allCases.map(\.rawValue) + [WorkbookOutput.format]
                + LibraryFormats.layouts.map(\.name),
            "Output format, or the program to write for"), "FORMAT"
    ).formerly("format")

    static let safe = Option.flag(
        "csv-safe",
        "Put an apostrophe before cells that a spreadsheet would run as a formula; `etl` removes it when it reads the table"
    )

    static let others = Option.flag(
        "other-columns",
        "Also write the columns of your files that have no column here, under their own names")

    static let library = Option(
        Setting<String?>.text("library", "Write only this library's books and their data"), "NAME",
        defaultText: "all libraries"
    ).composed()

    static let spec = CommandSpec(
        "export", summary: "Write the contents of a store",
        details: [
            "Writes to standard output, or to the file of --output, whose ending names the format if --to does not. `--to xlsx` "
                + "writes an Excel workbook. Its columns are "
                + "those of the CSV, with dates and numbers as such and everything else as text, ISBNs included. "
                + "Nothing in it is a formula.",
            "`--to calibre-library` writes the folder of --output, from which calibre makes a library.",
            "Records are always written in the same order. `--what all` writes the whole store, sorted by key and "
                + "without timestamps, so that two stores can be compared byte by byte.",
            "You can edit the CSV of books and import it again. Its rows go into the library that --library names "
                + "(default: `default`). The column `library` only shows where the entry came from. Exports of "
                + "works, editions and authors cannot be imported.",
            "Other programs have no place for some values. Before anything is written, a report on standard error "
                + "names the fields, the number of values and the first ones.",
        ],
        options: [
            what.spec, format.spec, WorkbookOutput.output.spec, library.spec, others.spec, safe.spec,
            LayoutOutput.loss.spec,
            LayoutOutput.strict.spec,
            StoreOptions.db.spec, StoreOptions.json.spec,
        ],
        examples: [
            .init("etl export --output books.xlsx", "Write all books for a spreadsheet"),
            .init(
                "etl export --to storygraph --loss lost.csv > storygraph.csv",
                "Write them as The StoryGraph does, and list what it cannot hold"),
            .init("etl export --what all | sha256sum", "Compute a checksum of the whole store"),
        ]
    ) { arguments in
        if let objection = StoreOptions.objection(arguments, to: format, besides: Export.Format.json.rawValue)
        {
            return objection
        }
        if let path = unnamedFormat(arguments) {
            return Objection(
                "The ending of `\(path)` names no format.", advice: "Add `--to FORMAT`, such as `--to csv`.")
        }
        if let objection = WorkbookOutput.objection(
            arguments, format: format(of: arguments), option: "--to", writesText: true)
        {
            return objection
        }
        if let objection = safeObjection(
            arguments, isCSV: format(of: arguments) == Export.Format.csv.rawValue)
        {
            return objection
        }
        if LayoutOutput.layout(named: format(of: arguments)) == nil {
            if let objection = LayoutOutput.objection(arguments) { return objection }
        } else if arguments[what] != .books {
            return Objection(
                "`--to \(format(of: arguments))` writes books and cannot be combined with `--what \(arguments[what].rawValue)`.",
                advice: "Leave out `--what`.")
        } else if arguments[others] {
            return Objection(
                "`--to \(format(of: arguments))` has fixed columns and cannot be combined with `--other-columns`.",
                advice: "Leave out `--other-columns`.")
        }
        if arguments[others], arguments[what] != .books {
            return Objection(
                "`--other-columns` belongs to books and cannot be combined with `--what \(arguments[what].rawValue)`.",
                advice: arguments[what] == .all
                    ? "Leave out `--other-columns`: `--what all` has all cells of your files."
                    : "Leave out `--other-columns` or `--what`.")
        }
        guard arguments[what] == .all else { return nil }
        if [Export.Format.csv.rawValue, WorkbookOutput.format].contains(format(of: arguments)) {
            return Objection(
                "`--what all` writes records with different columns and cannot be combined with `--to \(format(of: arguments))`.",
                advice:
                    "Leave out `--to \(format(of: arguments))`, or export books, works, editions or authors.")
        }
        return arguments[library] == nil
            ? nil
            : Objection(
                "`--what all` writes the whole store and cannot be combined with `--library`.",
                advice: "Leave out `--library`, or export books, works, editions or authors.")
    }

    /// Refuses `--csv-safe` for outputs without cells, or with cells of another program.
    static func safeObjection(_ arguments: ParsedArguments, isCSV: Bool) -> Objection? {
        guard arguments[safe], !isCSV else { return nil }
        return Objection(
            "`--csv-safe` belongs to `--to csv`.", advice: "Leave it out, or choose `--to csv`.")
    }

    /// The format: the one that was given, or else the one that the ending of the file names.
    private static func format(of arguments: ParsedArguments) -> String {
        if arguments[StoreOptions.json] { return Export.Format.json.rawValue }
        guard !arguments.isExplicit(format), let path = arguments[WorkbookOutput.output] else {
            return arguments[format]
        }
        return formats[ending(of: path)] ?? arguments[format]
    }

    /// The formats that endings of files name.
    private static let formats = [
        "csv": "csv", "json": "json", "ndjson": "ndjson", "jsonl": "ndjson", "xlsx": "xlsx", "bib": "bibtex",
        "ris": "ris",
    ]

    private static func ending(of path: String) -> String {
        FolderPath.lastName(path).split(separator: ".").dropFirst().last?.lowercased() ?? ""
    }

    /// The file that is to be written, if neither `--to` nor its ending names a format.
    private static func unnamedFormat(_ arguments: ParsedArguments) -> String? {
        guard !arguments.isExplicit(format), !arguments[StoreOptions.json],
            let path = arguments[WorkbookOutput.output],
            formats[ending(of: path)] == nil, path != "-"
        else { return nil }
        return path
    }

    static func run(_ arguments: ParsedArguments, _ console: Console) async throws(CommandFailure)
        -> ExitStatus
    {
        let (what, safe, library) = (arguments[what], arguments[safe], arguments[library])
        let others = arguments[others]
        let store = DefaultPaths.store(arguments)
        let name = format(of: arguments)
        if let layout = LayoutOutput.layout(named: name) {
            return try write(layout, arguments, console)
        }
        if name == WorkbookOutput.format {
            let output = try WorkbookOutput(arguments, reading: store, console)
            do throws(CommandFailure) {
                try StoreOutput.write(store, console) { (connection, _) throws(ETLError) in
                    try output.write(what, of: connection, in: library, addingOtherColumns: others)
                }
            } catch {
                throw output.unwritten ?? error
            }
            return .completed
        }
        let format = Export.Format(rawValue: name) ?? .ndjson
        let file = try file(arguments, reading: store)
        _ = try StoreOutput.write(store, to: file, console) { (connection, sink) throws(ETLError) in
            try Export(connection).write(
                what, as: format, of: library, addsOtherColumns: others, guardsFormulas: safe, to: sink)
        }
        return .completed
    }

    /// Writes books in the layout of another program.
    private static func write(
        _ layout: any ExportLayout, _ arguments: ParsedArguments, _ console: Console
    ) throws(CommandFailure) -> ExitStatus {
        let (store, library) = (DefaultPaths.store(arguments), arguments[library])
        let output = try LayoutOutput(layout, arguments, reading: store, console)
        if layout.isFolder, let folder = arguments[WorkbookOutput.output] {
            let report = try StoreOutput.write(store, console) { (connection, _) throws(ETLError) in
                try output.write(connection, of: library, toFolder: folder)
            }
            return try output.end(report)
        }
        let file = try file(arguments, reading: store)
        var refused: CommandFailure?
        do throws(CommandFailure) {
            try StoreOutput.write(store, to: file, console) { (connection, sink) throws(ETLError) in
                let report = try output.write(connection, of: library, to: sink)
                // Nothing was written; a file that is there stays.
                do throws(CommandFailure) { _ = try output.end(report) } catch {
                    refused = error
                    throw ETLError(.unusableInput, error.message)
                }
            }
        } catch {
            throw refused ?? error
        }
        return .completed
    }

    /// The file of `--output`; nil for standard output.
    private static func file(
        _ arguments: ParsedArguments, reading store: String
    ) throws(CommandFailure) -> OutputFile? {
        guard let path = arguments[WorkbookOutput.output], path != "-" else { return nil }
        let file = OutputFile(path: path, option: "--output")
        try file.check(againstStore: store, input: nil)
        try file.checkIsWritable()
        return file
    }
}
