import Books
import Contract
import Formats
import Jobs
import Pipeline
import Services
import Store
import System

/// The report at the end of an import, with the commands for the next steps.
struct ClosingReport {
    /// Meaning of records that were set aside.
    static let setAsideMeaning =
        "films, deleted items, repeated headers, comments, rows that a pipeline leaves out"

    let outcome: ImportOutcome
    let summary: JobSummary
    /// The store. The commands at the end include it.
    let store: String
    /// Whether nothing was kept.
    var isDryRun = false
    /// Whether to list the stages, which show how the run went rather than its results.
    var isVerbose = false
    /// The date order given for the corrected rows. Rows that are still rejected are listed with the dates of
    /// that list, so correcting them again needs the same order.
    var correctedDates: DateOrder?

    func write(to console: Console) throws(CommandFailure) {
        let style = console.style
        if job.isRefresh { return try RefreshReport(self).write(to: console) }
        try console.writeText(headline) { style(.bold, $0) }
        try console.write("\n")
        let (repairs, warnings) = (Self.repairs(summary.findings), Self.warnings(summary.findings))
        for table in [counts, duplicates, rejects, repairs, warnings, quality, stages, services, problems]
        where !table.isEmpty {
            try console.write(table)
            try console.write("\n")
        }
        if let others {
            try console.writeText(others)
            try console.write("\n")
        }
        if isDryRun {
            try console.write("To import the file, run the same command without --dry-run.\n")
        } else {
            try console.write(next)
        }
    }

    var job: Job { outcome.job }

    private var headline: String {
        let files = JobLookup.inputs(of: job)
        let records = HumanText.count(job.counts.totalProcessed, "record")
        let time = HumanText.duration(seconds: Double(outcome.milliseconds) / 1_000)
        if let corrections = outcome.corrections { return headline(corrections, time) }
        if isDryRun { return "Dry run of \(files): \(records) in \(time). The library is unchanged." }
        let counts = job.counts
        let contain = job.inputs.count == 1 ? "contains" : "contain"
        switch outcome.end {
        case .completed where counts.totalProcessed == 0:
            return "\(files) \(contain) no records: nothing to import."
        case .completed where counts.successCount == 0:
            return "Nothing imported from \(files): \(notImported) in \(time)."
        case .completed where counts.booksCreated + counts.booksUpdated == 0:
            return "Nothing new in \(files): \(records) read in \(time). The library is unchanged."
        case .completed, .paused:
            guard outcome.earlier > 0 else { return "Imported \(files): \(records) in \(time)." }
            let now = max(0, counts.totalProcessed - outcome.earlier)
            guard now == 0, outcome.waited > 0 else {
                let own = HumanText.count(now)
                return "Imported \(files): \(records), \(own) in this run (\(time))."
            }
            let settled = HumanText.count(max(0, outcome.waited - job.pending))
            let waited = HumanText.count(outcome.waited, "pending record")
            return "Completed \(settled) of \(waited) of \(files) in \(time)."
        case .stopped, .unfinished, .violated:
            return "Stopped after \(records) of \(files); committed records are kept."
        case .canceled: return "Canceled after \(records) of \(files); committed records are kept."
        case .failed: return "Failed after \(records) of \(files); committed records are kept."
        }
    }

    /// Records that need a correction, without those that are set aside.
    var rejected: Int { max(0, job.counts.rejected - summary.findings.setAside) }

    /// `3 records rejected, 1 set aside`
    private var notImported: String {
        let setAside = summary.findings.setAside
        guard setAside > 0 else { return "\(HumanText.count(rejected, "record")) rejected" }
        guard rejected > 0 else { return "\(HumanText.count(setAside, "record")) set aside" }
        return "\(HumanText.count(rejected, "record")) rejected, \(HumanText.count(setAside)) set aside"
    }

    private func headline(_ corrections: CorrectionCounts, _ time: String) -> String {
        let left = corrections.taken - corrections.corrected
        var words = isDryRun ? "Dry run: " : ""
        words +=
            "Corrected \(HumanText.count(corrections.corrected, "record")) of job \(job.shortName) in \(time)"
        if left > 0 { words += ", \(HumanText.count(left)) still rejected" }
        words += "."
        func add(_ count: Int, _ text: (_ rows: String, _ isOne: Bool) -> String) {
            if count > 0 { words += " " + text(HumanText.count(count, "row"), count == 1) }
        }
        add(corrections.tooLarge) { rows, isOne in
            "\(rows) \(isOne ? "is" : "are") still too large and \(isOne ? "stays" : "stay") rejected."
        }
        add(corrections.renamed) { rows, _ in
            "\(rows) skipped: the column names have changed. Restore the original names and import the list again."
        }
        add(corrections.repeated) { rows, isOne in
            "\(rows) \(isOne ? "was" : "were") not used: a later row corrects the same record."
        }
        add(corrections.skipped) { rows, _ in
            "\(rows) skipped: already corrected, not rejected by this job, or without a valid row number."
        }
        switch outcome.end {
        case .completed, .paused: return words
        case .stopped, .unfinished, .violated, .canceled: return "Stopped. " + words
        case .failed: return "Failed. " + words
        }
    }

    private var counts: Table {
        // A list of corrected rows changes a part of the job; these are the counts of all its records.
        let title = outcome.corrections == nil ? "records" : "job \(job.shortName) in total"
        var table = Table(.init(title), .init("", .right), .init("meaning", wraps: true))
        let counts = job.counts
        func row(_ name: String, _ count: Int, _ words: String) {
            table.add(name, HumanText.count(count), words)
        }
        row("created", counts.booksCreated, "new in library “\(job.library)”")
        row("updated", counts.booksUpdated, "already stored, now changed")
        row(
            "unchanged", counts.duplicatesSkipped,
            job.mode == .fill ? "already stored, and nothing was missing" : "already stored")
        if job.pending > job.decided {
            row("pending", job.pending - job.decided, "counted above; a service has not answered")
            row("matched", counts.enrichmentSucceeded, "counted above; a provider knows the book")
        }
        if job.decided > 0 {
            row("decided", job.decided, "counted above; decided in a review, not applied yet")
        }
        let setAside = summary.findings.setAside
        if rejected > 0 || setAside == 0 {
            row("rejected", rejected, rejected == 0 ? "" : "kept with their reasons")
        }
        if setAside > 0 { row("set aside", setAside, Self.setAsideMeaning) }
        row("total", counts.totalProcessed, "")
        return table
    }

    private var duplicates: Table {
        var table = Table(.init("duplicates"), .init("", .right), .init("meaning", wraps: true))
        guard let joined = summary.joined, let left = summary.duplicatesToReview else { return table }
        table.add(
            "joined", HumanText.count(joined), "entries that became one with an earlier one of the same book")
        table.add("to review", HumanText.count(left), "groups that are not certain, or can be second copies")
        return table
    }

    /// That books of other programs are in the library twice now; nil if none is.
    private var others: String? {
        let programs = summary.fromOtherPrograms
        let count = programs.reduce(0) { $0 + $1.count }
        guard count > 0 else { return nil }
        let names = programs.map { LibraryFormats.title(of: $0.name) }
        let entries = "\(HumanText.count(count)) new \(count == 1 ? "entry is" : "entries are")"
        let have = isDryRun ? "would be" : "are now"
        let way =
            isDryRun
            ? "With --join they become one entry each."
            : "To make one entry of each, undo this import and run it again with --join; `etl duplicates` shows them first."
        return
            "\(entries) of books that library “\(job.library)” already has from \(names.joined(separator: ", ")). These books \(have) in it twice. \(way)"
    }

    private var rejects: Table {
        var table = Table(
            .init(Self.rejectsTitle(summary.findings), isNeverCut: true), .init("", .right),
            .init("meaning", wraps: true))
        for reject in summary.findings.rejects {
            let sentence = ReasonCode(rawValue: reject.name)?.sentence ?? ""
            table.add(reject.name, HumanText.count(reject.count), sentence)
        }
        return table
    }

    /// The heading of the reasons. Records that are set aside are listed with the rejected ones.
    static func rejectsTitle(_ findings: FindingCounts) -> String {
        findings.setAside == 0 ? "rejected because" : "rejected or set aside because"
    }

    /// Number of repaired ISBNs, by rule.
    static func repairs(_ findings: FindingCounts) -> Table {
        var table = Table(
            .init("repaired ISBNs", isNeverCut: true), .init("", .right), .init("repair", wraps: true))
        for repair in findings.repairs {
            let rule = ISBNRepair.allCases.first { $0.name == repair.name }
            table.add(repair.name, HumanText.count(repair.count), rule?.sentence ?? "")
        }
        return table
    }

    /// The warnings, by their code.
    static func warnings(_ findings: FindingCounts) -> Table {
        var table = Table(
            .init("warnings", isNeverCut: true), .init("", .right), .init("meaning", wraps: true))
        // Repairs have a table of their own.
        for warning in findings.warnings where warning.name != ReasonCode.isbnRepaired.code {
            let sentence = ReasonCode(rawValue: warning.name)?.sentence ?? ""
            table.add(warning.name, HumanText.count(warning.count), sentence)
        }
        return table
    }

    private var quality: Table {
        var table = Table(
            .init("quality", isNeverCut: true), .init("", .right), .init("target"),
            .init("meaning", wraps: true))
        let notLookedUp = summary.quality.notLookedUp
        // Without any provider there is nothing to judge.
        guard notLookedUp.count < QualityTarget.allCases.count else { return table }
        for target in QualityTarget.allCases {
            let (name, meaning) = Self.words(target)
            guard !notLookedUp.contains(target) else {
                table.add(name, "–", "not looked up", meaning)
                continue
            }
            guard let metric = summary.quality[target] else { continue }
            let isShare = target != .meanQuality
            let value = isShare ? HumanText.percent(metric) : String(Int(metric.rounded()))
            let goal = isShare ? HumanText.percent(target.threshold) : String(Int(target.threshold))
            let verdict =
                target.isMet(by: metric) ? "met" : summary.pending > 0 ? "not all answered" : "missed"
            table.add(name, value, "> \(goal), \(verdict)", meaning)
        }
        return table
    }

    /// A metric's name and meaning.
    static func words(_ target: QualityTarget) -> (name: String, meaning: String) {
        switch target {
        case .isbnMatchRate: ("ISBNs matched", "records with an ISBN that a provider knows")
        case .coverAvailability: ("works with a cover", "works with a cover image")
        case .authorEnrichment: ("authors enriched", "authors whose gender or region is known")
        case .meanQuality:
            (
                "mean quality, 0–100",
                "how complete the works' data are: title, description, cover, subjects, authors, edition"
            )
        }
    }

    var stages: Table {
        var table = Table(
            .init("stage", isNeverCut: true), .init("in", .right), .init("out", .right),
            .init("rejected", .right), .init("busy", .right), .init("waiting for input", .right),
            .init("for output", .right), .init("longest queue", .right))
        guard isVerbose, job.counts.totalProcessed > 0 else { return table }
        let bottleneck = outcome.report.stages.bottleneck?.name
        for stage in outcome.report.stages {
            func share(_ part: UInt64) -> String {
                let all = stage.busy + stage.blockedOnInput + stage.blockedOnOutput
                return all == 0 ? "" : HumanText.percent(Double(part) / Double(all))
            }
            table.add(
                stage.name + (stage.name == bottleneck ? " (slowest)" : ""), HumanText.count(stage.recordsIn),
                HumanText.count(stage.recordsOut), HumanText.count(stage.rejected), share(stage.busy),
                share(stage.blockedOnInput), share(stage.blockedOnOutput), HumanText.count(stage.deepest))
        }
        return table
    }

    var services: Table {
        var table = Table(
            .init("service", isNeverCut: true), .init("requests", .right), .init("failed", .right),
            .init("cached", .right), .init("found", .right), .init("not found", .right),
            .init("pending", .right), .init("p50/p95/p99 ms", .right))
        for service in summary.services {
            let shares = [service.p50, service.p95, service.p99].map { milliseconds in
                milliseconds.map { String(Int($0.rounded(.up))) } ?? "–"
            }
            let failed = service.failures.reduce(service.throttled) { $0 + $1.calls }
            table.add(
                service.name, HumanText.count(service.calls), HumanText.count(failed),
                HumanText.count(service.hits), HumanText.count(service.found),
                HumanText.count(service.notFound), HumanText.count(service.pending),
                shares.joined(separator: "/"))
        }
        return table
    }

    /// Problems with services, even if later requests succeeded.
    var problems: Table {
        var table = Table(
            .init("problem", isNeverCut: true), .init("", .right), .init("meaning", wraps: true))
        for service in outcome.services {
            let metrics = service.metrics
            func row(_ count: Int, _ outcome: LookupOutcome) {
                table.add(
                    service.name, HumanText.count(count, "request"),
                    FailureText.of(outcome, of: service.name, metrics))
            }
            for (outcome, failed) in metrics.failures {
                row(failed.count, outcome)
            }
            if metrics.throttled > 0 { row(metrics.throttled, .rateLimited) }
            if metrics.stale > 0 {
                table.add(
                    service.name, HumanText.count(metrics.stale, "answer"),
                    "expired, but used because there was no new answer")
            }
        }
        // Reasons without a failed request: a spent budget, or a pause that began before this run.
        for waiting in outcome.waiting {
            for (reason, count) in waiting.reasons.sorted(by: { $0.key < $1.key }) {
                guard let outcome = LookupOutcome(name: reason), outcome.isCause,
                    let metrics = self.outcome.services[waiting.service], metrics.failed[outcome] == nil,
                    outcome != .rateLimited || metrics.throttled == 0
                else { continue }
                table.add(
                    waiting.service, HumanText.count(count, "record"),
                    FailureText.of(outcome, of: waiting.service, metrics))
            }
        }
        return table
    }
}
