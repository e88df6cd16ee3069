import Foundation
import Pipeline
import Stages

/// `etl review`: what the matcher left to the reader.
enum ReviewCommand: Command {
    static let job = StoreOptions.jobArgument
    static let apply = Option(
        Setting<String?>.text("apply", "take decisions from such a list, filled in; - is standard input"),
        "FILE")

    static let spec = CommandSpec(
        "review", summary: "show what was found and not taken, and take the reader's decisions",
        details: [
            "A record without an ISBN that anybody knows is given a book only where title, author and all else "
                + "that is known leave no doubt. Where they do, nothing is taken, and the record is listed here: as CSV, "
                + "a line for each book it may be, with its score and what speaks for it and against it.",
            "Write `accept` into the last column behind the right book, or `none` where none is, and give the file back "
                + "with --apply. Decisions are remembered by title and author, for every later import. `etl resume` "
                + "brings them into the library.",
        ],
        arguments: [job.spec], options: [apply.spec, StoreOptions.db.spec, StoreOptions.json.spec],
        examples: [
            .init("etl review > review.csv", "what the last job left open, to be filled in"),
            .init("etl review --apply review.csv", "remember the decisions in it"),
            .init("etl resume", "bring them into the library"),
        ])

    static func run(_ arguments: ParsedArguments, _ console: Console) async throws(CommandFailure)
        -> ExitStatus
    {
        let store = Places.store(arguments)
        let list = try StoreOutput.write(store, console) { (connection, _) throws(StageFailure) in
            try ReviewList(connection, of: arguments[job])
        }
        if let file = arguments[apply] { return try take(file, list, store, console) }
        if arguments[StoreOptions.json] {
            var json = JSONWriter()
            list.write(into: &json)
            try console.write(json.bytes + [UInt8(ascii: "\n")])
        } else if list.reviews.isEmpty {
            console.note("Job \(list.job.name) left nothing open.")
        } else {
            try console.write(list.csv)
            console.note(
                "\(HumanText.count(list.openCount)) records of job \(list.job.name) wait for a decision. Write "
                    + "`accept` or `none` into the last column, then: etl review \(list.job.name) --apply FILE"
            )
        }
        return .completed
    }

    private static func take(
        _ name: String, _ list: ReviewList, _ store: String, _ console: Console
    ) throws(CommandFailure) -> ExitStatus {
        let path = try Orders.file(name)
        defer { Orders.removeSpool(path, of: name) }
        do throws(StageFailure) {
            let decided = try ReviewFile(path).decisions(about: list)
            guard !decided.isEmpty else {
                console.note("Nothing new is decided in \(name).")
                return .completed
            }
            try Reviews.keep(
                decided, ofJob: list.job.id, in: store, now: SystemClock().epochMilliseconds())
            let accepted = decided.count { if case .accepted = $0.decision { true } else { false } }
            console.note(
                "\(HumanText.count(accepted)) accepted, \(HumanText.count(decided.count - accepted)) refused. "
                    + "`etl resume \(list.job.name)` brings them into the library.")
        } catch {
            throw CommandFailure(error, input: name)
        }
        return .completed
    }
}
