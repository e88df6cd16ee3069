import Books
import Bytes
import Contract
import Pipeline
import Syntax
import System

/// `etl isbn`: checks and converts ISBNs.
enum ISBNCommand: Command {
    private static let lines = "(default: lines of standard input)"
    static let isbns = Argument.many("ISBN", "ISBNs, with or without hyphens \(lines)")
    static let bodies = Argument.many("ISBN", "ISBNs without the check digit, 9 or 12 digits \(lines)")

    static let ranges = Option(
        Setting<String?>.text(
            "ranges", "Use this range table (RangeMessage.xml) instead of the built-in one"),
        "FILE")

    static let spec = CommandSpec(
        "isbn", summary: "Check, convert and hyphenate ISBNs",
        details: [
            "Without a subcommand, ISBNs are checked: `etl isbn 0-441-17271-7`.",
            "Prints one line of JSON for each ISBN: input, verdict (valid, repaired, impossible), isbn13, isbn10, and "
                + "the rule of a repair or the reason why the number is impossible.",
        ],
        examples: [
            .init("etl isbn check 0-441-17271-7", "Check a number"),
            .init("etl isbn to13 < isbns.txt", "Convert each line of a file to ISBN-13"),
            .init("etl isbn hyphenate 9780441172719", "Hyphenate a number"),
        ],
        subcommands: [
            of("check", "Check ISBNs, and repair damaged ones if only one repair is possible"),
            of("to13", "Convert ISBNs to ISBN-13"),
            of("to10", "Convert ISBNs to ISBN-10, if they have one"),
            of("hyphenate", "Hyphenate ISBNs by the range table of the ISBN agency"),
            of(
                "check-digit", "Add the missing check digit to ISBNs", of: bodies, one: "0-441-17271",
                two: "978044117271 080442957"),
        ],
        shorthand: { words in
            // At least as many digits as an ISBN without its check digit are no misspelled subcommand.
            words.first.map { $0.utf8.count(where: \.isDigit) >= 9 } == true ? "check" : nil
        })

    /// Conversion of each subcommand.
    private static let conversions: [String: ISBNAnswer.Conversion] = [
        "check": .check, "to13": .toThirteen, "to10": .toTen, "hyphenate": .hyphenate,
        "check-digit": .checkDigit,
    ]

    private static func of(
        _ name: String, _ summary: String, of argument: Argument<[String]> = isbns,
        one: String = "0-441-17271-7",
        two: String = "9780441172719 080442957X"
    ) -> CommandSpec {
        CommandSpec(
            "isbn", name, summary: summary, arguments: [argument.spec],
            options: [ranges.spec, StoreOptions.alwaysJSON.spec],
            examples: [
                .init("etl isbn \(name) \(one)", "Process one ISBN"),
                .init("etl isbn \(name) \(two)", "Process several ISBNs"),
                .init("etl isbn \(name) < isbns.txt", "Process each line of a file"),
            ])
    }

    static func run(_ arguments: ParsedArguments, _ console: Console) async throws(CommandFailure)
        -> ExitStatus
    {
        guard let conversion = arguments.command.last.flatMap({ conversions[$0] }) else {
            throw CommandFailure(
                .usage, "`etl isbn` needs a subcommand.", advice: "`etl isbn --help` lists them.")
        }
        var ranges = ISBNRangeTable.builtIn
        if let path = arguments[Self.ranges] {
            ranges = try Self.message(path)
        }
        let given = arguments[isbns]
        for input in given.isEmpty ? ["-"] : given {
            guard input == "-" else {
                try write(ISBNAnswer(conversion, input, ranges: ranges), to: console)
                continue
            }
            var lines = InputLines()
            while let line = try lines.next() {
                try write(
                    ISBNAnswer(conversion, String(decoding: line, as: UTF8.self), ranges: ranges), to: console
                )
            }
        }
        return .completed
    }

    private static func write(_ answer: ISBNAnswer, to console: Console) throws(CommandFailure) {
        try console.writeJSON { answer.write(into: &$0) }
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
                advice: "Download RangeMessage.xml from the International ISBN Agency.",
                place: "\(path):\(error.line)")
        }
    }
}
