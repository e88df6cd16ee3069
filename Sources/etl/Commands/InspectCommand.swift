import Application
import Books
import Pipeline
import Syntax

/// `etl inspect`: what the importer sees in a file.
enum InspectCommand: Command {
    static let files = Argument.many("FILE", "library exports; - is standard input")

    static let spec = CommandSpec(
        "inspect", summary: "show how files would be read: format, columns, first rows, problems",
        details: [
            "Tells each guess with its evidence. Any of them can be overruled, here and in `etl import`, by an "
                + "option of reading."
        ],
        arguments: [files.spec], options: [StoreOptions.json.spec] + ReadOptions.all,
        examples: [
            .init("etl inspect export.csv", "encoding, format, column mapping, first rows, problems"),
            .init("etl inspect --encoding windows-1252 --delimiter ';' old.csv", "overrule two guesses"),
            .init("etl inspect --json 'exports/*.csv'", "several files, one JSON object a line"),
        ]
    ) { arguments in
        arguments[files].isEmpty ? "`etl inspect` needs a FILE." : nil
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
        let inspection: Inspection
        do { inspection = try Inspection(settings) } catch {
            throw CommandFailure(error, input: name)
        }
        for warning in inspection.warnings { console.warn(warning) }
        if arguments[StoreOptions.json] {
            var json = JSONWriter()
            inspection.write(into: &json, spelling: console.words.spelled)
            try console.write(json.bytes + [UInt8(ascii: "\n")])
        } else {
            try InspectionReport(inspection, name: name, options: ReadOptions.given(arguments)).write(
                to: console)
        }
    }
}
