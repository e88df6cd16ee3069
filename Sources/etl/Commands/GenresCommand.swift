import Books
import Pipeline
import Syntax

/// `etl genres`: normalizes genres.
enum GenresCommand: Command {
    static let genres = Argument.many(
        "GENRE", "a provider's genres or subjects; without any, lines of standard input")

    static let spec = CommandSpec(
        "genres", summary: "turn genres and subjects into canonical genres",
        details: ["One JSON array of strings for each line of input; all arguments together are one line."],
        arguments: [genres.spec],
        examples: [
            .init("etl genres Fiction Thrillers MYSTERY", "[\"Fiction\",\"Thriller\",\"Mystery\"]"),
            .init("etl genres 'Fiction / Science Fiction / General'", "a heading of the book trade"),
            .init("etl genres < subjects.txt", "one subject in each line of a file"),
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
