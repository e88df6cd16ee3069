import FoundationEssentials
import Glibc
import Jobs
import Sources
import Syntax
import System

/// A catalog build on the terminal: signals, progress, skipped lines, the closing table. Shared by `catalog
/// build` and `run`.
struct CatalogSession {
    /// The number of malformed lines shown one by one.
    private static let shownLines = 5

    let arguments: ParsedArguments
    let console: Console

    /// Builds the catalog and reports the result.
    func run(_ request: CatalogBuildRequest) async throws(CommandFailure) -> ExitStatus {
        let stop = StopSignal()
        Signals.process.outliveTerminal()
        Signals.process.raise(stop) { [console] in
            console.note("Stopping after the batches in progress. Press Ctrl-C again to stop at once.")
        }
        let parts = Guarded<Set<CatalogBuildProgress.Phase>>([])
        let observe: @Sendable (CatalogBuildProgress) -> Void = { [console] progress in
            guard progress.phase == .reading else {
                if parts.withLock({ $0.insert(progress.phase).inserted }) {
                    console.note("Writing \(progress.phase.rawValue) …")
                }
                return
            }
            // The total number of lines is estimated from the share of bytes read, because the rate is in
            // lines.
            let share = Double(progress.bytesRead) / Double(max(1, progress.totalBytes))
            let total = share > 0 ? Int(min(Double(progress.lines) / min(1, share), 1e15)) : nil
            console.progress(ProgressState(done: progress.lines, total: total))
        }
        let note: @Sendable (CatalogBuildWarning) -> Void = { [console] in console.warn(UserText($0.sentence))
        }
        let build = CatalogBuild(request, stop: stop, noting: note, observing: observe)
        let outcome: CatalogOutcome
        do throws(ETLError) {
            outcome = try await build.run()
        } catch {
            // Only the catalog to update can be missing then.
            if error.kind == .missing, request.updates, let output = request.output,
                FileSystem.access(output, F_OK) != 0,
                request.files.allSatisfy({ FileSystem.access($0, F_OK) == 0 })
            {
                throw CommandFailure(
                    .missing, error.message,
                    advice:
                        "Leave out --update to build a new catalog, or specify an existing one with --output."
                )
            }
            throw CommandFailure(error, input: request.files.first)
        }
        guard let report = outcome.report else {
            console.note("Build stopped; `\(outcome.path)` is unchanged. Run the same command to continue.")
            return .stopped(by: Signals.process.received)
        }
        write(report)
        try await CatalogTable(arguments: arguments, console: console).write(outcome.path)
        return .completed
    }

    private func write(_ report: CatalogBuildReport) {
        for source in report.sources where source.endsInGarbage {
            console.warn(
                UserText(DecompressedFile.trailingGarbageMessage(in: source.name)),
                advice: "If the file is damaged, download it again and build the catalog with it.")
        }
        for source in report.sources where source.taken == 0 {
            console.note("`\(source.name)` has no records for a catalog.")
        }
        if report.read.surplusISBNs > 0 {
            console.warn(
                "Skipped \(HumanText.count(report.read.surplusISBNs, "ISBN")): an edition keeps at most "
                    + "\(DumpCounts.isbnsOfEdition) ISBNs.")
        }
        for line in report.samples.prefix(Self.shownLines) {
            console.warn(
                "Skipped a line: \(line.reason.sentence)", place: "\(line.file):\(line.line)")
        }
        let reasons = report.malformed.sorted { ($1.value, $0.key.rawValue) < ($0.value, $1.key.rawValue) }
        if report.malformed.values.reduce(0, +) > Self.shownLines {
            let counts = reasons.map { "\(HumanText.count($0.value)) \($0.key.rawValue)" }
            console.warn("Skipped lines in total: \(counts.joined(separator: ", ")).")
        }
    }
}
