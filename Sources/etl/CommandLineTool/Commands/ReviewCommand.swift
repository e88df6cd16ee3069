import Books
import FoundationEssentials
import Pipeline
import Queries
import Store
import System

/// `etl review`: lists uncertain matches and applies the user's decisions.
enum ReviewCommand: Command {
    static let job = StoreOptions.jobArgument
    static let apply = Option(
        Setting<String?>.text("apply", "Read decisions from a completed list; - is standard input"),
        "FILE")
    static let decided = Option.flag("decided", "List the decisions made so far")

    static let spec = CommandSpec(
        "review", summary: "List uncertain matches and apply your decisions",
        details: [
            "A record whose ISBN is missing or unknown is matched to a book only if the match is certain. Otherwise "
                + "no book is attached and the record is listed here, as CSV: one line for each candidate, with its "
                + "score and the evidence for and against it.",
            "In the last column, write `accept` next to the right candidate, or `none` if none is right, and apply "
                + "the file with --apply. Later imports apply the decision to rows with the same title and author. "
                + "`etl resume` applies the decisions to the library.",
            "--decided lists the decisions of a job. To undo one, write `undo` into the last column, apply the "
                + "file, and run `etl resume`.",
        ],
        arguments: [job.spec],
        options: [
            apply.spec, decided.spec, ExportCommand.safe.spec, StoreOptions.db.spec, StoreOptions.json.spec,
        ],
        examples: [
            .init("etl review > review.csv", "List the uncertain matches of the newest job"),
            .init(
                "etl review --apply review.csv", "Apply the decisions; then run `etl resume`"),
            .init("etl review --decided > decided.csv", "List decisions, to undo some with `undo`"),
        ],
        objection: { arguments in
            if arguments[ExportCommand.safe], arguments[StoreOptions.json] || arguments[apply] != nil {
                return Objection("`--csv-safe` belongs to a list in CSV.", advice: "Leave it out.")
            }
            guard arguments[apply] != nil else { return nil }
            if arguments[StoreOptions.json] {
                return Objection("`--apply` and `--json` cannot be combined.", advice: "Leave out `--json`.")
            }
            return arguments[decided]
                ? Objection(
                    "`--apply` and `--decided` cannot be combined.",
                    advice: "Leave out `--decided`: `--apply` also reads a list of decisions.")
                : nil
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
            (connection, sink) throws(ETLError) -> (String, ReviewList.Counts) in
            let list = try ReviewList(connection, of: arguments[job], listing: part)
            return (list.job.name, try list.write(as: format, to: sink))
        }
        if isJSON { return .completed }
        if counts.listed == 0 {
            console.note(
                part == .decided
                    ? "Job `\(name)` has no decisions."
                    : """
                    Job `\(name)` has no uncertain matches. A match is uncertain if a catalog or a service has a similar \
                    book that may not be the same. \(UserCommand.explainRow(job: name)) shows what happened to a record.
                    """)
        } else {
            let count = part == .decided ? counts.listed : counts.open
            console.note(
                "\(advice(count, name, part)), then apply the file: \(UserCommand.applyReview(job: name)).")
        }
        return .completed
    }

    private static func advice(_ count: Int, _ name: String, _ part: ReviewList.Part) -> String {
        let records = "\(HumanText.count(count, "record")) of job `\(name)`"
        return part == .decided
            ? "\(records) \(count == 1 ? "is" : "are") decided. To take a decision back, write `undo` into the last column"
            : "\(records) \(count == 1 ? "waits" : "wait") for a decision. Write `accept` or `none` into the last column"
    }

    private static func take(
        _ name: String, _ job: String?, _ store: String, _ console: Console
    ) throws(CommandFailure) -> ExitStatus {
        let path = try ImportRequestBuilder.file(name)
        defer { ImportRequestBuilder.removeSpool(path, of: name) }
        do throws(ETLError) {
            let list = try ReviewList(StoreFile.openForReading(store), of: job, listing: .all)
            let decided = try ReviewFile(path, ofJob: list.job.name).decisions(about: list)
            guard !decided.isEmpty else {
                console.note("`\(name)` has no new decisions.")
                return .completed
            }
            try Reviews.keep(
                decided, ofJob: list.job.id, in: store, now: SystemClock().epochMilliseconds())
            let accepted = decided.count { if case .accepted = $0.decision { true } else { false } }
            let refused = decided.count { $0.decision == .refused }
            let undone = decided.count - accepted - refused
            console.note(
                "\(HumanText.count(accepted, "match", plural: "matches")) accepted, \(HumanText.count(refused, "record")) left without a match"
                    + (undone > 0 ? ", \(HumanText.count(undone, "decision")) undone" : "")
                    + ". \(UserCommand.resume(job: list.job.name)) updates the library.")
        } catch {
            throw CommandFailure(error, input: name)
        }
        return .completed
    }
}
