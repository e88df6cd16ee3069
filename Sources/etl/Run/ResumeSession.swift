import Application
import Books
import Foundation
import Pipeline

/// Goes on with one job as it was begun: with its unread rest, or with its pending records. What `etl resume` and `etl
/// enrich --missing` share.
struct ResumeSession {
    let arguments: ParsedArguments
    let console: Console

    /// Whether there is anything to go on with.
    static func isDue(_ job: Job) -> Bool { job.isUnfinished || job.pending > 0 }

    /// Whether a job goes on only when it is named: somebody stopped it, or had the same input begun anew.
    static func isLeftAlone(_ job: Job) -> Bool { job.status == .canceled }

    /// What there is to go on with, in words.
    static func due(_ job: Job) -> String {
        if job.isUnfinished { return "unfinished" }
        var words: [String] = []
        let open = job.pending - job.decided
        if open > 0 { words.append(HumanText.count(open, "pending record")) }
        if job.decided > 0 { words.append("\(HumanText.count(job.decided, "record")) decided in a review") }
        return words.joined(separator: ", ")
    }

    /// Says that there is nothing to go on with; as JSON too, where that was asked for: how the job stands, or an empty
    /// object where there is none.
    func reportNothing(_ sentence: String, of job: Job?, in store: String) throws(CommandFailure) {
        console.note(UserText(sentence))
        guard arguments[RunOptions.json] else { return }
        if let job {
            try ImportSession(arguments: arguments, console: console).reportStatus(of: job, in: store)
        } else {
            try console.write("{}\n")
        }
    }

    /// The order that goes on with a job.
    ///
    /// - Parameter files: Where its files are now, if they were moved; they must be what they were.
    func order(of job: Job, files: [String] = []) throws(CommandFailure) -> ImportRequest {
        var order = try ImportRequestBuilder.order(files: files, try Definitions.csvImport(), arguments)
        order.jobName = job.name
        order.finishesPending = job.pending > 0
        order.pipelineChoice = .any
        return order
    }

    /// - Parameters:
    ///   - files: Where its files are now, if they were moved.
    ///   - outputs: Where to tell of it besides; nil for what the command line says.
    func run(
        _ job: Job, files: [String] = [], reporting outputs: RunOutputs? = nil
    ) async throws(CommandFailure) -> ExitStatus {
        let order = try self.order(of: job, files: files)
        try checkFiles(of: job, order.reading.files)
        return try await ImportSession(arguments: arguments, console: console)
            .run(order, inputs: files.isEmpty ? job.inputs.map(\.name) : nil, reporting: outputs)
    }

    /// Says what a job wants a file for that is not there any more, and how to tell it where it is now.
    private func checkFiles(of job: Job, _ files: [String]) throws(CommandFailure) {
        let places = files.isEmpty ? job.files : files
        guard let gone = places.first(where: { $0 != "-" && access($0, F_OK) != 0 && errno == ENOENT })
        else { return }
        let store = DefaultPaths.option(store: DefaultPaths.store(arguments, RunOptions.db))
        let what = job.isUnfinished ? "the rest of it" : "the records that wait"
        throw CommandFailure(
            .missing, "There is no file \(gone), from which job \(job.name) reads \(what).",
            advice: "Put it back, or say where it is now: `etl resume \(job.name)\(store) "
                + "\(places.count == 1 ? "FILE" : "FILE…")`.")
    }
}
