import Books
import Pipeline
import Syntax

/// `etl convert`: the readers of files alone.
enum ConvertCommand: Command {
    static let file = Argument.one("FILE", "a library export; - is standard input")
    static let raw = Option.flag("raw", "the parsed records as they are, one JSON array of strings a line")

    static let spec = CommandSpec(
        "convert", summary: "print the records of a file, nothing interpreted",
        details: [
            "The records of any delimited text, as well of one that is no library. The first line is the "
                + "header; a format that has none, as MARC, gets the names of its columns."
        ],
        arguments: [file.spec], options: [raw.spec],
        examples: [
            .init("etl convert export.csv --raw", "every record, the header included"),
            .init("etl convert export.csv --raw | wc -l", "how many records there are"),
            .init("etl convert - --raw < export.csv | jq -r '.[1]'", "the second column"),
        ]
    ) { arguments in
        arguments[raw] ? nil : "`etl convert` needs `--raw`: there is no other conversion."
    }

    static func run(_ arguments: ParsedArguments, _ console: Console) async throws(CommandFailure)
        -> ExitStatus
    {
        let path = try ImportRequestBuilder.file(arguments[file])
        defer { ImportRequestBuilder.removeSpool(path, of: arguments[file]) }
        var unwritten: CommandFailure?
        do throws(StageFailure) {
            let outcome = try RawRecords.write(of: path) { (bytes) throws(StageFailure) in
                do throws(CommandFailure) {
                    try console.write(Array(bytes))
                } catch {
                    unwritten = error
                    throw StageFailure(.inputOutput, error.message)
                }
            }
            if let place = outcome.firstOverLimit {
                console.warn(
                    "\(HumanText.count(outcome.overLimit, "record")) left out for being too large or damaged.",
                    place: "\(arguments[file]):\(place.line)")
            }
        } catch {
            throw unwritten ?? CommandFailure(error, input: arguments[file])
        }
        return .completed
    }
}
