import Pipeline
import Stages

/// The files that a command line has a run write beside its store. None of them may be one that the run reads, whoever
/// names that: the command line, the environment, or the job that the run goes on with.
struct OutputFiles {
    private let arguments: ParsedArguments
    private let files: [OutputFile]

    init(_ arguments: ParsedArguments) {
        self.arguments = arguments
        let events = arguments[RunOptions.events].flatMap { $0 == "-" ? nil : $0 }
        files = [(events, "--events"), (arguments[RunOptions.metrics], "--metrics")].compactMap {
            path, option in
            path.map { OutputFile(path: $0, option: option) }
        }
    }

    /// Refuses what a run of an order would overwrite, before anything is opened.
    ///
    /// - Parameter definition: The file that its pipeline was read from, if there is one.
    /// - Throws: `.usage` naming the file, and what keeps the order's job from being looked up.
    func check(against order: ImportOrder, definition: String?) throws(CommandFailure) {
        guard !files.isEmpty else { return }
        let job: Job?
        do throws(StageFailure) {
            job = try ImportJob.known(order)
        } catch {
            throw CommandFailure(error, inputs: order.reading.files)
        }
        // Standard input may be a file too: a command in a loop reads the loop's list.
        var others = Definitions.configurationPaths + ["/dev/stdin"]
        let keys = try Services().keyFile
        others += [definition, arguments[ReadOptions.mapping], keys].compactMap { $0 }
        for file in files { try file.check(against: order, job: job, others: others) }
        if let first = files.first, let last = files.last, files.count > 1, first.isTheSame(last.path) {
            throw CommandFailure(
                .usage,
                "\(first.option) and \(last.option) lead to one file, \(last.path): one would overwrite the other.",
                advice: "Name another file with \(last.option).")
        }
    }
}
