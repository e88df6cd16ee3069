import Jobs
import Pipeline
import Services
import Store

/// The report at the end of `etl enrich`: how many books changed, what the services did, and the next steps.
struct RefreshReport {
    private let report: ClosingReport

    init(_ report: ClosingReport) { self.report = report }

    func write(to console: Console) throws(CommandFailure) {
        try console.writeText(headline) { console.style(.bold, $0) }
        try console.write("\n")
        for table in [counts, report.stages, report.services, report.problems] where !table.isEmpty {
            try console.write(table)
            try console.write("\n")
        }
        if changed > 0 || left > 0 { try console.write(next) }
    }

    private var job: Job { report.outcome.job }
    private var changed: Int { job.counts.booksUpdated }
    private var left: Int { max(0, (job.totalCount ?? 0) - job.counts.totalProcessed) }

    private var headline: String {
        let books = HumanText.count(job.counts.totalProcessed, "book")
        let time = HumanText.duration(seconds: Double(report.outcome.milliseconds) / 1_000)
        switch report.outcome.end {
        case .completed, .paused:
            return changed == 0
                ? "Nothing new: \(books) refreshed in \(time). The library is unchanged.\(confirmed)"
                : "Refreshed \(books) in \(time): \(HumanText.count(changed)) changed."
        case .unfinished, .stopped, .canceled:
            return
                "Refreshed \(books) of \(HumanText.count(job.totalCount ?? 0)); the others are left for the next run."
        case .violated(_, let undo):
            return
                "Refreshed \(books): \(HumanText.count(changed)) changed, which \(undo == nil ? "needs your consent" : "was undone")."
        case .failed: return "Failed after \(books); they are kept."
        }
    }

    /// Sentence about requests that brought no new answer; empty for none.
    private var confirmed: String {
        let count = report.outcome.services.reduce(0) { $0 + $1.metrics.confirmed }
        return count == 0
            ? "" : " The services confirmed \(HumanText.count(count, "answer")) without sending them again."
    }

    private var counts: Table {
        var table = Table(.init("books"), .init("", .right), .init("meaning", wraps: true))
        table.add("changed", HumanText.count(changed), "a value was added or replaced")
        table.add(
            "unchanged", HumanText.count(job.counts.duplicatesSkipped),
            "catalogs and services say the same as before")
        if left > 0 { table.add("left", HumanText.count(left), "not refreshed yet") }
        return table
    }

    private var next: DefinitionList {
        let db = DefaultPaths.option(store: report.store)
        var list = DefinitionList(widestTerm: ClosingReport.widestCommand)
        if changed > 0 {
            list.add("etl diff\(db) \(job.name)", "show each changed field before and after")
            list.add("etl undo\(db) \(job.name)", "take the changes back")
        }
        if left > 0 { list.add("Run the same command again", "to refresh the books that are left") }
        return list
    }
}
