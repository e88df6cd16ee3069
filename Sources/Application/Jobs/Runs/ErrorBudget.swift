import Books

/// Maximum number of rejects before a run stops: `--max-errors N|P%|P%/N`.
package enum ErrorBudget: Sendable, Hashable {
    /// This many rejects; 0 stops at the first.
    case count(Int)
    /// A share, 0–1, of all records of the run so far.
    case share(Double)
    /// A share, 0–1, of the last records.
    case shareOfLast(Double, records: Int)

    /// Parses `100`, `5%` or `5%/1000`; nil for any other text.
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

/// Checks a run against its error budget. A share is checked reject by reject, so that batch sizes do not
/// matter; a count is checked batch by batch.
struct ErrorBudgetTracker: Sendable {
    /// A share is not checked before this many records, except at the end of a run: one bad record in three
    /// is not a trend, and bad records come in clusters.
    static let minRecords = 500

    let budget: ErrorBudget
    private var records: Int
    private var rejected: Int
    /// For a share of the last records: the rejects of this run. Records before a resume do not count.
    private var recent = RecentRejects()
    /// Why the budget is exceeded, once it is.
    private var sentence: String?

    /// Starts counting.
    ///
    /// - Parameters:
    ///   - records: Number of records of the job's earlier runs. A budget applies to the job as a whole.
    ///   - rejected: Number of them that were rejected.
    init(_ budget: ErrorBudget, records: Int = 0, rejected: Int = 0) {
        self.budget = budget
        self.records = records
        self.rejected = rejected
    }

    /// Notes a batch. Returns a sentence if the budget is exceeded, now or earlier.
    ///
    /// - Parameters:
    ///   - new: Number of records in the batch.
    ///   - numbers: The rejected ones by their numbers in the batch, from 0, ascending.
    mutating func note(records new: Int, rejected numbers: [Int]) -> String? {
        defer {
            records += new
            rejected += numbers.count
        }
        switch budget {
        case .count(let most):
            // An exceeded budget stays exceeded, and batches committed while the run ends are counted too.
            sentence = Self.sentence(rejected + numbers.count, most: most)
        case .share(let most):
            sentence = sentence ?? firstSpent(most, new, numbers)
        case .shareOfLast(let most, let window):
            guard sentence == nil else { break }
            let tooMany = recent.note(new, numbers, of: window) { Self.exceeds(most, $0, of: window) }
            sentence = tooMany.map { Self.sentence($0, ofLast: window, most: most) }
        }
        return sentence
    }

    /// Why a batch exceeds a share of the run: at the first of its records at which the share is too large.
    private func firstSpent(_ most: Double, _ new: Int, _ numbers: [Int]) -> String? {
        guard new > 0 else { return nil }
        // The share only falls between two rejects, so it is checked at each reject, and where checking
        // begins.
        let begin = max(0, Self.minRecords - records - 1)
        let early = numbers.count { $0 <= begin }
        let later = numbers[early...].enumerated().map { (place: $1, count: early + $0 + 1) }
        for (place, count) in [(begin, early)] + later where place < new {
            if Self.exceeds(most, rejected + count, of: records + place + 1) {
                return Self.sentence(rejected + count, of: records + place + 1, most: most)
            }
        }
        return nil
    }

    /// A quotient, so that a share given in percent can be met exactly.
    private static func exceeds(_ share: Double, _ rejected: Int, of records: Int) -> Bool {
        records > 0 && Double(rejected) / Double(records) > share
    }

    private static func sentence(_ rejected: Int, most: Int) -> String? {
        guard rejected > most else { return nil }
        let words = rejected == 1 ? "1 record was" : "\(rejected) records were"
        return "\(words) rejected; the limit is \(most)."
    }

    private static func sentence(_ rejected: Int, of records: Int, most: Double) -> String {
        "\(rejected) of \(records) records \(share(rejected, of: records, most))"
    }

    private static func sentence(_ rejected: Int, ofLast records: Int, most: Double) -> String {
        "\(rejected) of the last \(records) records \(share(rejected, of: records, most))"
    }

    private static func share(_ rejected: Int, of records: Int, _ most: Double) -> String {
        let share = Double(rejected) / Double(max(1, records))
        return
            "\(rejected == 1 ? "was" : "were") rejected (\(percent(share))); the limit is \(percent(most))."
    }

    /// `12.34%`, without zeros at the end.
    private static func percent(_ share: Double) -> String {
        let hundredths = Int((share * 10_000).rounded())
        let (whole, rest) = hundredths.quotientAndRemainder(dividingBy: 100)
        guard rest > 0 else { return "\(whole)%" }
        return rest % 10 == 0 ? "\(whole).\(rest / 10)%" : "\(whole).\(rest < 10 ? "0" : "")\(rest)%"
    }

    /// Why the budget is exceeded; nil if it is not.
    ///
    /// - Parameter atEnd: Whether all records were read. Then a share of few records is checked too.
    func verdict(atEnd: Bool) -> String? {
        if let sentence { return sentence }
        switch budget {
        case .count(let most):
            return Self.sentence(rejected, most: most)
        case .share(let most):
            // A share of enough records was checked record by record; fewer are checked only at the end.
            guard atEnd, Self.exceeds(most, rejected, of: records) else { return nil }
            return Self.sentence(rejected, of: records, most: most)
        case .shareOfLast(let most, let window):
            // Fewer records than the window are checked only at the end; more were checked one by one.
            guard atEnd, records < window, Self.exceeds(most, rejected, of: records) else { return nil }
            return Self.sentence(rejected, ofLast: records, most: most)
        }
    }
}

/// Keeps which of the last records were rejected.
struct RecentRejects: Sendable {
    /// Number of records so far.
    private var records = 0
    /// The rejected records by number, from 1; those before ``first`` are outside the window.
    private var numbers: [Int] = []
    private var first = 0

    /// Notes a batch.
    ///
    /// - Parameters:
    ///   - new: Number of records in the batch.
    ///   - rejected: The rejected ones by their numbers in the batch, from 0, ascending.
    ///   - window: The number of last records that count.
    ///   - isTooMany: Whether this many rejects are too many for a whole window.
    /// - Returns: The number of rejects at the first point where they were too many; nil if they never were.
    mutating func note(
        _ new: Int, _ rejected: [Int], of window: Int, isTooMany: (Int) -> Bool
    ) -> Int? {
        // The share only falls between two rejects, so it is checked at each reject, and once where the
        // window is first full.
        var places = rejected.map { (number: records + $0 + 1, isRejected: true) }
        if records < window, records + new >= window {
            places.insert(
                (window, false), at: places.firstIndex { $0.number > window } ?? places.endIndex)
        }
        records += new
        for place in places {
            if place.isRejected { numbers.append(place.number) }
            while first < numbers.count, numbers[first] <= place.number - window { first += 1 }
            let count = numbers.count - first
            if place.number >= window, isTooMany(count) { return count }
        }
        if first > numbers.count / 2 {
            numbers.removeFirst(first)
            first = 0
        }
        return nil
    }
}

/// The error budgets of a run, for all rejects together and for single reasons: `100,no_title_or_isbn=5%`.
package struct ErrorBudgets: Sendable, Hashable {
    /// A budget and the rejects it applies to.
    struct Part: Sendable, Hashable {
        /// Nil for all reasons together. These leave out records that are set aside, because they are not
        /// errors.
        var reason: ReasonCode?
        var budget: ErrorBudget

        func counts(_ code: String) -> Bool {
            let reason = ReasonCode(rawValue: code)
            guard let own = self.reason else { return reason?.isSetAside != true }
            return reason == own
        }
    }

    let parts: [Part]
    /// The text as the user wrote it.
    let text: String

    /// Parses budgets separated by commas, each optionally with the code it applies to; nil if any of them is
    /// invalid.
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

/// Checks a run against its error budgets.
struct ErrorBudgetsTracker: Sendable {
    private var trackers: [(part: ErrorBudgets.Part, tracker: ErrorBudgetTracker)]

    /// Starts counting.
    ///
    /// - Parameters:
    ///   - records: Number of records of the job's earlier runs. A budget applies to the job as a whole.
    ///   - rejects: The rejected ones of them, counted by code.
    init(_ budgets: ErrorBudgets, records: Int = 0, rejects: [String: Int] = [:]) {
        trackers = budgets.parts.map { part in
            (part, ErrorBudgetTracker(part.budget, records: records, rejected: Self.sum(rejects, part)))
        }
    }

    /// Notes a batch and the numbers of its rejects by code. Returns a sentence if a budget is exceeded, now
    /// or earlier.
    mutating func note(records: Int, rejects: [String: [Int]]) -> String? {
        var first: String?
        for index in trackers.indices {
            let part = trackers[index].part
            let rejected = rejects.filter { part.counts($0.key) }.values.joined().sorted()
            let sentence = trackers[index].tracker.note(records: records, rejected: rejected)
            first = first ?? sentence.map { Self.sentence($0, part) }
        }
        return first
    }

    /// Why a budget is exceeded; nil if none is.
    ///
    /// - Parameter atEnd: Whether all records were read.
    func verdict(atEnd: Bool) -> String? {
        for (part, tracker) in trackers {
            if let sentence = tracker.verdict(atEnd: atEnd) { return Self.sentence(sentence, part) }
        }
        return nil
    }

    private static func sum(_ rejects: [String: Int], _ part: ErrorBudgets.Part) -> Int {
        rejects.reduce(0) { part.counts($1.key) ? $0 + $1.value : $0 }
    }

    private static func sentence(_ sentence: String, _ part: ErrorBudgets.Part) -> String {
        "The error budget\(part.reason.map { " for \($0.code)" } ?? "") is exceeded: \(sentence)"
    }
}
