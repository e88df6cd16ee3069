import Database
import FoundationEssentials

/// What a job's runs have done so far, apart from its records and counts. It is stored with the job, and each run updates
/// it.
package struct JobRunState: Sendable, Hashable, Codable {
    /// The services that were asked, sorted; nil for a job that can ask none.
    package var services: [String]?
    /// The catalogs that were asked, as they were then; nil if unknown.
    package var catalogs: [CatalogReference]?
    /// The reason why the last run left records pending; nil if it left none.
    package var pause: JobPause?
    /// Where the error budgets start; nil for the job's start.
    package var budgetBaseline: BudgetBaseline?
    /// The rows that were deleted and restored; nil for a job with records.
    package var rows: RowCounts?
    /// The entries that were joined to others at the end; nil if the job joins none.
    package var joined: Int?
    /// Measurements of the last run; nil if unknown.
    package var metrics: RunMetrics?

    /// The state of a job without runs.
    ///
    /// - Parameters:
    ///   - services: Empty for a job that can ask services.
    ///   - rows: The rows that the job has changed already.
    package init(services: [String]? = nil, rows: RowCounts? = nil) {
        self.services = services
        self.rows = rows
    }

    /// Decodes a stored state; nil if the text is not valid.
    package init?(json text: String) {
        guard let state = try? JSONDecoder().decode(JobRunState.self, from: Data(text.utf8)),
            state.hasPossibleNumbers
        else { return nil }
        self = state
    }

    /// Whether the stored numbers are within their bounds.
    private var hasPossibleNumbers: Bool {
        guard let baseline = budgetBaseline else { return true }
        return ([baseline.records] + baseline.rejects.values).allSatisfy {
            StoredNumber.range.contains(Int64($0))
        }
    }
}

/// How far a job was when its error budget was spent. The next run has a fresh budget for what follows.
package struct BudgetBaseline: Sendable, Hashable, Codable {
    /// Records read up to there.
    package var records: Int
    /// Rejected records up to there, by reason code.
    package var rejects: [String: Int]

    package init(records: Int, rejects: [String: Int]) {
        self.records = records
        self.rejects = rejects
    }
}

/// A catalog that a job asks, as stored with the job. The file may be replaced before the user asks where a
/// value comes from.
package struct CatalogReference: Sendable, Hashable, Codable {
    package var path: String
    /// The ``Provider``'s contract name under which it answers; nil if unknown.
    package var provider: String?
    /// ISO 8601; nil if unknown.
    package var builtAt: String?
    /// The dumps it was built from; those of updates come last.
    package var dumps: [String]?
    /// Whether it has people of Wikidata; nil if unknown.
    package var hasPeople: Bool?

    /// A catalog of which only the path is known.
    package init(path: String) { self.path = path }
}
