import Application
import Books
import Pipeline
import Syntax

/// `etl isbn`: checks and rewrites ISBNs.
enum ISBNCommand: Command {
    static let isbns = Argument.many(
        "ISBN", "ISBNs in any spelling; - or none at all: lines of standard input")

    static let ranges = Option(
        Setting<String?>.text("ranges", "a newer range message of the ISBN agency (RangeMessage.xml)"), "FILE"
    )

    static let spec = CommandSpec(
        "isbn", summary: "check, convert and hyphenate ISBNs",
        details: [
            "One line of JSON for each ISBN: input, verdict (valid, repaired, impossible), isbn13, "
                + "isbn10, and the rule of a repair or the reason of a refusal."
        ],
        examples: [
            .init("etl isbn check 0-441-17271-7", "is it an ISBN?"),
            .init("etl isbn to13 < isbns.txt", "ISBN-13s of all lines of a file"),
            .init("etl isbn hyphenate 9780441172719", "with its hyphens in the right places"),
        ],
        subcommands: [
            of("check", "tell whether ISBNs are valid, and repair what can be repaired for certain"),
            of("to13", "turn ISBNs into ISBN-13s"),
            of("to10", "turn ISBNs into ISBN-10s, where there are any"),
            of("hyphenate", "put the hyphens where the range table of the ISBN agency has them"),
            of("check-digit", "complete ISBNs that lack their last digit"),
        ])

    private static func of(_ name: String, _ summary: String) -> CommandSpec {
        CommandSpec(
            "isbn", name, summary: summary, arguments: [isbns.spec], options: [ranges.spec],
            examples: [
                .init("etl isbn \(name) 0-441-17271-7", "one ISBN"),
                .init("etl isbn \(name) 9780441172719 080442957X", "several"),
                .init("etl isbn \(name) < isbns.txt", "one in each line of a file"),
            ])
    }

    static func run(_ arguments: ParsedArguments, _ console: Console) async throws(CommandFailure)
        -> ExitStatus
    {
        guard let word = arguments.command.last, let question = ISBNAnswer.Question(rawValue: word) else {
            throw CommandFailure(
                .usage, "`etl isbn` needs to know what to do.", advice: "See `etl isbn --help`.")
        }
        var ranges = ISBNRangeTable.builtIn
        if let path = arguments[Self.ranges] {
            ranges = try Self.message(path)
        }
        let given = arguments[isbns]
        for input in given.isEmpty ? ["-"] : given {
            guard input == "-" else {
                try write(ISBNAnswer(question, input, ranges: ranges), to: console)
                continue
            }
            while let line = readLine() {
                try write(ISBNAnswer(question, line, ranges: ranges), to: console)
            }
        }
        return .completed
    }

    private static func write(_ answer: ISBNAnswer, to console: Console) throws(CommandFailure) {
        var json = JSONWriter()
        answer.write(into: &json)
        json.endLine()
        try console.write(json.bytes)
    }

    private static func message(_ path: String) throws(CommandFailure) -> ISBNRangeTable {
        let bytes: [UInt8]
        do {
            bytes = try FileBytes.head(of: path, count: XMLDocument.longest + 1)
        } catch {
            throw CommandFailure(error, input: path)
        }
        do {
            return try ISBNRangeTable(message: bytes)
        } catch {
            throw CommandFailure(
                .unusableInput, error.message,
                advice: "Fetch RangeMessage.xml from the International ISBN Agency.",
                place: "\(path):\(error.line)")
        }
    }
}
