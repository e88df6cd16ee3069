import Pipeline
import Queries
import Store
import System

/// `etl list`: lists the books of a store.
enum ListCommand: Command {
    /// Output format of the list.
    enum Format: String, CaseIterable, Sendable {
        case table, csv, json, ndjson, ids
    }

    /// The columns if none are given.
    private static let defaultColumns = ["title", "authors", "shelf", "rating", "dateRead"]
    /// The same for a list of copies.
    private static let copyColumns =
        ["title", "authors", "ownedCopies"] + EditableField.copyDetails.map(\.name)
    private static let names = StoredBookField.all.map(\.name)

    static let condition = Option.condition(
        "List the books that fulfill a condition, such as \"rating >= 4 and language = fr\"")
    static let sort = Option.parsed(
        "sort", "FIELDS", mustBe: "fields separated by commas, each with - before it for descending order",
        of: names, "Sort by these fields; - before a name reverses its order", defaultText: "title",
        parse: order)
    static let columns = Option.parsed(
        "columns", "FIELDS", mustBe: "fields separated by commas, of \(names.joined(separator: ", "))",
        of: names, "Fields to show", defaultText: defaultColumns.joined(separator: ","), parse: fields)
    static let copies = Option.flag(
        "copies", "List the copies that you own: where they are, who has them, price, condition, barcode")
    static let limit = Option(
        Setting<Int?>.integer("limit", in: 1...Int.max, "List at most N books"), "N")
    static let format = Option(
        .choice("to", default: Format.table, "Output format; ids are keys that other commands take"),
        "FORMAT"
    ).formerly("format")

    static let spec = CommandSpec(
        "list", summary: "List the books of a store",
        details: [
            "The table fits the terminal. Conditions, columns and the order use the fields of the store: title, "
                + "authors, language, pageCount, rating, shelf, dateRead … See docs/expressions.md.",
            "--to ids prints a key for each book, which `etl explain` and other commands take.",
        ],
        options: [
            condition.spec, sort.spec, columns.spec, copies.spec, limit.spec, ExportCommand.library.spec,
            format.spec,
            ExportCommand.safe.spec, StoreOptions.db.spec, StoreOptions.json.spec,
        ],
        examples: [
            .init(
                "etl list --where language=fr --sort dateAdded", "Show the French books as they were added"),
            .init("etl list --copies", "Show where each copy is, and who has it"),
            .init(
                "etl list --where rating=5 --to ids", "Print the keys of favorites, for other commands"),
        ], isPaged: true
    ) { arguments in
        if arguments[format] == .ids, arguments[columns] != nil {
            return Objection(
                "`--to ids` prints keys and has no columns.",
                advice: "Leave out `--columns`, or choose another format.")
        }
        return StoreOptions.objection(arguments, to: format, besides: .json)
            ?? ExportCommand.safeObjection(arguments, isCSV: arguments[format] == .csv)
    }

    static func run(_ arguments: ParsedArguments, _ console: Console) async throws(CommandFailure)
        -> ExitStatus
    {
        let usual = arguments[copies] ? copyColumns : defaultColumns
        let shown = arguments[columns] ?? usual.compactMap { StoredBookField.field(named: $0) }
        let byTitle = StoredBookField.field(named: "title").map { [(field: $0, isDescending: false)] } ?? []
        var query = LibraryList.Query(
            columns: shown, order: arguments[sort] ?? byTitle, condition: arguments[condition],
            library: arguments[ExportCommand.library], limit: arguments[limit])
        query.isOfCopies = arguments[copies]
        let safe = arguments[ExportCommand.safe]
        let store = DefaultPaths.store(arguments)
        let wanted = arguments[StoreOptions.json] ? Format.json : arguments[format]
        if let format = LibraryList.Format(rawValue: wanted.rawValue) {
            _ = try StoreOutput.write(store, console) { (connection, sink) throws(ETLError) in
                try LibraryList(connection, query).write(as: format, guardsFormulas: safe, to: sink)
            }
            return .completed
        }
        var table = Table(shown.map { .init($0.name, $0.type == .number ? .right : .left) })
        let count = try StoreOutput.write(store, console) { (connection, _) throws(ETLError) in
            try LibraryList(connection, query).visit { cells in table.add(cells) }
        }
        if table.isEmpty {
            let isOfCopies = arguments[copies] && arguments[condition] == nil
            console.note(
                isOfCopies ? "No book here counts as owned." : "No book fulfills the condition.")
            for hint in arguments.texts(of: condition.spec).flatMap(ConditionHint.hints) {
                console.note(UserText(hint))
            }
        } else {
            try console.write(listing: table)
            if count.books < count.entries, !arguments[copies] {
                let entries = HumanText.count(count.entries, "entry", plural: "entries")
                console.note(
                    "\(entries) of \(HumanText.count(count.books, "book")): `etl duplicates\(DefaultPaths.option(store: store))` lists those of one book."
                )
            }
        }
        return .completed
    }

    private static func fields(_ text: String) -> [StoredBookField]? {
        let names = text.split(separator: ",", omittingEmptySubsequences: false)
        let fields = names.compactMap { StoredBookField.field(named: String($0)) }
        return fields.count == names.count && !fields.isEmpty ? fields : nil
    }

    private static func order(_ text: String) -> [(field: StoredBookField, isDescending: Bool)]? {
        let words = text.split(separator: ",", omittingEmptySubsequences: false)
        let order = words.compactMap { word -> (field: StoredBookField, isDescending: Bool)? in
            let isDescending = word.first == "-"
            return StoredBookField.field(named: String(isDescending ? word.dropFirst() : word)).map {
                ($0, isDescending)
            }
        }
        return order.count == words.count && !order.isEmpty ? order : nil
    }
}

/// Says how the store spells a value of a condition that found nothing: `shelf = reading` is `shelf = currently-reading`.
enum ConditionHint {
    /// Fields whose values the store spells in one way.
    private static let fields: [String: EditableField] = [
        "shelf": .shelf, "language": .language, "originallanguage": .originalLanguage, "format": .format,
    ]

    /// - Parameter condition: As typed: `shelf = reading and rating > 3`.
    static func hints(_ condition: String) -> [String] {
        let words = condition.replacing("=", with: " = ").split(separator: " ").map(String.init)
        return words.indices.dropFirst().dropLast().compactMap { index in
            guard words[index] == "=", let field = fields[bare(words[index - 1]).lowercased()] else {
                return nil
            }
            return hint(bare(words[index + 1]), field)
        }
    }

    private static func hint(_ text: String, _ field: EditableField) -> String? {
        do throws(ETLError) {
            let stored = try field.values(of: text).first
            if let stored, stored != text { return "In conditions, `\(text)` is written `\(stored)`." }
        } catch {
            return error.message
        }
        return field.meant(by: text).map { "Did you mean `\($0)`?" }
    }

    /// A word without quotes and parentheses around it.
    private static func bare(_ word: String) -> String {
        String(word.drop { "(\"'".contains($0) }.reversed().drop { ")\"'".contains($0) }.reversed())
    }
}
