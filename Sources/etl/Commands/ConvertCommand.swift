/// `etl convert`: the CSV reader alone.
enum ConvertCommand {
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
}
