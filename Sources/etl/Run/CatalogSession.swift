import Application
import Books
import Foundation
import Pipeline
import Syntax

/// A build of a catalog on the terminal: signals, progress, what was passed over, the closing table. What
/// `catalog build` and `run` share.
struct CatalogSession {
    /// Malformed lines shown one by one.
    private static let shownLines = 5

    let arguments: ParsedArguments
    let console: Console

    /// Builds and tells how it went.
    func run(_ order: CatalogBuildRequest) async throws(CommandFailure) -> ExitStatus {
        let stop = StopSignal()
        Signals.process.outliveTerminal()
        Signals.process.raise(stop) { [console] in
            console.note("Stopping after the batch in hand; press again to stop at once.")
        }
        let parts = Guarded<Set<CatalogBuildProgress.Phase>>([])
        let observe: @Sendable (CatalogBuildProgress) -> Void = { [console] progress in
            guard progress.phase == .reading else {
                if parts.withLock({ $0.insert(progress.phase).inserted }) {
                    console.note("Writing \(progress.phase.rawValue) …")
                }
                return
            }
            // What is left is told in lines, as the rate is: from the share of bytes that gave those so far.
            let share = Double(progress.bytesRead) / Double(max(1, progress.totalBytes))
            let total = share > 0 ? Int(Double(progress.lines) / min(1, share)) : nil
            console.progress(ProgressState(done: progress.lines, total: total))
        }
        let note: @Sendable (CatalogBuildNotice) -> Void = { [console] in console.warn(UserText($0.sentence))
        }
        let build = CatalogBuild(order, stop: stop, noting: note, observing: observe)
        let outcome: CatalogOutcome
        do throws(StageFailure) {
            outcome = try await build.run()
        } catch {
            throw CommandFailure(error, input: order.files.first)
        }
        guard let report = outcome.report else {
            console.note("\(outcome.path) is as it was before. The same command goes on from here.")
            return .stopped(by: Signals.process.received)
        }
        tell(report)
        try await CatalogTable(arguments: arguments, console: console).write(outcome.path)
        return .completed
    }

    private func tell(_ report: CatalogBuildReport) {
        for source in report.sources where source.endsInGarbage == true {
            console.warn(
                "\(DecompressedFile.trailingGarbageMessage(in: source.name)) build the catalog with it.")
        }
        for source in report.sources where source.taken == 0 {
            console.note("\(source.name) holds no record that a catalog has a use for.")
        }
        if report.read.surplusISBNs > 0 {
            console.warn(
                "\(HumanText.count(report.read.surplusISBNs, "ISBN")) left out: of one edition the first "
                    + "\(DumpCounts.isbnsOfEdition) are taken.")
        }
        for line in report.samples.prefix(Self.shownLines) {
            console.warn(
                "A line was passed over: \(line.reason.sentence)", place: "\(line.file):\(line.line)")
        }
        let reasons = report.malformed.sorted { ($1.value, $0.key.rawValue) < ($0.value, $1.key.rawValue) }
        if report.malformed.values.reduce(0, +) > Self.shownLines {
            let counts = reasons.map { "\(HumanText.count($0.value)) \($0.key.rawValue)" }
            console.warn("Lines passed over in all: \(counts.joined(separator: ", ")).")
        }
    }
}
