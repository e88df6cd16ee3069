import Application
import Books
import Foundation
import Pipeline

/// `etl review`: what the matcher left to the reader.
enum ReviewCommand: Command {
    static let job = StoreOptions.jobArgument
    static let apply = Option(
        Setting<String?>.text("apply", "take decisions from such a list, filled in; - is standard input"),
        "FILE")
    static let decided = Option.flag("decided", "list what was decided, to be looked at or taken back")

    static let spec = CommandSpec(
        "review", summary: "show what was found and not taken, and take the reader's decisions",
        details: [
            "A record without an ISBN that anybody knows is given a book only where title, author and all else "
                + "that is known leave no doubt. Where they do, nothing is taken, and the record is listed here: as CSV, "
                + "a line for each book it may be, with its score and what speaks for it and against it.",
            "Write `accept` into the last column behind the right book, or `none` where none is, and give the file back "
                + "with --apply. Decisions are remembered by title and author, for every later import. `etl resume` "
                + "brings them into the library.",
            "What was decided in a job is listed with --decided; `undo` in the last column takes it back, and after "
                + "`etl resume` the record is as if nothing had been decided about it.",
        ],
        arguments: [job.spec],
        options: [
            apply.spec, decided.spec, ExportCommand.safe.spec, StoreOptions.db.spec, StoreOptions.json.spec,
        ],
        examples: [
            .init("etl review > review.csv", "what the last job left open, to be filled in"),
            .init(
                "etl review --apply review.csv", "remember the decisions in it; `etl resume` brings them in"),
            .init("etl review --decided > decided.csv", "what was decided, to be taken back with `undo`"),
        ],
        objection: { arguments in
            guard arguments[apply] != nil else { return nil }
            if arguments[StoreOptions.json] { return "`--apply` takes a list and `--json` writes one." }
            return arguments[decided] ? "`--apply` takes any list, and `--decided` writes one." : nil
        })

    static func run(_ arguments: ParsedArguments, _ console: Console) async throws(CommandFailure)
        -> ExitStatus
    {
        let store = DefaultPaths.store(arguments)
        if let file = arguments[apply] { return try take(file, arguments[job], store, console) }
        let part: ReviewList.Part = arguments[decided] ? .decided : .waiting
        let isJSON = arguments[StoreOptions.json]
        let format: ReviewList.Format =
            isJSON ? .json : .csv(guardsFormulas: arguments[ExportCommand.safe])
        let (name, counts) = try StoreOutput.write(store, console) {
            (connection, sink) throws(StageFailure) -> (String, ReviewList.Counts) in
            let list = try ReviewList(connection, of: arguments[job], listing: part)
            return (list.job.name, try list.write(as: format, to: sink))
        }
        if isJSON { return .completed }
        if counts.listed == 0 {
            console.note(
                part == .decided
                    ? "Nothing was decided in job \(name)."
                    : """
                    Job \(name) has no open matches. A match is open when a catalog or a service offers a book without \
                    certainty. \(UserCommand.explainRow(job: name)) shows what became of a record.
                    """)
        } else {
            let count = part == .decided ? counts.listed : counts.open
            console.note(
                "\(advice(count, name, part)), then apply the file: \(UserCommand.applyReview(job: name)).")
        }
        return .completed
    }

    private static func advice(_ count: Int, _ name: String, _ part: ReviewList.Part) -> String {
        let records = "\(HumanText.count(count, "record")) of job \(name)"
        return part == .decided
            ? "\(records) \(count == 1 ? "is" : "are") decided. Write `undo` into the last column to take one back"
            : "\(records) \(count == 1 ? "waits" : "wait") for a decision. Write `accept` or `none` into the last column"
    }

    private static func take(
        _ name: String, _ job: String?, _ store: String, _ console: Console
    ) throws(CommandFailure) -> ExitStatus {
        let path = try ImportRequestBuilder.file(name)
        defer { ImportRequestBuilder.removeSpool(path, of: name) }
        do throws(StageFailure) {
            let list = try ReviewList(StoreFile.openForReading(store), of: job, listing: .all)
            let decided = try ReviewFile(path).decisions(about: list)
            guard !decided.isEmpty else {
                console.note("Nothing new is decided in \(name).")
                return .completed
            }
            try Reviews.keep(
                decided, ofJob: list.job.id, in: store, now: SystemClock().epochMilliseconds())
            let accepted = decided.count { if case .accepted = $0.decision { true } else { false } }
            let refused = decided.count { $0.decision == .refused }
            let undone = decided.count - accepted - refused
            console.note(
                "\(HumanText.count(accepted)) accepted, \(HumanText.count(refused)) refused"
                    + (undone > 0 ? ", \(HumanText.count(undone)) taken back" : "")
                    + ". \(UserCommand.resume(job: list.job.name)) applies this to the library.")
        } catch {
            throw CommandFailure(error, input: name)
        }
        return .completed
    }
}
