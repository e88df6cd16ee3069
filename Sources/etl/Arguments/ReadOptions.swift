import Books
import Pipeline

/// How files are read: the options of every command that reads library files. What they leave open is guessed, and
/// `etl inspect` tells by what.
enum ReadOptions {
    /// What `--format` takes.
    static let formatNames = ["auto"] + LibraryFormats.all.map(\.name)

    static let format = Option(
        .choice("format", default: "auto", of: formatNames, "what the file is"), "NAME", in: .reading)
    static let map = Option.parsed(
        "map", "FIELD=COLUMN,…", mustBe: "`field=column` pairs with commas between them",
        "which column is which field; `#3` is the third column", defaultText: "by header names", in: .reading,
        advise: { text in
            do throws(StageFailure) {
                _ = try ColumnOptions(parsing: text)
                return nil
            } catch {
                return [error.message, error.advice?.description ?? ""].joined(separator: " ")
            }
        },
        parse: { try? ColumnOptions(parsing: $0) })
    static let mapping = Option(
        Setting<String?>.text("mapping", "mapping file for a table of its own kind"), "FILE", in: .reading)
    static let encoding = word("encoding", "NAME", "how its bytes mean text")
    static let delimiter = word("delimiter", "CHAR|tab", "what separates its cells")
    static let quote = word("quote", "CHAR|none", "what encloses its cells")
    static let header = word("header", "N|none", "number of the record that is its header")
    static let dates = Option.parsed(
        "dates", "ORDER", mustBe: DateOrder.requirement, of: DateOrder.allCases.map(\.rawValue),
        "what comes first in dates as 2/4/2026", defaultText: "as the file shows", in: .reading,
        parse: { DateOrder(rawValue: $0) })

    static let all = [
        format.spec, map.spec, mapping.spec, encoding.spec, delimiter.spec, quote.spec, header.spec,
        dates.spec,
    ]

    /// The options that were given, as they are typed.
    static func given(_ arguments: ParsedArguments) -> [String] {
        all.flatMap { spec in arguments.texts(of: spec).flatMap { ["--\(spec.name)", $0] } }
    }

    /// Puts what was said into settings.
    static func apply(
        _ arguments: ParsedArguments, to reading: inout ReadSettings
    ) throws(CommandFailure) {
        if arguments[format] != "auto" { reading.format = arguments[format] }
        if let map = arguments[map] { reading.columns = map }
        if let path = arguments[mapping] {
            do {
                let mapping = try ColumnMapping(file: path)
                reading.mapping = mapping
                reading.text = mapping.text
                reading.explicitDateOrder = mapping.dateOrder
            } catch {
                throw CommandFailure(error)
            }
        }
        if let order = arguments[dates] { reading.explicitDateOrder = order }
        let words = [("encoding", encoding), ("delimiter", delimiter), ("quote", quote), ("header", header)]
        for (key, option) in words {
            guard let word = arguments[option], !reading.text.take(key, word) else { continue }
            // Right by itself, and wrong beside another one.
            throw CommandFailure(.usage, "--\(key) must be \(TextOptions.requirement(key)).")
        }
    }

    private static func word(_ key: String, _ placeholder: String, _ doc: String) -> Option<String?> {
        .parsed(
            key, placeholder, mustBe: TextOptions.requirement(key), doc, defaultText: "guessed", in: .reading,
            parse: { word in
                var choice = TextOptions()
                return choice.take(key, word) ? word : nil
            })
    }
}
