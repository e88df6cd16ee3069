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
    /// Output format of the list.
    enum Format: String, CaseIterable, Sendable { case csv, json }

    static let format = Option(
        .choice("to", default: Format.csv, "Write the list instead of asking on a terminal"), "FORMAT")
    static let decided = Option.flag("decided", "List the decisions made so far")

    static let spec = CommandSpec(
        "review", summary: "Decide uncertain matches, key by key or in a list",
        details: [
            "A record whose ISBN is missing or unknown is matched to a book only if the match is certain. Otherwise "
                + "no book is attached and the record is kept for you to decide. On a terminal each record is shown beside its "
                + "candidates: `a` accepts, `r` says that none is right, `s` skips, `u` undoes. Decisions are kept at once.",
            "In a pipe, or with --to csv, the records are listed as CSV: one line for each candidate, with its score and the "
                + "evidence for and against it. In the last column, write `accept` next to the right candidate, or `none` if none is right, and apply "
                + "the file with --apply. Later imports apply the decision to rows with the same title and author. "
                + "`etl resume` applies the decisions to the library.",
            "--decided lists the decisions of a job. To undo one, write `undo` into the last column, apply the "
                + "file, and run `etl resume`.",
        ],
        arguments: [job.spec],
        options: [
            apply.spec, decided.spec, format.spec, ExportCommand.safe.spec, StoreOptions.db.spec,
            StoreOptions.json.spec,
        ],
        examples: [
            .init("etl review", "Decide the uncertain matches of the newest job; then run `etl resume`"),
            .init("etl review > review.csv", "List them, to decide in a spreadsheet"),
            .init("etl review --apply review.csv", "Apply the decisions of the list"),
        ],
        objection: { arguments in
            if arguments[ExportCommand.safe], arguments[StoreOptions.json] || arguments[apply] != nil {
                return Objection("`--csv-safe` belongs to a list in CSV.", advice: "Leave it out.")
            }
            guard arguments[apply] != nil else {
                return StoreOptions.objection(arguments, to: format, besides: .json)
            }
            if arguments.isExplicit(format) {
                return Objection("`--apply` and `--to` cannot be combined.", advice: "Leave out `--to`.")
            }
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
        if !arguments[decided], !arguments[StoreOptions.json], !arguments.isExplicit(format),
            !arguments[ExportCommand.safe],
            RawTerminal.isAvailable(environment: ProcessTexts.environment)
        {
            return try ask(arguments[job], store, console)
        }
        let part: ReviewList.Part = arguments[decided] ? .decided : .waiting
        let isJSON = arguments[StoreOptions.json] || arguments[format] == .json
        let format: ReviewList.Format =
            isJSON ? .json : .csv(guardsFormulas: arguments[ExportCommand.safe])
        let (found, counts) = try StoreOutput.write(store, console) {
            (connection, sink) throws(ETLError) -> (Job, ReviewList.Counts) in
            let list = try ReviewList(connection, of: arguments[job], listing: part)
            return (list.job, try list.write(as: format, to: sink))
        }
        if isJSON { return .completed }
        if counts.listed == 0 {
            tellNone(of: found, part, console)
        } else {
            let count = part == .decided ? counts.listed : counts.open
            console.note(
                "\(advice(count, found.shortName, part)), then apply the file: \(UserCommand.applyReview(job: found.shortName))."
            )
        }
        return .completed
    }

    /// Asks about each record on the terminal.
    private static func ask(_ name: String?, _ store: String, _ console: Console) throws(CommandFailure)
        -> ExitStatus
    {
        let (job, reviews) = try StoreOutput.write(store, console) { (connection, _) throws(ETLError) in
            let list = try ReviewList(connection, of: name)
            var reviews: [Review] = []
            try list.each { reviews.append($0) }
            return (list.job, reviews)
        }
        guard !reviews.isEmpty else {
            tellNone(of: job, .waiting, console)
            return .completed
        }
        var dialog = ReviewDialog(reviews)
        let isStopped = try DialogSession.run(&dialog, on: console) { (decided) throws(CommandFailure) in
            do throws(ETLError) {
                try Reviews.keep(decided, ofJob: job.id, in: store, now: SystemClock().epochMilliseconds())
            } catch {
                throw CommandFailure(error)
            }
        }
        let (accepted, refused) = dialog.counts
        if accepted + refused > 0 {
            tellDecided(accepted: accepted, refused: refused, undone: 0, of: job, console)
        }
        if dialog.open > 0 {
            console.note(
                "\(HumanText.count(dialog.open, "record")) left to decide: \(UserCommand.review(job: job.shortName))."
            )
        }
        return isStopped || dialog.isInterrupted ? .stopped(by: Signals.process.received) : .completed
    }

    private static func tellNone(of job: Job, _ part: ReviewList.Part, _ console: Console) {
        console.note(
            part == .decided
                ? "Job `\(job.shortName)` has no decisions."
                : """
                Job `\(job.shortName)` has no uncertain matches. A match is uncertain if a catalog or a service has a similar \
                book that may not be the same. \(UserCommand.explainRow(job: job.shortName)) shows what happened to a record.
                """)
    }

    private static func tellDecided(
        accepted: Int, refused: Int, undone: Int, of job: Job, _ console: Console
    ) {
        console.note(
            "\(HumanText.count(accepted, "match", plural: "matches")) accepted, \(HumanText.count(refused, "record")) left without a match"
                + (undone > 0 ? ", \(HumanText.count(undone, "decision")) undone" : "")
                + ". \(UserCommand.resume(job: job.shortName)) updates the library.")
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
            tellDecided(accepted: accepted, refused: refused, undone: undone, of: list.job, console)
        } catch {
            throw CommandFailure(error, input: name)
        }
        return .completed
    }
}
