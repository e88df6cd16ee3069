import Books
import Formats
import Queries
import Syntax
import System

/// `etl inspect`: shows how a file would be read.
enum InspectCommand: Command {
    static let files = Argument.many("FILE", "Library exports; - is standard input")

    static let spec = CommandSpec(
        "inspect", summary: "Show how files would be read: format, columns, first rows, problems",
        details: [
            "Shows each guess with its evidence. Reading options override a guess, here and in `etl import`."
        ],
        arguments: [files.spec], options: [StoreOptions.json.spec] + ReadOptions.all,
        examples: [
            .init("etl inspect export.csv", "Show encoding, format, columns, first rows and problems"),
            .init("etl inspect --encoding windows-1252 --delimiter ';' old.csv", "Override two guesses"),
            .init("etl inspect --json exports/*.csv", "Inspect several files, one JSON object per line"),
        ], isPaged: true
    ) { arguments in
        arguments[files].isEmpty ? .needs("etl inspect", "a FILE") : nil
    }

    static func run(_ arguments: ParsedArguments, _ console: Console) async throws(CommandFailure)
        -> ExitStatus
    {
        for name in try FilePatterns.expanded(arguments[files]) {
            try inspect(name, arguments, console)
        }
        return .completed
    }

    private static func inspect(
        _ name: String, _ arguments: ParsedArguments, _ console: Console
    ) throws(CommandFailure) {
        let path = try ImportRequestBuilder.file(name)
        defer { ImportRequestBuilder.removeSpool(path, of: name) }
        var settings = ReadSettings(files: [path])
        try ReadOptions.apply(arguments, to: &settings)
        do { try settings.expandArchives() } catch { throw CommandFailure(error, input: name) }
        for warning in settings.setAside { console.warn(warning) }
        for index in settings.files.indices {
            // Standard input keeps its name.
            let shown =
                settings.files.count > 1 || settings.files[index] != path ? settings.files[index] : name
            try inspect(settings, file: index, shown, arguments, console)
        }
    }

    private static func inspect(
        _ settings: ReadSettings, file index: Int, _ name: String, _ arguments: ParsedArguments,
        _ console: Console
    ) throws(CommandFailure) {
        let inspection: Inspection
        let tomorrow = CalendarDate.tomorrow(of: SystemClock().epochMilliseconds())
        do { inspection = try Inspection(settings, file: index, until: tomorrow) } catch {
            throw CommandFailure(error, input: name)
        }
        for warning in inspection.warnings { console.warn(warning) }
        if arguments[StoreOptions.json] {
            try console.writeJSON { inspection.write(into: &$0, spelling: console.words.spelled) }
        } else {
            try InspectionReport(inspection, name: name, options: ReadOptions.given(arguments)).write(
                to: console)
        }
    }
}
