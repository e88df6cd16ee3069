import Pipeline
import Stages

/// `etl inspect`: what the importer sees in a file.
enum InspectCommand: Command {
    static let file = Argument.one("FILE", "a library export; - is standard input")
    static let format = Option(
        .choice("format", default: "auto", of: RunOptions.formatNames, "take it for this format"), "NAME")
    static let map = Option.parsed(
        "map", "FIELD=COLUMN,…", mustBe: "`field=column` pairs with commas between them",
        "column mapping for the format generic", defaultText: "by header names",
        parse: { try? ColumnChoice(parsing: $0) })

    static let spec = CommandSpec(
        "inspect", summary: "show how a file would be read: format, columns, first rows, problems",
        arguments: [file.spec], options: [format.spec, map.spec, StoreOptions.json.spec],
        examples: [
            .init(
                "etl inspect export.csv", "encoding, format, column mapping, first rows, problems"),
            .init("etl inspect --map title=Name,author=By list.csv", "try a column mapping"),
            .init("etl inspect --json export.csv", "the same as JSON"),
        ])

    static func run(_ arguments: ParsedArguments, _ console: Console) async throws(CommandFailure)
        -> ExitStatus
    {
        let path = try Orders.file(arguments[file])
        defer { Orders.removeSpool(path, of: arguments[file]) }
        var settings = ReadSettings(files: [path])
        if arguments[format] != "auto" { settings.format = arguments[format] }
        if let map = arguments[map] { settings.columns = map }
        let inspection: Inspection
        do { inspection = try Inspection(settings) } catch {
            throw CommandFailure(error, input: arguments[file])
        }
        if arguments[StoreOptions.json] {
            var json = JSONWriter()
            inspection.write(into: &json)
            try console.write(json.bytes + [UInt8(ascii: "\n")])
        } else {
            try InspectionReport(inspection, name: arguments[file]).write(to: console)
        }
        return .completed
    }
}
