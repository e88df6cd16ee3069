/// The error budgets of a run: `--max-errors 100,no_title_or_isbn=5%`. A part without a code is for all rejects
/// together, but for records that were rightly set aside.
package struct ErrorBudgets: Sendable, Hashable {
    /// A budget and what it is for.
    struct Part: Sendable, Hashable {
        /// Nil for all reasons.
        var reason: ReasonCode?
        var budget: ErrorBudget
    }

    let parts: [Part]

    /// Reads budgets with commas between them, each perhaps with the code it is for; nil where one is none.
    package init?(_ text: String) {
        var parts: [Part] = []
        for word in text.split(separator: ",", omittingEmptySubsequences: false) {
            let sides = word.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            guard let budget = ErrorBudget(String(sides[sides.count - 1])) else { return nil }
            let reason = sides.count == 2 ? ReasonCode(rawValue: String(sides[0])) : nil
            guard sides.count == 1 || reason?.isReject == true else { return nil }
            parts.append(Part(reason: reason, budget: budget))
        }
        self.parts = parts
    }
}

/// Holds a run against its budgets, batch by batch.
struct ErrorBudgetsMeter: Sendable {
    private var meters: [(reason: ReasonCode?, meter: ErrorBudgetMeter)]

    init(_ budgets: ErrorBudgets) {
        meters = budgets.parts.map { ($0.reason, ErrorBudgetMeter($0.budget)) }
    }

    /// Notes a batch.
    ///
    /// - Parameter rejects: How many were rejected for each code.
    /// - Returns: A sentence when a budget is spent.
    mutating func note(records: Int, rejects: [String: Int]) -> String? {
        for index in meters.indices {
            let reason = meters[index].reason
            let count = rejects.reduce(0) { sum, entry in
                let isCounted =
                    reason.map { $0.code == entry.key }
                    ?? (ReasonCode(rawValue: entry.key)?.isSetAside != true)
                return isCounted ? sum + entry.value : sum
            }
            if let sentence = meters[index].meter.note(records: records, rejected: count) {
                return reason.map { "\($0.code): \(sentence)" } ?? sentence
            }
        }
        return nil
    }
}
