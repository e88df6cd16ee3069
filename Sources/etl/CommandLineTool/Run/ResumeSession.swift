import Formats
import FoundationEssentials
import Glibc
import Jobs
import Store
import System

/// Continues a job: its unread records, its pending records, or the books that a refresh has left. Shared by
/// `etl resume` and `etl retry`.
struct ResumeSession {
    let arguments: ParsedArguments
    let console: Console

    /// Whether the job has anything to continue.
    static func isDue(_ job: Job) -> Bool { job.undoneBy == nil && (job.isUnfinished || job.pending > 0) }

    /// Whether a job is only continued if it is named, because it was canceled or replaced by `--restart`.
    static func isSuspended(_ job: Job) -> Bool { job.status == .canceled }

    /// Description of the remaining work.
    static func due(_ job: Job) -> String {
        if job.isUnfinished { return "unfinished" }
        var words: [String] = []
        let open = job.pending - job.decided
        if open > 0 { words.append(HumanText.count(open, "pending record")) }
        if job.decided > 0 { words.append("\(HumanText.count(job.decided, "record")) decided in a review") }
        return words.joined(separator: ", ")
    }

    /// Reports that there is nothing to continue. With `--json` it also prints the job's summary, or an empty
    /// object if there is no job.
    func reportNothing(_ sentence: String, of job: Job?, in store: String) throws(CommandFailure) {
        console.note(UserText(sentence))
        guard arguments[RunOptions.json] else { return }
        if let job {
            try ImportReport(arguments: arguments, console: console).writeStatus(of: job, in: store)
        } else {
            try console.write("{}\n")
        }
    }

    /// The request that continues a job.
    ///
    /// - Parameter files: The new paths of its files, if they were moved. Their contents must be unchanged.
    func request(of job: Job, files: [String] = []) throws(CommandFailure) -> ImportRequest {
        let definition = try job.isRefresh ? Definitions.batchEnrichment() : Definitions.csvImport()
        var request = try ImportRequestBuilder.request(files: files, definition, arguments)
        request.jobName = job.name
        if job.pending > 0 { request.mode = .pending }
        request.pipelineChoice = .any
        return request
    }

    /// - Parameters:
    ///   - files: The new paths of its files, if they were moved.
    ///   - outputs: Open output files; nil for those of the command line.
    func run(
        _ job: Job, files: [String] = [], reporting outputs: RunOutputs? = nil
    ) async throws(CommandFailure) -> ExitStatus {
        if job.isRefresh { return try await refresh(job, files: files, reporting: outputs) }
        guard files.isEmpty else {
            let request = try self.request(of: job, files: files)
            try checkFiles(of: job, request.reading.files)
            return try await ImportSession(arguments: arguments, console: console)
                .run(request, reporting: outputs)
        }
        let inputs = try RestoredInputs(of: job, in: DefaultPaths.store(arguments, RunOptions.db))
        defer { inputs.remove() }
        try checkFiles(of: job, inputs.paths)
        var request = try self.request(of: job)
        request.reading.files = inputs.paths
        return try await ImportSession(arguments: arguments, console: console)
            .run(request, inputs: job.inputs.map(\.name), reporting: outputs)
    }

    /// Continues a refresh with the options that it began with. What it may ask, and how long, was never the job's.
    private func refresh(
        _ job: Job, files: [String], reporting outputs: RunOutputs?
    ) async throws(CommandFailure) -> ExitStatus {
        guard let options = job.options?.refresh, files.isEmpty else {
            throw CommandFailure(
                .usage, "Job `\(job.name)` refreshes stored books and reads no files.",
                advice: "Leave out the files.")
        }
        var request = try self.request(of: job)
        do throws(ETLError) {
            try request.continueJob(with: job)
        } catch {
            throw CommandFailure(error)
        }
        request.mode = .refresh(RefreshRequest(options))
        return try await ImportSession(arguments: arguments, console: console)
            .run(request, reporting: outputs)
    }

    /// Throws if a file of the job is missing, with the command that specifies its new path.
    private func checkFiles(of job: Job, _ places: [String]) throws(CommandFailure) {
        guard
            let gone = places.first(where: {
                $0 != "-" && FileSystem.access($0, F_OK) != 0 && errno == ENOENT
            })
        else { return }
        let store = DefaultPaths.option(store: DefaultPaths.store(arguments, RunOptions.db))
        let what = job.isUnfinished ? "its remaining records" : "its pending records"
        throw CommandFailure(
            .missing, "There is no file `\(gone)`; job `\(job.name)` reads \(what) from it.",
            advice: "Put it back, or specify its new path: `etl resume\(store) \(job.name) "
                + "\(places.count == 1 ? "FILE" : "FILE…")`.")
    }
}
