import Application
import Books
import Pipeline

/// `etl set`: sets fields of a book by hand.
enum SetCommand: Command {
    static let book = Argument.one(
        "BOOK", "Book, by ISBN, by ID in the export (id:ID), or by its key in `etl export`")
    static let fields = Argument.many(
        "FIELD=VALUE", atLeast: 1, "Field and its new value; an empty value clears it")
    static let library = Option(
        Setting<String?>.text("library", "Library of the entry"), "NAME",
        defaultText: "the only library that has the book")
    static let dryRun = UndoCommand.dryRun

    static let spec = CommandSpec(
        "set", summary: "Correct fields of a book by hand",
        details: [
            "Imports and services do not change a field that was set, until `etl unlock` allows it. `etl explain` shows "
                + "what was set, and when. `etl undo` takes it back.",
            "Fields: \(EditFields.names).", "Elements of a list are separated by semicolons.",
        ],
        arguments: [book.spec, fields.spec],
        options: [library.spec, dryRun.spec, StoreOptions.db.spec, StoreOptions.json.spec],
        examples: [
            .init("etl set 9780441172719 publisher=Ace pageCount=412", "Set two fields of an edition"),
            .init(
                "etl set id:5907 rating=4.5 'notes=Lent to Anna'",
                "Set fields of an entry, by its Goodreads Book Id"),
            .init(
                "etl set --dry-run ol:OL893415W 'genre=Science Fiction; Classics'", "Show what would change"),
        ])

    static func run(_ arguments: ParsedArguments, _ console: Console) async throws(CommandFailure)
        -> ExitStatus
    {
        var actions: [(field: EditableField, action: EditRequest.Action)] = []
        for word in arguments[fields] {
            guard let sign = word.firstIndex(of: "=") else {
                throw CommandFailure(
                    .usage, "`\(word)` has no value.", advice: "Write a field and its value: publisher=Ace.")
            }
            let field = try EditFields.field(String(word[..<sign]))
            do throws(StageFailure) {
                actions.append((field, .set(try field.values(of: String(word[word.index(after: sign)...])))))
            } catch {
                throw CommandFailure(error)
            }
        }
        return try await EditFields.edit(
            arguments, library: arguments[library], isDryRun: arguments[dryRun], console, pipeline: "set"
        ) { _ in actions }
    }
}

/// What `etl set`, `etl lock` and `etl unlock` have in common.
enum EditFields {
    static let names = EditableField.allCases.map(\.name).joined(separator: ", ")

    /// The field with a name.
    static func field(_ name: String) throws(CommandFailure) -> EditableField {
        if let field = EditableField(named: name) { return field }
        throw CommandFailure(
            .usage, "There is no field `\(name)` that can be edited.",
            advice: Spelling.advice(
                for: name, among: EditableField.allCases.map(\.name), called: "The fields"
            )
            .map { UserText($0) })
    }

    /// Changes fields of the book and reports what has changed.
    static func edit(
        _ arguments: ParsedArguments, library: String?, isDryRun: Bool, _ console: Console, pipeline: String,
        _ actions: (LibraryEdits) throws(StageFailure) -> [(field: EditableField, action: EditRequest.Action)]
    ) async throws(CommandFailure) -> ExitStatus {
        let report: EditReport
        do throws(StageFailure) {
            let edits = try LibraryEdits(DefaultPaths.store(arguments), isDryRun: isDryRun)
            report = try await edits.edit(
                BookReference(arguments[SetCommand.book]), library: library, pipeline: pipeline,
                actions(edits))
        } catch {
            throw CommandFailure(error)
        }
        if arguments[StoreOptions.json] {
            try console.writeJSON { report.write(into: &$0) }
        } else {
            try write(report, to: console)
        }
        return .completed
    }

    private static func write(_ report: EditReport, to console: Console) throws(CommandFailure) {
        guard !report.rows.isEmpty else { return try console.writeText("Nothing has to be changed.") }
        var table = Table(
            .init("row", isNeverCut: true), .init("title", narrowest: 20), .init("field", isNeverCut: true),
            .init("before", wraps: true), .init("after", wraps: true), .init("locked", isNeverCut: true))
        for row in report.rows {
            for field in row.fields {
                table.add(
                    row.kind.rawValue, row.title ?? row.key, field.field.name, shown(field.before),
                    shown(field.after), field.isLocked ? "yes" : "no")
            }
        }
        try console.write(table)
        guard let job = report.job else {
            return try console.write("\nNothing was changed. Leave out --dry-run to do it.\n")
        }
        try console.write("\n")
        try console.writeText("To take this back: \(console.words.spelled(UserCommand.undo(job: job)))")
    }

    private static func shown(_ values: [String]) -> String {
        let text = values.joined(separator: "; ")
        return text.count > 80 ? text.prefix(80) + "…" : text
    }
}
