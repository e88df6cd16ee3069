package import Books
import FoundationEssentials
import Syntax
package import System

/// A job as stored.
package struct Job: Sendable, Hashable {
    /// Treatment of known entries.
    package enum Mode: String, Sendable, Hashable {
        /// The newest export of its library: entries are updated.
        case update
        /// An export older than an earlier import: fills gaps and overwrites nothing.
        case fill
        /// The stored books are refreshed; entries do not change.
        case refresh
    }

    /// Row id in the store. Users see it in ``shortName``; no output for programs has it.
    package var id: Int64
    /// The public job id.
    package var name: String
    /// The pipeline's name.
    package var pipeline: String
    /// The library of its entries.
    package var library: String
    /// The format of its files; nil if they have several.
    package var formatName: String?
    package var mode: Mode
    /// The status as last written. A killed run leaves `processing`.
    package var status: JobState
    /// Fingerprints of its files when it started.
    package var inputs: [SourceFingerprint]
    /// The options it was started with; nil if it was started without.
    package var options: JobOptions?
    /// The results of its runs.
    package var runState = JobRunState()
    /// Newest date in the export, `yyyymmdd`.
    package var newestDate: Int64?
    /// Epoch milliseconds.
    package var startedAt: Int64
    /// Time of its last commit, in epoch milliseconds.
    package var updatedAt: Int64
    /// Epoch milliseconds; nil while it can continue.
    package var endedAt: Int64?
    /// Records in the input, if known.
    package var totalCount: Int?
    /// Start of the next batch: the end of the last committed one.
    package var checkpoint: Position
    /// Digest of the input's bytes before the checkpoint.
    package var tailDigest: Int64?
    /// Its records by outcome, over all runs.
    package var counts: JobCounts
    /// Records with a valid ISBN.
    package var recordsWithISBN: Int
    /// Those of ``recordsWithISBN`` that a provider matched.
    package var recordsMatched: Int
    /// Working time in milliseconds, over all runs.
    package var busyMilliseconds: Int64
    /// Why it failed, if it did.
    package var failure: String?
    /// Records that wait for a service's answer, or for a decision in a review to be applied.
    package var pending = 0
    /// Those of ``pending`` that wait only for a decision to be applied.
    package var decided = 0
    /// The name of the job that undid it; nil while it is in effect.
    package var undoneBy: String?

    /// The pipeline of jobs that undo others.
    package static let undoPipeline = "undo"
    /// The pipeline of jobs that remove a library.
    package static let forgetPipeline = "forget"
    /// The pipeline of jobs that remove books.
    package static let removePipeline = "remove"
    /// Whether it took other jobs back.
    package var isUndo: Bool { options?.undoes != nil }
    /// Whether it removed a library.
    package var isRemoval: Bool { options?.forgets != nil }
    /// Whether it changed books as the user asked: `etl set`, `etl remove`.
    package var isEdit: Bool { options?.edit != nil }
    /// Whether it read records.
    package var hasRecords: Bool { !isUndo && !isRemoval && !isEdit && !isRefresh }
    /// Whether it refreshes stored books.
    package var isRefresh: Bool { mode == .refresh }

    /// Whether it can have changed the library. A refresh that found nothing new has not.
    package var changesLibrary: Bool { !isRefresh || counts.booksUpdated > 0 }

    /// Number of records that are stored and wait for nothing.
    package var finishedCount: Int { max(0, counts.totalProcessed - pending) }

    /// Number of finished records: of a completed job all, of any other those that wait for nothing.
    package var progress: JobProgress {
        JobProgress(
            processedCount: state == .completed
                ? counts.totalProcessed : finishedCount,
            totalCount: max(totalCount ?? 0, status == .completed ? counts.totalProcessed : 0))
    }

    /// ``newestDate`` as a calendar date.
    package var newestDay: CalendarDate? {
        newestDate.flatMap { Self.day($0) }
    }

    private static func day(_ number: Int64) -> CalendarDate? {
        CalendarDate(year: Int(number / 10_000), month: Int(number / 100 % 100), day: Int(number % 100))
    }

    /// The warning for a job that only fills gaps.
    package var olderExportWarning: UserWarning {
        let newer = options?.newer
        // Of several formats, name the one that is older.
        let format = formatName == nil ? newer.map { " of \($0.formatName)" } ?? "" : ""
        let own = (newer.map { Self.day($0.own) } ?? newestDay).map { "\($0)" }
        let other = newer.flatMap { Self.day($0.newest) }.map { "\($0)" }
        let corrects =
            options?.readBefore == nil ? "" : ", and values imported from the same file before are corrected"
        return UserWarning(
            """
            This export is older than the last imported one: its newest date\(format) is \(own ?? "earlier")\
            \(other.map { ", not \($0)" } ?? ""). Only missing values are filled in\(corrects).
            """,
            advice: "To overwrite newer values, use \(UserSetting.replace).")
    }

    /// Whether it can continue from its checkpoint.
    package var isUnfinished: Bool { status != .completed }
}

extension Job {
    /// The name as people read and type it: the number in the store, such as `j12`, in place of a random name.
    package var shortName: String { UUID(uuidString: name) == nil ? name : "j\(id)" }

    /// The row id in a short name such as `j12`; nil if the text is not a short name.
    package static func number(in shortName: String) -> Int64? {
        let digits = shortName.dropFirst()
        guard shortName.first == "j", (1...18).contains(digits.utf8.count),
            digits.utf8.allSatisfy({ (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) })
        else { return nil }
        return Int64(digits)
    }

    /// Paths of its files; their names if it was started without options.
    package var files: [String] { options?.files ?? inputs.map(\.name) }

    /// The names of what it has read, for people: of its photos, or of its files.
    package var inputNames: [String] {
        options?.scan.map { $0.photos.map(\.name) } ?? inputs.map(\.name)
    }

    /// The pipeline's name in the contract. A user's own pipeline counts as `csv_import`, unless its
    /// definition says otherwise.
    package var contractPipeline: JobPipeline {
        JobPipeline(rawValue: options?.contract ?? pipeline) ?? .csvImport
    }

    /// Whether it was stopped or killed, is not running, and can be resumed.
    ///
    /// - Parameter isRunning: Whether a process is running it.
    package func isAbandoned(isRunning: Bool) -> Bool { status == .processing && !isRunning }

    /// Reason why it waits after reading everything, with records pending; nil if it does not wait.
    package var pause: JobPause? {
        status == .completed && pending > decided ? runState.pause : nil
    }

    /// Its state as reported to clients. A job that can go on, because it was stopped or killed or waits for a
    /// service, is neither failed nor completed.
    package var state: JobState { pause == nil ? status : .processing }
}

/// Reason why a job waits whose records are all stored: none could be finished, or its services have no calls left
/// today.
package struct JobPause: Sendable, Hashable, Codable {
    /// The services that it waits for.
    package var services: [String]
    /// When the first of them can be asked again, in milliseconds since 1970; nil if unknown.
    package var resumeAt: Int64?

    package init(services: [String], resumeAt: Int64?) {
        self.services = services
        self.resumeAt = resumeAt
    }
}
