package import Pipeline
import Syntax

/// A run as the store knows it.
package struct Job: Sendable, Hashable {
    /// How known entries are treated.
    package enum Mode: String, Sendable, Hashable {
        /// The newest export of its library: entries are brought up to date.
        case update
        /// An export older than one imported before: gaps are filled, nothing is overwritten.
        case fill
    }

    /// The row in the store; internal, never shown.
    package var id: Int64
    /// The public job id.
    package var name: String
    /// Name of the pipeline.
    package var pipeline: String
    /// Whose library its entries belong to.
    package var library: String
    /// The input format it was read as; nil where several files differ.
    package var profile: String?
    /// Whether it brings entries up to date or only fills gaps.
    package var mode: Mode
    /// How it stands, as last written: a killed run leaves `processing` behind.
    package var status: JobState
    /// The files it reads, as they were when it began.
    package var inputs: [SourceFingerprint]
    /// What it was begun with, to be gone on with; nil for a job of an earlier version.
    package var terms: JobOptions?
    /// Newest date in the export, `yyyymmdd`.
    package var newestDate: Int64?
    /// Epoch milliseconds.
    package var startedAt: Int64
    /// Epoch milliseconds of its last commit.
    package var updatedAt: Int64
    /// Epoch milliseconds; nil as long as it can go on.
    package var endedAt: Int64?
    /// Records of the input, where known.
    package var totalCount: Int?
    /// Where the next batch begins: the end of the last one committed.
    package var checkpoint: Position
    /// Digest of the input's bytes before the checkpoint.
    package var tailDigest: Int64?
    /// Records by what became of them, over all its runs.
    package var counts: JobCounts
    /// Records with a valid ISBN, and those of them that a provider matched.
    package var recordsWithISBN: Int
    /// Those of ``recordsWithISBN`` that a provider matched.
    package var recordsMatched: Int
    /// Milliseconds at work, over all its runs.
    package var busyMilliseconds: Int64
    /// What ended it, where it failed.
    package var failure: String?
    /// Records that are to be taken up: a service has not answered yet, or a reader has decided about them since.
    package var pending = 0
    /// Those of ``pending`` that wait for nothing else: a reader has decided about them.
    package var decided = 0

    /// Share of the records that are done, 0–1.
    package var progress: Double {
        if status == .completed { return 1 }
        guard let totalCount, totalCount > 0 else { return 0 }
        return min(1, Double(counts.totalProcessed) / Double(totalCount))
    }

    /// Its newest date as one of the calendar.
    package var newestDay: CalendarDate? {
        newestDate.flatMap { Self.day($0) }
    }

    private static func day(_ number: Int64) -> CalendarDate? {
        CalendarDate(year: Int(number / 10_000), month: Int(number / 100 % 100), day: Int(number % 100))
    }

    /// What the reader is told of a job that only fills gaps.
    package var older: UserText {
        let newer = terms?.newer
        // Of several formats it is one that is older.
        let format = profile == nil ? newer?.profile.map { " of \($0)" } ?? "" : ""
        let own = (newer.map { Self.day($0.own) } ?? newestDay).map { "\($0)" }
        let other = newer.flatMap { Self.day($0.newest) }.map { "\($0)" }
        let corrects =
            terms?.readBefore == nil ? "" : " and corrects what was imported from the same file before"
        return """
            This export is older than the last one imported: its newest date\(format) is \(own ?? "earlier"), \
            the other's is \(other ?? "later"). It only fills gaps\(corrects); use \(UserSetting.replace) to \
            overwrite newer values.
            """
    }

    /// Whether it can go on from its checkpoint.
    package var isUnfinished: Bool { status != .completed }
}

extension Job {
    /// Where its files were when it began; a job of an earlier version knows their names alone.
    package var files: [String] { terms?.files ?? inputs.map(\.name) }

    /// The pipeline by the contract's name: one of the user's own reads exports as `csv_import` does, unless its
    /// definition says otherwise.
    package var contractPipeline: JobPipeline {
        JobPipeline(rawValue: terms?.contract ?? pipeline) ?? .csvImport
    }

    /// Whether it is not finished and nobody is at it: it was stopped or killed, and can be resumed.
    ///
    /// - Parameter isRunning: Whether somebody runs it.
    package func isLeftBehind(isRunning: Bool) -> Bool { status == .processing && !isRunning }

    /// Its state to clients. One that is left behind has failed, as its events said where it was stopped.
    ///
    /// - Parameter isRunning: Whether somebody runs it.
    package func state(isRunning: Bool) -> JobState { isLeftBehind(isRunning: isRunning) ? .failed : status }
}

/// Where a job stands (contract.md section 7).
package enum JobState: String, JSONWritable, Sendable, CaseIterable {
    case initialized, processing, completed, failed, canceled
}

/// The pipelines clients know by name (contract.md section 7).
package enum JobPipeline: String, JSONWritable, Sendable, CaseIterable {
    case csvImport = "csv_import"
    case batchEnrichment = "batch_enrichment"
    case aiScan = "ai_scan"
}

/// That an export is older than one that was imported before it: both their newest dates, as `yyyymmdd`.
package struct NewerExport: Sendable, Hashable, Codable {
    /// The format that both have; nil where it was not noted.
    package var profile: String?
    /// The older export's newest date.
    package var own: Int64
    /// The newer one's.
    package var newest: Int64
}
