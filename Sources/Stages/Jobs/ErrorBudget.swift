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

/// Holds a run against its error budget, batch by batch.
struct ErrorBudgetMeter: Sendable {
    /// A share of the run is not judged before so many records: one bad record in three is no trend.
    static let fewestRecords = 100

    let budget: ErrorBudget
    private var records: Int
    private var rejected: Int
    /// The last batches, for a share of the last records.
    private var recent: [(records: Int, rejected: Int)] = []
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
    mutating func note(records new: Int, rejected newlyRejected: Int) -> String? {
        records += new
        rejected += newlyRejected
        if case .shareOfLast(_, let window) = budget {
            recent.append((new, newlyRejected))
            var count = recent.reduce(0) { $0 + $1.records }
            while let first = recent.first, count - first.records >= window {
                count -= first.records
                recent.removeFirst()
            }
        }
        // A count that is spent stays spent; what is committed while the run ends belongs to it.
        if case .count = budget { sentence = nil }
        if sentence == nil { sentence = verdict(atEnd: false) }
        return sentence
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
            guard atEnd || records >= Self.fewestRecords, Double(rejected) > most * Double(records) else {
                return nil
            }
            return "\(rejected) of \(records) records were rejected, more than the share allowed."
        case .shareOfLast(let most, let window):
            let (count, bad) = recent.reduce((0, 0)) { ($0.0 + $1.records, $0.1 + $1.rejected) }
            guard atEnd || count >= window, Double(bad) > most * Double(count) else { return nil }
            return "\(bad) of the last \(count) records were rejected, more than the share allowed."
        }
    }
}
