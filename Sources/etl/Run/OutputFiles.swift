import Application
import Books
import Pipeline

/// The files that a command line has a run write beside its store. None of them may be one that the run reads, whoever
/// names that: the command line, the environment, or the job that the run goes on with.
struct OutputFiles {
    private let arguments: ParsedArguments
    /// That of `--events`, which may be standard output instead.
    private let events: OutputFile?
    /// That of `--metrics`.
    private let metrics: OutputFile?

    init(_ arguments: ParsedArguments) {
        self.arguments = arguments
        events = arguments[RunOptions.events].flatMap {
            $0 == "-" ? nil : OutputFile(path: $0, option: "--events")
        }
        metrics = arguments[RunOptions.metrics].map { OutputFile(path: $0, option: "--metrics") }
    }

    /// Opens what is written while the run goes on.
    ///
    /// - Parameter namesJobs: Whether the metrics tell of several jobs.
    func open(_ console: Console, namingJobs namesJobs: Bool = false) throws(CommandFailure) -> RunOutputs {
        var stream = arguments[RunOptions.events] == nil ? nil : EventStream(console)
        if let events { stream = EventStream(try events.open(), path: events.path) }
        return RunOutputs(
            events: stream, metrics: metrics.map { Metrics($0, namesJobs: namesJobs) })
    }

    /// Refuses what a run of an order would overwrite, before anything is opened.
    ///
    /// - Parameter definition: The file that its pipeline was read from, if there is one.
    /// - Throws: `.usage` naming the file, and what keeps the order's job from being looked up.
    func check(against order: ImportRequest, definition: String?) throws(CommandFailure) {
        let files = [events, metrics].compactMap { $0 }
        guard !files.isEmpty else { return }
        let job: Job?
        do throws(StageFailure) {
            job = try ImportJob.known(order)
        } catch {
            throw CommandFailure(error, inputs: order.reading.files)
        }
        // Standard input may be a file too: a command in a loop reads the loop's list.
        var others = Definitions.configurationPaths + ["/dev/stdin"]
        let keys = try ServiceSetup().keyFile
        others += [definition, arguments[ReadOptions.mapping], keys].compactMap { $0 }
        for file in files { try file.check(against: order, job: job, others: others) }
        if let events, let metrics, events.isTheSame(metrics.path) {
            throw CommandFailure(
                .usage,
                "--events and --metrics lead to one file, \(metrics.path): one would overwrite the other.",
                advice: "Name another file with --metrics.")
        }
    }
}
