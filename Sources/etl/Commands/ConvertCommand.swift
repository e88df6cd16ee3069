import Books
import Pipeline
import Syntax

/// `etl convert`: prints the parsed records of a file.
enum ConvertCommand: Command {
    static let file = Argument.one("FILE", "Library export; - is standard input")
    static let raw = Option.flag(
        "raw", "Print each record as a JSON array of strings, without interpretation")

    static let spec = CommandSpec(
        "convert", summary: "Print the records of a file as JSON arrays",
        details: [
            "Reads any delimited text, even if it is not a library export. The first line of output is the header, or, "
                + "for a format without a header, such as MARC, the names of its columns."
        ],
        arguments: [file.spec], options: [raw.spec], requiring: [raw.spec],
        examples: [
            .init("etl convert --raw export.csv", "Print every record, including the header"),
            .init("etl convert --raw export.csv | wc -l", "Count the records, and the header"),
            .init("etl convert --raw - < export.csv | jq -r '.[1]'", "Print the second column"),
        ]
    ) { arguments in
        arguments[raw] ? nil : .needs("etl convert", "`--raw`")
    }

    static func run(_ arguments: ParsedArguments, _ console: Console) async throws(CommandFailure)
        -> ExitStatus
    {
        let path = try ImportRequestBuilder.file(arguments[file])
        defer { ImportRequestBuilder.removeSpool(path, of: arguments[file]) }
        var unwritten: CommandFailure?
        do throws(StageFailure) {
            var settings = ReadSettings(files: [path])
            try settings.expandArchives()
            for warning in settings.setAside { console.warn(warning) }
            let outcome = try RawRecords.write(of: settings.files[0]) { (bytes) throws(StageFailure) in
                do throws(CommandFailure) {
                    try console.write(Array(bytes))
                } catch {
                    unwritten = error
                    throw StageFailure(.inputOutput, error.message)
                }
            }
            if let place = outcome.firstOverLimit {
                console.warn(
                    "Skipped \(HumanText.count(outcome.overLimit, "record")) that \(outcome.overLimit == 1 ? "is" : "are") too large or damaged.",
                    place: "\(arguments[file]):\(place.line)")
            }
        } catch {
            throw unwritten ?? CommandFailure(error, input: arguments[file])
        }
        return .completed
    }
}
