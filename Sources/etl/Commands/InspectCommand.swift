import Pipeline

/// `etl inspect`: what the importer sees in a file.
enum InspectCommand {
    static let file = Argument.one("FILE", "a library export; - is standard input")
    static let format = Option(.text("format", default: "auto", "take it for this format"), "NAME")
    static let map = Option.parsed(
        "map", "FIELD=COLUMN,…", mustBe: "`field=column` pairs with commas between them",
        "column mapping for the format generic", defaultText: "by header names", parse: ColumnAssignment.list)

    static let spec = CommandSpec(
        "inspect", summary: "show how a file would be read: format, columns, first rows, problems",
        arguments: [file.spec], options: [format.spec, map.spec, StoreOptions.json.spec],
        examples: [
            .init(
                "etl inspect export.csv", "encoding, delimiter, format, column mapping, first rows, problems"),
            .init("etl inspect --map title=Name,author=By list.csv", "try a column mapping"),
            .init("etl inspect --json export.csv", "the same as JSON"),
        ])
}
