import Books
import Formats
import Jobs
import Pipeline
import System

/// The options of every command that reads library files. Whatever is not given is guessed; `etl inspect`
/// shows the evidence.
enum ReadOptions {
    /// The values of `--from`.
    static let formatNames = [LibraryFormats.automatic] + LibraryFormats.all.map(\.name)

    static let format = Option(
        .choice("from", default: LibraryFormats.automatic, of: formatNames, "Format of the files"), "NAME",
        in: .reading
    ).formerly("format")
    static let map = Option.parsed(
        "map", "FIELD=COLUMN,…", mustBe: "FIELD=COLUMN pairs separated by commas",
        "Assign columns to fields; `#3` is the third column", defaultText: "by column names", in: .reading,
        explain: { text in
            do throws(ETLError) {
                _ = try ColumnOptions(parsing: text)
                return nil
            } catch {
                let reason = error.message.hasSuffix(".") ? String(error.message.dropLast()) : error.message
                return ValueMistake(
                    reason.prefix(1).lowercased() + reason.dropFirst(), advice: error.advice?.description)
            }
        },
        parse: { try? ColumnOptions(parsing: $0) })
    static let mapping = Option(
        Setting<String?>.text("mapping", "Mapping file that describes the table"), "FILE", in: .reading)
    static let encoding = word("encoding", "NAME", "Text encoding")
    static let delimiter = word("delimiter", "CHAR|tab", "Character that separates cells")
    static let quote = word("quote", "CHAR|backslash|none", "Character that encloses cells")
    static let header = word("header", "N|none", "Number of the record that is the header")
    static let dates = Option.parsed(
        "dates", "ORDER", mustBe: DateOrder.requirement, of: DateOrder.allCases.map(\.rawValue),
        "Order of day and month in dates such as 2/4/2026", defaultText: "detected", in: .reading,
        parse: { DateOrder(rawValue: $0) })

    static let rules = Option(
        Setting<String?>.text(
            "rules", "File with your rules for shelves, ratings and authors; none ignores the remembered ones"
        ),
        "FILE|none", defaultText: "those that the library remembers", in: .reading)

    /// Options for the meaning of a file. The other options say how its bytes become records.
    static let meaning = [format.spec, map.spec, mapping.spec, header.spec, dates.spec, rules.spec]

    static let all = [
        format.spec, map.spec, mapping.spec, encoding.spec, delimiter.spec, quote.spec, header.spec,
        dates.spec, rules.spec,
    ]

    /// Refuses two descriptions of one table: a mapping file is used in place of a format.
    static func objection(_ arguments: ParsedArguments) -> Objection? {
        guard arguments[mapping] != nil, arguments[format] != LibraryFormats.automatic else { return nil }
        return Objection(
            "`--mapping` and `--from` cannot be combined: a mapping file is a format.",
            advice: "Leave out one of them.")
    }

    /// The options that were given, as typed.
    static func given(_ arguments: ParsedArguments) -> [String] {
        all.flatMap { spec in arguments.texts(of: spec).flatMap { ["--\(spec.name)", $0] } }
    }

    /// Applies the given options to settings.
    static func apply(
        _ arguments: ParsedArguments, to reading: inout ReadSettings
    ) throws(CommandFailure) {
        if arguments[format] != LibraryFormats.automatic { reading.format = arguments[format] }
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
        if let path = arguments[rules], path != ImportRequest.noRules {
            do { reading.rules = try MappingRules(file: path) } catch { throw CommandFailure(error) }
        }
        let words = [("encoding", encoding), ("delimiter", delimiter), ("quote", quote), ("header", header)]
        for (key, option) in words {
            guard let word = arguments[option], !reading.text.take(key, word) else { continue }
            // Valid alone, but not with another option: delimiter and quote must differ.
            throw CommandFailure(
                .usage, "Invalid value `\(word)` for `--\(key)`: expected \(TextOptions.requirement(key)).")
        }
    }

    private static func word(_ key: String, _ placeholder: String, _ doc: String) -> Option<String?> {
        .parsed(
            key, placeholder, mustBe: TextOptions.requirement(key), doc, defaultText: "detected",
            in: .reading,
            parse: { word in
                var choice = TextOptions()
                return choice.take(key, word) ? word : nil
            })
    }
}
