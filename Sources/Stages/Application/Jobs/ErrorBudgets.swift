import Books

/// The error budgets of a run, for all rejects together and for single reasons: `100,no_title_or_isbn=5%`.
package struct ErrorBudgets: Sendable, Hashable {
    /// A budget and what it is for.
    struct Part: Sendable, Hashable {
        /// Nil for all reasons together, but for those that set a record aside rightly (contract.md section 7).
        var reason: ReasonCode?
        var budget: ErrorBudget

        func counts(_ code: String) -> Bool {
            let reason = ReasonCode(rawValue: code)
            guard let own = self.reason else { return reason?.isSetAside != true }
            return reason == own
        }
    }

    let parts: [Part]
    /// As it was typed.
    let text: String

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
        self.text = text
    }
}

/// Holds a run against its error budgets.
struct ErrorBudgetsTracker: Sendable {
    private var meters: [(part: ErrorBudgets.Part, meter: ErrorBudgetTracker)]

    /// Begins to count.
    ///
    /// - Parameters:
    ///   - records: Records of the job's earlier runs: a budget is the job's, and not granted again.
    ///   - rejects: Those of them that were rejected, by code.
    init(_ budgets: ErrorBudgets, records: Int = 0, rejects: [String: Int] = [:]) {
        meters = budgets.parts.map { part in
            (part, ErrorBudgetTracker(part.budget, records: records, rejected: Self.sum(rejects, part)))
        }
    }

    /// Notes a batch and the numbers of its rejects by code. Returns a sentence when a budget is spent, and ever
    /// after.
    mutating func note(records: Int, rejects: [String: [Int]]) -> String? {
        var first: String?
        for index in meters.indices {
            let part = meters[index].part
            let rejected = rejects.filter { part.counts($0.key) }.values.joined().sorted()
            let sentence = meters[index].meter.note(records: records, rejected: rejected)
            first = first ?? sentence.map { Self.sentence($0, part) }
        }
        return first
    }

    /// Why a budget is spent; nil while none is.
    ///
    /// - Parameter atEnd: Whether no more records come.
    func verdict(atEnd: Bool) -> String? {
        for (part, meter) in meters {
            if let sentence = meter.verdict(atEnd: atEnd) { return Self.sentence(sentence, part) }
        }
        return nil
    }

    private static func sum(_ rejects: [String: Int], _ part: ErrorBudgets.Part) -> Int {
        rejects.reduce(0) { part.counts($1.key) ? $0 + $1.value : $0 }
    }

    private static func sentence(_ sentence: String, _ part: ErrorBudgets.Part) -> String {
        part.reason.map { "\($0.code): \(sentence)" } ?? sentence
    }
}
