package import Books
import Database
import FoundationEssentials
package import Pipeline
package import System

/// Everything that decides a job's results apart from the bytes of its input. It is stored when the job
/// starts and does not change: the job continues with it, whatever options a later run is given. Results of its runs
/// are in ``JobRunState``.
package struct JobOptions: Sendable, Hashable, Codable {
    /// The library if the user names none.
    package static let defaultLibrary = "default"

    /// The options that decide results. The number of workers, progress output and error budgets do not.
    package enum Option: String, Sendable, Hashable, Codable, CodingKeyRepresentable, CaseIterable {
        case library, format, map, mapping, encoding, delimiter, quote, header, dates, limit, catalog,
            providers, offline
        case replace, join, rules
    }

    /// Absolute paths of the files.
    package var files: [String]
    /// The pipeline definition; nil if it was not read from text.
    package var definition: DefinitionSource?
    /// The pipeline's name in messages to clients; nil if it is its own name.
    package var contract: String?
    /// The options' values as they would be typed. Options left at their default are absent; a flag has no
    /// value.
    package var options: [Option: [String]]
    /// For each file, how dates that end with the year are read; nil if the day comes first in all files.
    package var dateOrders: [DateOrder]?
    /// Indices of the files whose dates prove that the day comes first; nil if there are none.
    package var dayFirstFiles: [Int]?
    /// Row ids of the jobs that read the same files before; nil if there are none.
    package var readBefore: [Int64]?
    /// The newest date of each format's files, as `yyyymmdd`, if there are several formats.
    package var newestDates: [String: Int64]?
    /// The newer export because of which the job only fills gaps.
    package var newer: NewerExport?
    /// The files of genre rules it was started with, by the text of the setting; nil for none.
    package var genreRules: [String: DefinitionSource.File]?
    /// The user's rules for shelves, ratings and authors that it was started with; nil for none.
    package var rules: DefinitionSource.File?
    /// The error budgets it was started with, as typed; nil for none. Later runs may have others, because
    /// budgets do not decide results.
    package var budgets: String?
    /// Which books it refreshes, and how; nil for another job.
    package var refresh: RefreshOptions?
    /// Row ids of the jobs that it undid; nil if it is not an undo.
    package var undoes: [Int64]?
    /// Whether it removed its library; nil if not.
    package var forgets: Bool?
    /// What the user changed in it; nil if it is not such a job.
    package var edit: EditNote?
    /// The photos that its books were read from; nil if it is not a scan.
    package var scan: ScanNote?

    package init(files: [String], definition: DefinitionSource?, options: [Option: [String]]) {
        self.files = files
        self.definition = definition
        self.options = options
    }

    /// The options of a job without files.
    static let none = JobOptions(files: [], definition: nil, options: [:])

    /// The values of an option as they would be typed; nil if it was left at its default.
    package subscript(option: Option) -> [String]? {
        get { options[option] }
        set { options[option] = newValue }
    }

    /// Decodes stored options; nil if the text is not valid.
    package init?(json text: String) {
        guard let options = try? JSONDecoder().decode(JobOptions.self, from: Data(text.utf8)),
            options.hasPossibleNumbers
        else { return nil }
        self = options
    }

    /// Whether the stored numbers are within their bounds.
    private var hasPossibleNumbers: Bool {
        (options[.limit] ?? []).allSatisfy { Int($0).map { $0 > 0 } == true }
    }

    /// Rejects options that would give the rest of the job other results than its beginning. `offline` is
    /// allowed: queries without an answer stay open for a later run.
    ///
    /// - Parameters:
    ///   - requested: The options of the run that continues the job.
    ///   - explicit: Options that were given explicitly.
    ///   - job: The job's name.
    /// - Throws: `.configuration`, naming the first option that differs, and the job.
    package func check(
        _ requested: JobOptions, explicit: Set<Option>, job: String
    ) throws(ETLError) {
        let decided = explicit.subtracting([.offline])
        for option in Option.allCases
        where decided.contains(option) && requested[option] != self[option] {
            throw ETLError(
                .configuration,
                "Job `\(job)` was started \(words(option)) and cannot continue \(requested.words(option)).",
                advice: advice(job, instead: requested, explicit: explicit))
        }
    }

    /// Advice for a job that is not continued. Repeats the date order, so that the user need not give it
    /// again.
    ///
    /// - Parameters:
    ///   - requested: The options of the run that should have continued the job.
    ///   - explicit: Options that were given explicitly.
    package func advice(_ job: String, instead requested: JobOptions, explicit: Set<Option>) -> UserText {
        let dates = explicit.contains(.dates) ? requested.explicitDateOrder : explicitDateOrder
        return """
            To continue it with the options it was started with, run \(UserCommand.resume(job: job)). To start over, run \
            \(UserCommand.restart(file: nil, dates: dates)).
            """
    }

    /// The date order the user gave for dates that end with the year; nil if the files decide.
    package var explicitDateOrder: DateOrder? { options[.dates]?.first.flatMap { DateOrder(rawValue: $0) } }

    /// An option in a sentence: `with limit 10`.
    private func words(_ option: Option) -> String {
        guard let values = options[option] else { return "without \(option.rawValue)" }
        guard !values.isEmpty else { return "with \(option.rawValue)" }
        return "with " + values.map { "\(option.rawValue) \($0)" }.joined(separator: " ")
    }
}

/// A request to start or continue a job.
package struct JobRequest: Sendable, Hashable {
    /// The requested name; nil for the unfinished job on the same input, or a new one.
    package var name: String?
    /// The name of a new job if none is requested.
    package var freshName: String
    /// The pipeline's name in messages to clients.
    package var pipeline: String
    /// The library of the entries.
    package var library: String
    /// Whether the library, if it has no books yet, shares no works and editions with others.
    package var isPrivate = false
    /// The format, if all files have the same.
    package var formatName: String?
    /// Fingerprints of the files in reading order. A job is recognized by them.
    package var inputs: [SourceFingerprint]
    /// The options to store with a new job.
    package var options: JobOptions?
    /// The state to store with a new job.
    package var runState = JobRunState()
    /// Records in all files, if known.
    package var totalCount: Int?
    /// Newest date in the export, `yyyymmdd`. It decides which of two exports is older.
    package var newestDate: Int64?
    /// Start over instead of continuing an unfinished job on the same input.
    package var restarts = false
    /// Overwrite values even if the export is older.
    package var replaces = false
    /// Process the pending records of a completed job.
    package var finishesPending = false
    /// Row id of the job that the request is meant to continue; nil for a new one.
    package var continues: Int64?

    /// A request that neither restarts nor replaces anything.
    package init(
        name: String?, freshName: String, pipeline: String, library: String, formatName: String?,
        inputs: [SourceFingerprint], options: JobOptions? = nil, totalCount: Int? = nil,
        newestDate: Int64? = nil
    ) {
        self.name = name
        self.freshName = freshName
        self.pipeline = pipeline
        self.library = library
        self.formatName = formatName
        self.inputs = inputs
        self.options = options
        self.totalCount = totalCount
        self.newestDate = newestDate
    }
}
