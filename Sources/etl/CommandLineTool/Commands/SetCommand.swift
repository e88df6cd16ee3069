import Books
import Contract
import Jobs
import Pipeline
import Queries
import Store
import System

/// `etl set`: sets fields of books by hand.
enum SetCommand: Command {
    static let bookWords =
        "Book, by ISBN, by ID in the export (id:ID), by its key in `etl export`, or by its title"
    static let book = Argument.optional("BOOK", bookWords)
    static let fields = Argument.many(
        "FIELD=VALUE", "Field and its new value; an empty value clears it")
    static let sheet = Option(
        Setting<String?>.text("table", "Set what was edited in this table, an export of books"), "FILE"
    ).formerly("from")
    static let library = Option(
        Setting<String?>.text("library", "Library of the entry"), "NAME",
        defaultText: "the only library that has the book"
    ).composed()
    static let dryRun = UndoCommand.dryRun

    static let spec = CommandSpec(
        "set", summary: "Correct fields of a book by hand",
        details: [
            "Imports and services do not change a field that was set, until `etl unlock` allows it. `etl explain` shows "
                + "what was set, and when. Undo it with `etl undo`.",
            "Fields: \(EditFields.settableNames).", "Elements of a list are separated by semicolons.",
            "With --table, reads a table that `etl export --to csv` wrote and you edited, also in a spreadsheet (.xlsx, "
                + ".ods). Cells that differ from the store are set. Columns of ids and other people's ratings are not read. "
                + "Rows that no entry belongs to are named, and so are cells that cannot be used; the exit "
                + "status is 3 then.",
        ],
        arguments: [book.spec, fields.spec],
        options: [sheet.spec, library.spec, dryRun.spec, StoreOptions.db.spec, StoreOptions.json.spec],
        examples: [
            .init("etl set 9780441172719 publisher=Ace pageCount=412", "Set two fields of an edition"),
            .init(
                "etl set id:5907 isbn=9780547928227 rating=4.5",
                "Correct the ISBN of a book and set a rating, by its Goodreads Book Id"),
            .init("etl set --dry-run --table books.csv", "Show what an edited export of books would change"),
        ],
        objection: { arguments in
            if let sheet = arguments[sheet] {
                if let book = arguments[book] {
                    return Objection(
                        "`--table` already names what to set.",
                        advice: "Leave out `\(book)`, or `--table \(sheet)`.")
                }
                return arguments[library] == nil
                    ? nil : Objection("The table names the libraries.", advice: "Leave out `--library`.")
            }
            if arguments[book] == nil { return .needs("etl set", "a BOOK, or `--table`") }
            return arguments[fields].isEmpty ? .needs("etl set", "a FIELD=VALUE") : nil
        })

    static func run(_ arguments: ParsedArguments, _ console: Console) async throws(CommandFailure)
        -> ExitStatus
    {
        if let sheet = arguments[sheet] { return try await run(sheet, arguments, console) }
        var actions: [(field: EditableField, action: EditRequest.Action)] = []
        for word in arguments[fields] {
            guard let sign = word.firstIndex(of: "=") else {
                throw CommandFailure(
                    .usage, "`\(word)` has no value.",
                    advice: "Write a field and its value: publisher=Ace.")
            }
            let field = try EditFields.field(String(word[..<sign]))
            let value = String(word[word.index(after: sign)...])
            do throws(ETLError) {
                actions.append((field, .set(try field.values(of: value))))
            } catch {
                throw CommandFailure(error)
            }
            if let meant = field.meant(by: value) {
                console.note("`\(value)` is a shelf of your own. Did you mean `\(meant)`?")
            }
        }
        return try await EditFields.edit(
            BookReference(arguments[book] ?? ""), arguments, console, pipeline: "set"
        ) { _ in actions }
    }

    // MARK: A table

    private static let mostShown = 20

    /// Sets the edited values of a table.
    private static func run(
        _ sheet: String, _ arguments: ParsedArguments, _ console: Console
    ) async throws(CommandFailure) -> ExitStatus {
        let report: SheetReport
        do throws(ETLError) {
            report = try await LibraryEdits(DefaultPaths.store(arguments), isDryRun: arguments[dryRun])
                .edit(fromSheet: sheet)
        } catch {
            throw CommandFailure(error)
        }
        if arguments[StoreOptions.json] {
            try console.writeJSON { report.write(into: &$0) }
        } else {
            try EditFields.write(report.edits, to: console)
        }
        for row in report.unknownRows.prefix(mostShown) {
            console.warn(
                row.isRemoved
                    ? "Row \(row.row): `\(row.title)` was removed from the library."
                    : "Row \(row.row): the store has no entry `\(row.id)` (\(row.title)).")
        }
        for mistake in report.mistakes.prefix(mostShown) {
            console.warn("Row \(mistake.row), column \(mistake.column): \(mistake.message)")
        }
        let more = max(0, report.unknownRows.count - mostShown) + max(0, report.mistakes.count - mostShown)
        if more > 0 {
            console.warn(
                "\(HumanText.count(more, "more row or cell", plural: "more rows and cells")): `--json` lists all."
            )
        }
        return report.unknownRows.isEmpty && report.mistakes.isEmpty ? .completed : .rejected
    }
}

/// Common part of `etl set`, `etl lock` and `etl unlock`.
enum EditFields {
    static let names = EditableField.allCases.map(\.name).joined(separator: ", ")
    static let settableNames = EditableField.allCases.filter(\.isSettable).map(\.name)
        .joined(separator: ", ")

    /// The field with a name.
    static func field(_ name: String) throws(CommandFailure) -> EditableField {
        if let field = EditableField(named: name) { return field }
        throw CommandFailure(
            .usage, "There is no field `\(name)` that can be edited.",
            advice: (synonyms[name.lowercased()].map { "Did you mean `\($0)`?" }
                ?? Spelling.advice(
                    for: name, among: EditableField.allCases.map(\.name), called: "The fields")).map {
                    UserText($0)
                })
    }

    /// What people call fields, besides the names that are accepted.
    private static let synonyms = [
        "status": "shelf", "tags": "shelves", "binding": "format", "finished": "dateRead",
        "started": "dateStarted", "stars": "rating",
    ]

    /// Changes fields of a book and reports the changes.
    static func edit(
        _ book: BookReference, _ arguments: ParsedArguments, _ console: Console, pipeline: String,
        _ actions: (LibraryEdits) throws(ETLError) -> [(field: EditableField, action: EditRequest.Action)]
    ) async throws(CommandFailure) -> ExitStatus {
        let report: EditReport
        do throws(ETLError) {
            let edits = try LibraryEdits(
                DefaultPaths.store(arguments), isDryRun: arguments[SetCommand.dryRun], takesTitles: true)
            report = try await edits.edit(
                book, library: arguments[SetCommand.library], pipeline: pipeline, actions(edits))
        } catch {
            throw CommandFailure(error)
        }
        for remark in report.remarks { console.note(UserText(remark)) }
        if arguments[StoreOptions.json] {
            try console.writeJSON { report.write(into: &$0) }
        } else {
            try write(report, to: console)
        }
        return .completed
    }

    static func write(_ report: EditReport, to console: Console) throws(CommandFailure) {
        guard !report.rows.isEmpty else { return try console.writeText("Nothing has to be changed.") }
        var table = Table(
            .init("row", isNeverCut: true), .init("title", narrowest: 20), .init("field", isNeverCut: true),
            .init("before", wraps: true), .init("after", wraps: true), .init("locked", isNeverCut: true))
        for row in report.rows {
            for field in row.fields {
                table.add(
                    row.kind.rawValue, row.title ?? row.key, field.field.name,
                    ChangeTable.shown(field.before), ChangeTable.shown(field.after),
                    field.isLocked ? "yes" : "no")
            }
        }
        try console.write(table)
        guard let job = report.job else {
            return try console.write("\nNothing was changed. Leave out --dry-run to do it.\n")
        }
        try console.write("\n")
        try console.writeText(JobLookup.undoAdvice(job, console))
    }
}
