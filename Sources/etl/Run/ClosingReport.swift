import Application
import Books
import Foundation
import Pipeline
import Services

/// What an import says when it has ended, and where to look next.
struct ClosingReport {
    let outcome: ImportOutcome
    let summary: JobSummary
    /// The store: the commands named at the end carry it.
    let store: String
    /// Nothing was kept.
    var isDryRun = false
    /// Whether the stages are listed, which tells how the run went and not what came of it.
    var isVerbose = false
    /// What was said of the dates of a mended list: its records are listed as it has them, to be mended once more.
    var correctedDates: DateOrder?

    func write(to console: Console) throws(CommandFailure) {
        let style = console.style
        try console.write(style(.bold, TextWidth.printable(headline)) + "\n\n")
        for table in [counts, rejects, repairs, warnings, quality, stages, services] where !table.isEmpty {
            try console.write(table)
            try console.write("\n")
        }
        try console.write(next.map { "\(TextWidth.printable($0))\n" }.joined())
    }

    private var job: Job { outcome.job }

    private var headline: String {
        let files = JobLookup.inputs(of: job)
        let records = HumanText.count(job.counts.totalProcessed, "record")
        let time = HumanText.duration(seconds: Double(outcome.milliseconds) / 1_000)
        if let corrections = outcome.corrections { return headline(corrections, time) }
        if isDryRun { return "Dry run of \(files): \(records) in \(time). The library is as it was." }
        let counts = job.counts
        let hold = job.inputs.count == 1 ? "holds" : "hold"
        switch outcome.end {
        case .completed where counts.totalProcessed == 0:
            return "\(files) \(hold) no records: there was nothing to import."
        case .completed where counts.successCount == 0:
            return "Nothing of \(files) could be imported: \(records) turned away in \(time)."
        case .completed where counts.booksCreated + counts.booksUpdated == 0:
            return "\(files) \(hold) nothing new: \(records) looked at in \(time), the library is as it was."
        case .completed, .paused:
            guard outcome.earlier > 0 else { return "Imported \(files): \(records) in \(time)." }
            let now = max(0, counts.totalProcessed - outcome.earlier)
            guard now == 0, outcome.waited > 0 else {
                let own = HumanText.count(now)
                return "Imported \(files): \(records) in all, \(own) of them in this run of \(time)."
            }
            let settled = HumanText.count(max(0, outcome.waited - job.pending))
            let waited = HumanText.count(outcome.waited, "record")
            return "Took up what waited of \(files): \(settled) of \(waited) settled in \(time)."
        case .stopped: return "Stopped after \(records) of \(files); what was read is committed."
        case .canceled: return "Canceled after \(records) of \(files)."
        case .failed: return "Failed after \(records) of \(files); what was committed stays."
        }
    }

    private func headline(_ corrections: CorrectionCounts, _ time: String) -> String {
        let left = corrections.taken - corrections.corrected
        var words = isDryRun ? "Dry run: " : ""
        words += "\(HumanText.count(corrections.corrected, "record")) of job \(job.name) mended in \(time)"
        if left > 0 { words += ", \(HumanText.count(left)) still rejected" }
        words += "."
        for (count, outcome) in [
            (
                corrections.tooLarge,
                "over the limits still: too wide or too long, their records stay rejected"
            ),
            (corrections.renamed, "passed over: their columns have other names"),
            (corrections.repeated, "for a record that was listed before: the last one counts"),
            (corrections.passedOver, "passed over: mended before, or no reject of this job"),
        ] where count > 0 { words += " \(HumanText.count(count, "row")) \(outcome)." }
        switch outcome.end {
        case .completed, .paused: return words
        case .stopped, .canceled: return "Stopped. " + words
        case .failed: return "Failed. " + words
        }
    }

    private var counts: Table {
        var table = Table(.init("records"), .init("", .right), .init("what became of them"))
        let counts = job.counts
        func row(_ name: String, _ count: Int, _ words: String) {
            table.add(name, HumanText.count(count), words)
        }
        row("created", counts.booksCreated, "new in library “\(job.library)”")
        row("updated", counts.booksUpdated, "something in them is new")
        row(
            "nothing new", counts.duplicatesSkipped,
            job.mode == .fill
                ? "stored already, and nothing of them was missing" : "stored already, as they are")
        if job.pending > job.decided {
            row("of these pending", job.pending - job.decided, "a service has not answered")
        }
        if job.decided > 0 {
            row("of these decided", job.decided, "in a review, and not taken up yet")
        }
        let setAside = summary.findings.setAside
        let rejected = counts.rejected - setAside
        if rejected > 0 || setAside == 0 {
            row("rejected", rejected, rejected == 0 ? "" : "kept with their reasons")
        }
        if setAside > 0 { row("set aside", setAside, "no books: films, deleted ones, a header once more") }
        row("in all", counts.totalProcessed, "")
        return table
    }

    private var rejects: Table {
        var table = Table(.init("rejected because"), .init("", .right), .init("what it means"))
        for reject in summary.findings.rejects {
            let sentence = ReasonCode(rawValue: reject.name)?.sentence ?? ""
            table.add(reject.name, HumanText.count(reject.count), sentence)
        }
        return table
    }

    private var repairs: Table {
        var table = Table(.init("ISBNs repaired by"), .init("", .right), .init("what was done"))
        for repair in summary.findings.repairs {
            let rule = ISBNRepair.allCases.first { $0.name == repair.name }
            table.add(repair.name, HumanText.count(repair.count), rule?.sentence ?? "")
        }
        return table
    }

    private var warnings: Table {
        var table = Table(.init("noticed in records kept"), .init("", .right), .init("what it means"))
        // Repairs have a table of their own.
        for warning in summary.findings.warnings where warning.name != ReasonCode.isbnRepaired.code {
            let sentence = ReasonCode(rawValue: warning.name)?.sentence ?? ""
            table.add(warning.name, HumanText.count(warning.count), sentence)
        }
        return table
    }

    private var quality: Table {
        var table = Table(.init("quality"), .init("", .right), .init("target"))
        for target in QualityTarget.allCases {
            guard let figure = summary.quality[target] else { continue }
            // What nobody was asked for misses no target.
            guard !hasNoProvider || target.isMet(by: figure) else { continue }
            let isShare = target != .meanQuality
            let value = isShare ? HumanText.percent(figure) : String(Int(figure.rounded()))
            let goal = isShare ? HumanText.percent(target.threshold) : String(Int(target.threshold))
            table.add(
                Self.words(target), value,
                "> \(goal), \(target.isMet(by: figure) ? "met" : "missed")")
        }
        return table
    }

    private static func words(_ target: QualityTarget) -> String {
        switch target {
        case .isbnMatchRate: "ISBNs matched"
        case .coverAvailability: "works with a cover"
        case .authorEnrichment: "authors enriched"
        case .meanQuality: "mean quality, 0–100"
        }
    }

    private var stages: Table {
        var table = Table(
            .init("stage"), .init("in", .right), .init("out", .right), .init("rejected", .right),
            .init("busy", .right),
            .init("waited for input", .right), .init("for room", .right), .init("most waiting", .right))
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

    private var services: Table {
        var table = Table(
            .init("service"), .init("calls", .right), .init("hits", .right), .init("found", .right),
            .init("not found", .right), .init("put off", .right), .init("429s", .right),
            .init("p50/p95/p99 ms", .right), .init(""))
        for service in outcome.services {
            let metrics = service.metrics
            let open = metrics.outcomes.filter { !$0.key.isSettled }
            let shares = [0.5, 0.95, 0.99].map { share in
                metrics.latencyMilliseconds(share: share).map { String(Int($0.rounded(.up))) } ?? "–"
            }
            table.add(
                service.name, HumanText.count(metrics.calls), HumanText.count(metrics.hits),
                HumanText.count(metrics.outcomes[.found] ?? 0),
                HumanText.count(metrics.outcomes[.notFound] ?? 0),
                HumanText.count(open.values.reduce(0, +)), HumanText.count(metrics.throttled),
                shares.joined(separator: "/"), job.pending > 0 ? Self.words(metrics) : "")
        }
        return table
    }

    /// Why a service left questions open, and what to do.
    private static func words(_ metrics: ServiceMetrics) -> String {
        if metrics.outcomes[.blocked] != nil { return "does not let us in: check its key and ETL_CONTACT" }
        if metrics.outcomes[.quota] != nil {
            let when = metrics.resumeAt.map { " until \(Timestamp.withoutFraction($0))" } ?? ""
            return "the day's budget is spent\(when)"
        }
        if metrics.outcomes[.rateLimited] != nil { return "throttled: it was asked too often" }
        if metrics.outcomes[.down] != nil { return PendingText.down(metrics) }
        return metrics.outcomes[.timeout] != nil ? "did not answer in time" : ""
    }

    /// Whether no catalog and no service was there to be asked.
    private var hasNoProvider: Bool { job.terms?.options[.catalog] == nil && outcome.services.isEmpty }

    /// Whether that was nobody's wish.
    private var lacksProvider: Bool { hasNoProvider && job.terms?.options[.providers] == nil }

    /// The job as commands take it: of a name that nobody chose the beginning is enough.
    private var jobID: String {
        UUID(uuidString: job.name) == nil ? job.name : String(job.name.prefix(8))
    }

    private var next: [String] {
        let db = DefaultPaths.option(store: store)
        var lines: [String] = []
        if isDryRun { return ["The same command without --dry-run does what is said here."] }
        switch outcome.end {
        case .stopped, .canceled, .failed:
            guard outcome.corrections == nil else {
                lines.append("The same command again mends what is left.")
                break
            }
            lines.append("etl resume \(jobID)\(db)    goes on where this ended")
        case .completed, .paused:
            if job.pending > 0 {
                lines.append("etl resume \(jobID)\(db)    takes up what is pending")
            }
        }
        if job.counts.rejected > 0 {
            lines.append("etl errors \(jobID)\(db)    lists what was rejected, and why")
            // What is mended goes back into a job that has read all of its input.
            if !job.isUnfinished {
                lines.append(
                    "etl errors \(jobID)\(db) --format csv > mend.csv    writes it down to be mended")
                lines.append(
                    "etl import --rejects mend.csv --job \(jobID)\(CommandSpelling.option(correctedDates))\(db)    "
                        + "imports what was mended")
            }
        }
        if !summary.findings.warnings.isEmpty {
            lines.append(
                "etl errors --warnings \(jobID)\(db)    lists repairs and warnings, each with its record")
        }
        if summary.findings.warnings.contains(where: { $0.name == ReasonCode.ambiguousMatch.code }) {
            lines.append(
                "etl review\(db) > review.csv    lists what was found and not taken, for you to decide")
        }
        if lacksProvider, job.counts.successCount > 0 {
            lines.append(
                "etl catalog build --out catalog.sqlite DUMPS…    makes an offline catalog: --catalog then adds "
                    + "covers, genres and authors")
        }
        if job.counts.booksCreated + job.counts.booksUpdated > 0 {
            lines.append("etl explain ISBN\(db)    tells where each value of a book comes from")
        }
        lines.append("etl export\(db)    takes the library out as JSON or CSV")
        return lines
    }
}
