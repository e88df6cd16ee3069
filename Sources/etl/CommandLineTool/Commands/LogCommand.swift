import Contract
import Database
import Queries
import Store
import Syntax
import System

/// `etl log`: shows the history of the library, of a job, or of a book.
enum LogCommand: Command {
    static let what = Argument.optional(
        "JOB|BOOK",
        "A job, or a book by ISBN, by ID in the export (id:ID), or by its key in `etl export` (default: all jobs)"
    )

    static let spec = CommandSpec(
        "log", summary: "Show what changed the library or a book, and when",
        details: [
            "Without an argument, lists the jobs that changed the library, newest first. With a book, lists each change "
                + "of its fields, oldest first, with job, time and source. `etl diff` shows all changes of a job."
        ],
        arguments: [what.spec], options: [StoreOptions.db.spec, StoreOptions.json.spec],
        examples: [
            .init("etl log", "List what changed the library"),
            .init("etl log 9780441172719", "Show the history of a book"),
            .init("etl log --json spring-import", "Print one job as JSON"),
        ], isPaged: true)

    static func run(_ arguments: ParsedArguments, _ console: Console) async throws(CommandFailure)
        -> ExitStatus
    {
        let store = DefaultPaths.store(arguments)
        let isJSON = arguments[StoreOptions.json]
        let found = try StoreOutput.write(store, console) { (connection, _) throws(ETLError) in
            try find(arguments[what], in: connection)
        }
        let history: BookHistory
        switch found {
        case .jobs(let entries): return try write(entries, asJSON: isJSON, store, console)
        case .book(let found): history = found
        }
        if isJSON {
            try console.writeJSON { json in
                json.array { json in for step in history.steps { step.write(into: &json) } }
            }
            return .completed
        }
        if history.isCut { console.note("Earlier changes of this book are not known, or no longer.") }
        for (index, step) in history.steps.enumerated() {
            let moment = Timestamp.withoutFraction(step.startedAt ?? step.job.startedAt)
            let undone = step.job.undoneBy.map { ", undone by `\($0)`" } ?? ""
            if index > 0 { try console.write("\n") }
            try console.writeText("\(moment) \(step.job.pipeline) `\(step.job.name)`\(undone)") {
                console.style(.bold, $0)
            }
            var changes = ChangeTable()
            for change in step.changes { changes.add(change) }
            try console.write(changes.table)
        }
        return .completed
    }

    private enum Found {
        case jobs([JobLogEntry])
        case book(BookHistory)
    }

    /// What a word names; without one, all jobs that changed the library.
    private static func find(_ word: String?, in connection: Connection) throws(ETLError) -> Found {
        guard let word else {
            return .jobs(try JobLogEntry.all(in: connection).filter(\.job.changesLibrary))
        }
        let book = BookReference(word)
        if case .key = book, let job = try JobTable(connection).job(withPrefix: word) {
            return .jobs(try JobLogEntry.all(in: connection).filter { $0.job.id == job.id })
        }
        return .book(try BookHistory(connection, of: book))
    }

    private static func write(
        _ entries: [JobLogEntry], asJSON isJSON: Bool, _ store: String, _ console: Console
    ) throws(CommandFailure) -> ExitStatus {
        if isJSON {
            try console.writeJSON { json in
                json.array { json in for entry in entries { entry.write(into: &json) } }
            }
            return .completed
        }
        guard !entries.isEmpty else {
            console.note("`\(store)` has no jobs yet.")
            return .completed
        }
        var table = Table(
            .init("started", isNeverCut: true), .init("job", isNeverCut: true), .init("what", wraps: true),
            .init("created", .right), .init("updated", .right), .init("removed", .right),
            .init("restored", .right), .init("remark", wraps: true))
        let short = Dictionary(
            entries.map { ($0.job.name, $0.job.shortName) }, uniquingKeysWith: { first, _ in first })
        for entry in entries {
            let remark =
                entry.job.undoneBy.map { "undone by \(short[$0] ?? $0)" }
                ?? (entry.isKnown ? "" : "cannot be undone: its changes are not known")
            table.add(
                Timestamp.withoutFraction(entry.job.startedAt), entry.job.shortName, words(entry, short),
                HumanText.count(entry.job.counts.booksCreated),
                HumanText.count(entry.job.counts.booksUpdated),
                HumanText.count(entry.job.runState.rows?.entries.deleted ?? 0),
                HumanText.count(entry.job.runState.rows?.entries.restored ?? 0), remark)
        }
        try console.write(listing: table)
        return .completed
    }

    private static func words(_ entry: JobLogEntry, _ short: [String: String]) -> String {
        if entry.job.isRemoval { return "library \(entry.job.library) removed" }
        if let edit = entry.job.options?.edit {
            let books = edit.book ?? HumanText.count(edit.books, "book")
            let fields = edit.fields == 1 ? "1 field" : "\(HumanText.count(edit.fields)) fields"
            return edit.fields == 0
                ? "\(entry.job.pipeline): \(books)" : "\(entry.job.pipeline): \(fields) of \(books)"
        }
        if entry.job.isRefresh { return "refresh of stored books" }
        guard !entry.undoes.isEmpty else { return JobLookup.inputs(of: entry.job) }
        return "undo of \(entry.undoes.map { short[$0] ?? $0 }.joined(separator: ", "))"
    }
}
