/// How many records may be rejected before a run stops: `--max-errors N|P%|P%/N`.
package enum ErrorBudget: Sendable, Hashable {
    /// So many in all; 0 stops at the first.
    case count(Int)
    /// A share, 0–1, of the records of the run so far.
    case share(Double)
    /// A share, 0–1, of the last so many records.
    case shareOfLast(Double, records: Int)

    /// Reads `100`, `5%` or `5%/1000`; nil when it is none of them.
    package init?(_ text: String) {
        let parts = text.split(separator: "/", omittingEmptySubsequences: false)
        guard let first = parts.first, parts.count <= 2 else { return nil }
        guard first.hasSuffix("%") else {
            guard parts.count == 1, let count = Int(first), count >= 0 else { return nil }
            self = .count(count)
            return
        }
        guard let percent = Double(first.dropLast()), (0...100).contains(percent) else { return nil }
        if parts.count == 1 {
            self = .share(percent / 100)
        } else {
            guard let records = Int(parts[1]), (1...1_000_000).contains(records) else { return nil }
            self = .shareOfLast(percent / 100, records: records)
        }
    }
}

/// Holds a run against its error budget: a share of the last records reject by reject, all else batch by batch.
struct ErrorBudgetMeter: Sendable {
    /// A share of the run is not judged before so many records: one bad record in three is no trend.
    static let fewestRecords = 100

    let budget: ErrorBudget
    private var records: Int
    private var rejected: Int
    /// For a share of the last records: those of this run. What came before a resume is not among them.
    private var recent = RecentRejects()
    /// Why the budget is spent, once it is.
    private var sentence: String?

    /// Begins to count.
    ///
    /// - Parameters:
    ///   - records: Records of the job's earlier runs: a budget is the job's, and not granted again.
    ///   - rejected: Those of them that were rejected.
    init(_ budget: ErrorBudget, records: Int = 0, rejected: Int = 0) {
        self.budget = budget
        self.records = records
        self.rejected = rejected
    }

    /// Notes a batch. Returns a sentence when the budget is spent, and from then on.
    ///
    /// - Parameters:
    ///   - new: Records of the batch.
    ///   - numbers: Those of them that were rejected, by their numbers in the batch, from 0, rising.
    mutating func note(records new: Int, rejected numbers: [Int]) -> String? {
        records += new
        rejected += numbers.count
        // A count that is spent stays spent; what is committed while the run ends belongs to it.
        if case .count = budget { sentence = nil }
        guard sentence == nil else { return sentence }
        if case .shareOfLast(let most, let window) = budget {
            let tooMany = recent.note(new, numbers, of: window) { Self.exceeds(most, $0, of: window) }
            sentence = tooMany.map { Self.sentence($0, ofLast: window) }
        } else {
            sentence = verdict(atEnd: false)
        }
        return sentence
    }

    /// Divided, a share that was said in percent is met exactly.
    private static func exceeds(_ share: Double, _ rejected: Int, of records: Int) -> Bool {
        records > 0 && Double(rejected) / Double(records) > share
    }

    private static func sentence(_ rejected: Int, ofLast records: Int) -> String {
        "\(rejected) of the last \(records) records were rejected, more than the share allowed."
    }

    /// Why the budget is spent; nil while it is not.
    ///
    /// - Parameter atEnd: Whether no more records come: then a share of few of them is judged too.
    func verdict(atEnd: Bool) -> String? {
        if let sentence { return sentence }
        switch budget {
        case .count(let most):
            guard rejected > most else { return nil }
            let words = rejected == 1 ? "1 record was" : "\(rejected) records were"
            return "\(words) rejected, more than the \(most) allowed."
        case .share(let most):
            guard atEnd || records >= Self.fewestRecords, Self.exceeds(most, rejected, of: records) else {
                return nil
            }
            return "\(rejected) of \(records) records were rejected, more than the share allowed."
        case .shareOfLast(let most, let window):
            // Fewer than the window holds are judged at the end alone; more were, one by one.
            guard atEnd, records < window, Self.exceeds(most, rejected, of: records) else { return nil }
            return Self.sentence(rejected, ofLast: records)
        }
    }
}
