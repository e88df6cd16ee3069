import Database
import Formats
import Jobs
import Pipeline
import Queries
import Store
import Syntax
import System

/// `etl convert`: writes a file in the layout of another program, or prints its parsed records.
enum ConvertCommand: Command {
    static let file = Argument.one("FILE", "Library export; - is standard input")
    static let raw = Option.flag(
        "raw", "Print each record as a JSON array of strings, without interpretation")
    static let to = Option(
        Setting<String?>.choice(
            "to", of: LibraryFormats.layouts.map(\.name) + [WorkbookOutput.format],
            "Write the books in the format of this program, or as an Excel workbook"),
        "FORMAT")

    static let spec = CommandSpec(
        "convert", summary: "Convert an export for another program, without a store",
        details: [
            "With --to, the file is read as `etl import` reads it, offline, and written as the other program "
                + "writes its own exports. A report on standard error names what that program cannot hold, "
                + "and what an import would warn about. Rejected records are not written.",
            "With --raw, any delimited text is read, even if it is not a library export. Of the reading options, it "
                + "takes --encoding, --delimiter and --quote. The first line of output is the header, or, for a "
                + "format without a header, such as MARC, the names of its columns.",
        ],
        arguments: [file.spec],
        options: [
            to.spec, WorkbookOutput.output.spec, LayoutOutput.loss.spec, LayoutOutput.strict.spec, raw.spec,
        ] + ReadOptions.all,
        showing: [
            to.spec, WorkbookOutput.output.spec, LayoutOutput.loss.spec, LayoutOutput.strict.spec, raw.spec,
            ReadOptions.format.spec, GlobalOptions.quiet.spec,
        ],
        examples: [
            .init(
                "etl convert --to storygraph goodreads_library_export.csv > storygraph.csv",
                "Convert a Goodreads export for The StoryGraph"),
            .init("etl convert --raw export.csv | wc -l", "Count the records, and the header"),
            .init("etl convert --raw - < export.csv | jq -r '.[1]'", "Print the second column"),
        ]
    ) { arguments in
        if arguments[raw] {
            let others =
                [to.spec, WorkbookOutput.output.spec, LayoutOutput.loss.spec, LayoutOutput.strict.spec]
                + ReadOptions.meaning
            if let other = others.first(where: { !arguments.texts(of: $0).isEmpty }) {
                return Objection(
                    "`--raw` and `--\(other.name)` cannot be combined.", advice: "Leave out one of them.")
            }
            return nil
        }
        if arguments[to] == nil { return .needs("etl convert", "`--to` or `--raw`") }
        if let objection = ReadOptions.objection(arguments) { return objection }
        if arguments[to] == WorkbookOutput.format, let objection = LayoutOutput.objection(arguments) {
            return objection
        }
        return WorkbookOutput.objection(arguments, format: arguments[to], option: "--to")
    }

    static func run(_ arguments: ParsedArguments, _ console: Console) async throws(CommandFailure)
        -> ExitStatus
    {
        let path = try ImportRequestBuilder.file(arguments[file])
        defer { ImportRequestBuilder.removeSpool(path, of: arguments[file]) }
        if let layout = arguments[to].flatMap(LayoutOutput.layout) {
            return try await convert(path, to: layout, arguments, console)
        }
        if arguments[to] == WorkbookOutput.format {
            return try await convertToWorkbook(path, arguments, console)
        }
        try printRecords(try settings(path, arguments), named: arguments[file], console)
        return .completed
    }

    private static func convert(
        _ path: String, to layout: any ExportLayout, _ arguments: ParsedArguments, _ console: Console
    ) async throws(CommandFailure) -> ExitStatus {
        let reading = try settings(path, arguments)
        let output = try LayoutOutput(layout, arguments, input: arguments[file], console)
        let folder = layout.isFolder ? arguments[WorkbookOutput.output] : nil
        let pieces = PieceOutput(console)
        var refused: CommandFailure?
        let report: LossReport
        do throws(ETLError) {
            report = try await importing(reading, arguments, console) {
                (store, rejected) throws(ETLError) in
                do throws(CommandFailure) {
                    try output.checkIsComplete(without: rejected)
                } catch {
                    refused = error
                    throw ETLError(.unusableInput, error.message)
                }
                guard let folder else { return try output.write(store, to: pieces.write) }
                return try output.write(store, toFolder: folder)
            }
        } catch {
            throw refused ?? pieces.unwritten ?? CommandFailure(error, input: arguments[file])
        }
        return try output.end(report)
    }

    private static func convertToWorkbook(
        _ path: String, _ arguments: ParsedArguments, _ console: Console
    ) async throws(CommandFailure) -> ExitStatus {
        let reading = try settings(path, arguments)
        let output = try WorkbookOutput(arguments, input: arguments[file], console)
        do throws(ETLError) {
            try await importing(reading, arguments, console) { (store, _) throws(ETLError) in
                try output.write(of: store)
            }
        } catch {
            throw output.unwritten ?? CommandFailure(error, input: arguments[file])
        }
        return .completed
    }

    private static func settings(
        _ path: String, _ arguments: ParsedArguments
    ) throws(CommandFailure) -> ReadSettings {
        var reading = ReadSettings(files: [path])
        try ReadOptions.apply(arguments, to: &reading)
        return reading
    }

    /// Imports the file into a temporary store, which `use` reads. It is also told how many records were rejected.
    private static func importing<Result>(
        _ reading: ReadSettings, _ arguments: ParsedArguments, _ console: Console,
        _ use: (Connection, _ rejected: Int) throws(ETLError) -> Result
    ) async throws(ETLError) -> Result {
        let stop = StopSignal()
        Signals.process.raise(stop) { console.note("Stopping.") }
        return try await TemporaryImport(reading, try definition()).run(stop: stop, observing: console.tell) {
            (store, job) throws(ETLError) in
            try console.tellFindings(of: job, in: store, named: arguments[file])
            return try use(store, job.counts.rejected)
        }
    }

    private static func definition() throws(ETLError) -> PipelineDefinition {
        do throws(CommandFailure) {
            return try Definitions.csvImport()
        } catch {
            throw ETLError(.configuration, error.message, advice: error.advice)
        }
    }

    private static func printRecords(
        _ settings: ReadSettings, named name: String, _ console: Console
    ) throws(CommandFailure) {
        let pieces = PieceOutput(console)
        do throws(ETLError) {
            var settings = settings
            try settings.expandArchives()
            for warning in settings.setAside { console.warn(warning) }
            let outcome = try RawRecords.write(of: settings, to: pieces.write)
            if let place = outcome.firstOverLimit {
                console.warn(
                    "Skipped \(HumanText.count(outcome.overLimit, "record")) that \(outcome.overLimit == 1 ? "is" : "are") too large or damaged.",
                    place: "\(name):\(place.line)")
            }
        } catch {
            throw pieces.unwritten ?? CommandFailure(error, input: name)
        }
    }
}
