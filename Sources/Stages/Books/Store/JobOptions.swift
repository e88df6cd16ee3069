import Foundation
package import Pipeline

/// What decides the results of a job beside the bytes of its input. It is kept with the job when it begins, and the
/// job goes on by it, whoever takes it up and with whatever words.
package struct JobOptions: Sendable, Hashable, Codable {
    /// The options that decide results. How many workers there are, who is told of the progress and how many rejects
    /// are borne is not among them.
    package enum Option: String, Sendable, Hashable, Codable, CodingKeyRepresentable, CaseIterable {
        case library, format, map, mapping, encoding, delimiter, quote, header, dates, limit, catalog,
            providers, offline
        case replace
    }

    /// The files, by paths that hold from any directory.
    package var files: [String]
    /// The pipeline; nil where it was not read from a text.
    package var definition: DefinitionSource?
    /// The pipeline's name in messages to clients; nil for its own.
    package var contract: String?
    /// The values of options, as they would be typed. An option that is left to its default is absent; a flag has
    /// no value.
    package var options: [Option: [String]]
    /// How dates are read that have their year last, file by file; nil where the day comes first in all.
    package var dateOrders: [DateOrder]?
    /// The files whose dates prove that the day comes first in them, by their indices; nil where none does.
    package var dayFirstFiles: [Int]?
    /// The jobs that have read the same files before, by their rows; nil where there are none.
    package var readBefore: [Int64]?
    /// The newest date of its files of each format, as `yyyymmdd`, where they are of several.
    package var newestDates: [String: Int64]?
    /// The export that it only fills gaps for.
    package var newer: NewerExport?
    /// The services that its runs have asked so far, sorted; nil where that was not noted.
    package var services: [String]?
    /// The catalogs that its runs have asked so far, as they were then; nil where that was not noted.
    package var catalogs: [CatalogReference]?
    /// The error budgets it was begun with, as they were typed; nil for none. Whoever goes on with the job may say
    /// others: they decide no results.
    package var budgets: String?
    /// How far the job was when its error budgets were last spent; nil where they never were.
    package var budgetBaseline: BudgetBaseline?

    /// Takes what a job begins with.
    package init(files: [String], definition: DefinitionSource?, options: [Option: [String]]) {
        self.files = files
        self.definition = definition
        self.options = options
    }

    /// Terms as a store keeps them; nil for what is none.
    init?(json text: String) {
        guard let terms = try? JSONDecoder().decode(JobOptions.self, from: Data(text.utf8)) else {
            return nil
        }
        self = terms
    }

    /// Refuses options that would give the rest of a job other results than its beginning. Going on without the network
    /// gives no other results: what is not answered stays open for a run that has it.
    ///
    /// - Parameters:
    ///   - wished: The terms of whoever takes the job up.
    ///   - said: Those of its options that were said, and not left to defaults.
    ///   - job: The job's name.
    /// - Throws: `.configuration`, naming the first such option and the job.
    package func check(
        _ requested: JobOptions, explicit: Set<Option>, job: String
    ) throws(StageFailure) {
        let decided = explicit.subtracting([.offline])
        for option in Option.allCases
        where decided.contains(option) && requested.options[option] != options[option] {
            throw StageFailure(
                .configuration,
                "Job \(job) was started \(words(option)) and cannot continue \(requested.words(option)).",
                advice: advice(job, instead: requested, explicit: explicit))
        }
    }

    /// What to do where a job is not gone on with. What was said of its dates need not be said again.
    ///
    /// - Parameters:
    ///   - wished: The terms of whoever wanted to take the job up.
    ///   - said: Those of its options that were said.
    package func advice(_ job: String, instead requested: JobOptions, explicit: Set<Option>) -> UserText {
        let dates = explicit.contains(.dates) ? requested.explicitDateOrder : explicitDateOrder
        return
            "\(UserCommand.resume(job: job)) continues it with its own options; \(UserCommand.restart(dates: dates)) starts over."
    }

    /// What the reader says of dates that have their year last; nil where each file shows it.
    package var explicitDateOrder: DateOrder? { options[.dates]?.first.flatMap { DateOrder(rawValue: $0) } }

    /// An option as a sentence has it: `with limit 10`.
    private func words(_ option: Option) -> String {
        guard let values = options[option] else { return "without \(option.rawValue)" }
        guard !values.isEmpty else { return "with \(option.rawValue)" }
        return "with " + values.map { "\(option.rawValue) \($0)" }.joined(separator: " ")
    }
}

/// How far a job was when its error budgets were spent. Whoever goes on with it has seen that, and has the budgets anew
/// for what comes.
package struct BudgetBaseline: Sendable, Hashable, Codable {
    /// Records read so far.
    package var records: Int
    /// Those of them that were rejected, by code.
    package var rejects: [String: Int]

    package init(records: Int, rejects: [String: Int]) {
        self.records = records
        self.rejects = rejects
    }
}

/// What is noted with a job of a catalog that it asks: another one may stand in its place by the time somebody wants to
/// know what a value is from.
package struct CatalogReference: Sendable, Hashable, Codable {
    package var path: String
    /// Under whose name it answers: a ``Provider``'s contract name; nil where that was not noted.
    package var provider: String?
    /// ISO 8601; nil where that was not noted.
    package var builtAt: String?
    /// The dumps it was built from, the updates' after those before them.
    package var dumps: [String]?

    /// All that is known of a catalog that a job of an earlier version was begun with.
    package init(path: String) { self.path = path }

    /// - Parameter path: One that holds from any directory.
    package init(_ description: CatalogDescription, at path: String) {
        self.path = path
        provider = description.provider
        builtAt = description.builtAt
        dumps = description.sources.map(\.name)
    }
}

/// What a job is started with.
package struct JobRequest: Sendable, Hashable {
    /// The name asked for; nil: a new one, or the unfinished job on the same input.
    package var name: String?
    /// The name a new job gets where none is asked for.
    package var freshName: String
    /// Name of the pipeline in messages to clients.
    package var pipeline: String
    /// Whose library the entries belong to.
    package var library: String
    /// The input format, where all files have one.
    package var profile: String?
    /// The files, in the order in which they are read. A job is known again by them.
    package var inputs: [SourceFingerprint]
    /// What it is begun with, to be gone on with.
    package var terms: JobOptions?
    /// Records of all files, where known.
    package var totalCount: Int?
    /// Newest date in the export, `yyyymmdd`: it tells an older export from a newer one.
    package var newestDate: Int64?
    /// Forget an unfinished job on the same input and begin anew.
    package var restarts = false
    /// Overwrite with an older export too.
    package var replaces = false
    /// Take up the pending records of a completed job.
    package var finishesPending = false
    /// The job it was made to go on with; nil for a new one.
    package var continues: Int64?

    /// An order that neither restarts nor replaces anything.
    package init(
        name: String?, freshName: String, pipeline: String, library: String, profile: String?,
        inputs: [SourceFingerprint], terms: JobOptions? = nil, totalCount: Int? = nil,
        newestDate: Int64? = nil
    ) {
        self.name = name
        self.freshName = freshName
        self.pipeline = pipeline
        self.library = library
        self.profile = profile
        self.inputs = inputs
        self.terms = terms
        self.totalCount = totalCount
        self.newestDate = newestDate
    }
}
