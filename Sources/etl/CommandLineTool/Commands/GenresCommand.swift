import Books
import Contract
import Pipeline
import Queries
import Syntax
import System

/// `etl genres`: normalizes genres, and lists what gives none.
enum GenresCommand: Command {
    static let genres = Argument.many(
        "GENRE", "Genres or subjects (default: lines of standard input)")
    static let rules = Option(
        Setting<String?>.text("rules", "File with your own rules for genres"), "FILE",
        defaultText: "that of the configuration")
    static let unmapped = Option.flag(
        "unmapped", "List the subjects and shelves of a store that give no genre, with their counts")
    static let limit = Option(
        Setting<Int?>.integer("limit", in: 1...Int.max, "List the N most frequent only"), "N",
        defaultText: "100; all with --json")

    /// Terms in a table if no limit is given.
    private static let defaultLimit = 100

    static let spec = CommandSpec(
        "genres", summary: "Convert genres and subjects to canonical genres",
        details: [
            "Prints one JSON array of strings for each line of input. A line has the subjects of one book, separated "
                + "by `;`. All arguments together are one line. Topics such as `Deaf-blind people` are not genres."
        ],
        arguments: [genres.spec],
        options: [rules.spec, unmapped.spec, limit.spec, StoreOptions.db.spec, StoreOptions.json.spec],
        examples: [
            .init("etl genres Fiction Thrillers MYSTERY", "Print [\"Fiction\",\"Thriller\",\"Mystery\"]"),
            .init("etl genres < subjects.txt", "Convert each line of a file"),
            .init(
                "etl genres --unmapped --limit 50", "List frequent subjects without a genre, to write rules"),
        ],
        objection: { arguments in
            if arguments[unmapped] {
                arguments[genres].isEmpty
                    ? nil : Objection("`--unmapped` lists those of a store.", advice: "Leave out the genres.")
            } else if arguments[limit] != nil || arguments[StoreOptions.db] != nil {
                Objection("`--limit` and `--db` belong to `--unmapped`.", advice: "Add --unmapped.")
            } else {
                nil
            }
        })

    static func run(_ arguments: ParsedArguments, _ console: Console) async throws(CommandFailure)
        -> ExitStatus
    {
        let rules = try rules(arguments)
        if arguments[unmapped] { return try list(arguments, rules, console) }
        var normalizer = GenreLine(rules: rules)
        let given = arguments[genres]
        guard given.isEmpty else {
            var json = JSONWriter()
            json.array { json in for genre in given { json.string(genre) } }
            try console.write(normalizer.json(of: json.bytes) + [UInt8(ascii: "\n")])
            return .completed
        }
        var lines = InputLines()
        while let line = try lines.next() {
            try console.write(normalizer.json(of: line) + [UInt8(ascii: "\n")])
        }
        return .completed
    }

    /// The rules of the option, else those that imports use.
    private static func rules(_ arguments: ParsedArguments) throws(CommandFailure) -> GenreRules {
        guard let path = arguments[Self.rules] else { return try Definitions.genreRules() }
        do { return try GenreRules(file: path) } catch { throw CommandFailure(error) }
    }

    private static func list(
        _ arguments: ParsedArguments, _ rules: GenreRules, _ console: Console
    ) throws(CommandFailure) -> ExitStatus {
        let isJSON = arguments[StoreOptions.json]
        let limit = arguments[limit] ?? (isJSON ? .max : defaultLimit)
        var table = Table(
            .init("count", .right), .init("term", isNeverCut: true), .init("source", isNeverCut: true),
            .init("hints at", wraps: true))
        var json = JSONWriter()
        json.beginArray()
        var count = 0
        let store = DefaultPaths.store(arguments)
        _ = try StoreOutput.write(store, console) { (connection, write) throws(ETLError) in
            try UnmappedTerms(connection, rules: rules).visit { (term) throws(ETLError) in
                count += 1
                if isJSON {
                    term.write(into: &json)
                    // Large libraries have many terms, so they are not collected.
                    try json.drain(write)
                } else if count <= limit {
                    table.add(
                        HumanText.count(term.count), term.text, term.source.rawValue,
                        term.hints.joined(separator: ", "))
                }
                return !isJSON || count < limit
            }
        }
        if isJSON {
            json.endArray()
            json.endLine()
            try console.write(json.bytes)
            return .completed
        }
        guard !table.isEmpty else {
            console.note("All subjects and shelves give a genre.")
            return .completed
        }
        try console.write(table)
        if count > limit {
            console.note("\(HumanText.count(count - limit)) more. List them with --limit or --json.")
        }
        return .completed
    }
}
