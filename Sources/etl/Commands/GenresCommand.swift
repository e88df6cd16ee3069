import Books
import Pipeline
import Syntax

/// `etl genres`: normalizes genres.
enum GenresCommand: Command {
    static let genres = Argument.many(
        "GENRE", "Genres or subjects (default: lines of standard input)")

    static let spec = CommandSpec(
        "genres", summary: "Convert genres and subjects to canonical genres",
        details: [
            "Prints one JSON array of strings for each line of input. All arguments together are one line."
        ],
        arguments: [genres.spec],
        examples: [
            .init("etl genres Fiction Thrillers MYSTERY", "Print [\"Fiction\",\"Thriller\",\"Mystery\"]"),
            .init(
                "etl genres 'Fiction / Science Fiction / General'",
                "Convert a book-trade (BISAC) subject heading"),
            .init("etl genres < subjects.txt", "Convert each line of a file"),
        ])

    static func run(_ arguments: ParsedArguments, _ console: Console) async throws(CommandFailure)
        -> ExitStatus
    {
        var normalizer = GenreLine()
        let given = arguments[genres]
        guard given.isEmpty else {
            var json = JSONWriter()
            json.array { json in for genre in given { json.string(genre) } }
            try console.write(normalizer.json(of: json.bytes) + [UInt8(ascii: "\n")])
            return .completed
        }
        while let line = readLine() {
            try console.write(normalizer.json(of: Array(line.utf8)) + [UInt8(ascii: "\n")])
        }
        return .completed
    }
}
