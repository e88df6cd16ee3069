import Pipeline
import Stages

/// `etl convert`: the CSV reader alone.
enum ConvertCommand: Command {
    static let file = Argument.one("FILE", "a CSV file; - is standard input")
    static let raw = Option.flag("raw", "the parsed records as they are, one JSON array of strings a line")

    static let spec = CommandSpec(
        "convert", summary: "print the records of a CSV file, nothing interpreted",
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
        let path = try Orders.file(arguments[file])
        defer { Orders.removeSpool(path, of: arguments[file]) }
        var unwritten: CommandFailure?
        do throws(StageFailure) {
            let head = try FileBytes.head(of: path, count: 1 << 20)
            let encoding = TextEncoding.sniff(head: head)
            let dialect = Dialect.sniff(head: head)
            let reader = try RecordReader(
                file: path, fileIndex: 0, dialect: dialect.dialect, encoding: encoding.encoding,
                limits: .standard,
                from: .start)
            let outcome = try RawRecords.write(reader) { (bytes) throws(StageFailure) in
                do throws(CommandFailure) {
                    try console.write(Array(bytes))
                } catch {
                    unwritten = error
                    throw StageFailure(.inputOutput, error.message)
                }
            }
            if let place = outcome.firstOverLimit {
                console.warn(
                    "\(HumanText.count(outcome.overLimit, "record")) left out for being too large.",
                    place: "\(arguments[file]):\(place.line)")
            }
        } catch {
            throw unwritten ?? CommandFailure(error, input: arguments[file])
        }
        return .completed
    }
}
