import Books

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

/// Holds a run against its error budget: a share reject by reject, so that it is the same whatever the batches, a count
/// batch by batch.
struct ErrorBudgetTracker: Sendable {
    /// A share of the run is not judged before so many records, unless it ends: one bad record in three is no trend, and
    /// bad records come in heaps. About as many as the usual batch has, by which it once was judged.
    static let minRecords = 500

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
        defer {
            records += new
            rejected += numbers.count
        }
        switch budget {
        case .count(let most):
            // What is spent stays spent; what is committed while the run ends belongs to it.
            sentence = Self.sentence(rejected + numbers.count, most: most)
        case .share(let most):
            sentence = sentence ?? firstSpent(most, new, numbers)
        case .shareOfLast(let most, let window):
            guard sentence == nil else { break }
            let tooMany = recent.note(new, numbers, of: window) { Self.exceeds(most, $0, of: window) }
            sentence = tooMany.map { Self.sentence($0, ofLast: window) }
        }
        return sentence
    }

    /// Why a share of the run is spent by a batch: by the first record of it where it is too large.
    private func firstSpent(_ most: Double, _ new: Int, _ numbers: [Int]) -> String? {
        guard new > 0 else { return nil }
        // Between two rejects the share can only fall: it is judged at each, and where judging begins.
        let begin = max(0, Self.minRecords - records - 1)
        let early = numbers.count { $0 <= begin }
        let later = numbers[early...].enumerated().map { (place: $1, count: early + $0 + 1) }
        for (place, count) in [(begin, early)] + later where place < new {
            if Self.exceeds(most, rejected + count, of: records + place + 1) {
                return Self.sentence(rejected + count, of: records + place + 1)
            }
        }
        return nil
    }

    /// Divided, a share that was said in percent is met exactly.
    private static func exceeds(_ share: Double, _ rejected: Int, of records: Int) -> Bool {
        records > 0 && Double(rejected) / Double(records) > share
    }

    private static func sentence(_ rejected: Int, most: Int) -> String? {
        guard rejected > most else { return nil }
        let words = rejected == 1 ? "1 record was" : "\(rejected) records were"
        return "\(words) rejected, more than the \(most) allowed."
    }

    private static func sentence(_ rejected: Int, of records: Int) -> String {
        "\(rejected) of \(records) records were rejected, more than the share allowed."
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
            return Self.sentence(rejected, most: most)
        case .share(let most):
            // What was judged record by record stands; fewer than that takes are judged at the end alone.
            guard atEnd, Self.exceeds(most, rejected, of: records) else { return nil }
            return Self.sentence(rejected, of: records)
        case .shareOfLast(let most, let window):
            // Fewer than the window holds are judged at the end alone; more were, one by one.
            guard atEnd, records < window, Self.exceeds(most, rejected, of: records) else { return nil }
            return Self.sentence(rejected, ofLast: records)
        }
    }
}

/// Which of the last records were rejected, record by record.
struct RecentRejects: Sendable {
    /// Records so far.
    private var records = 0
    /// The rejected ones by their numbers, from 1; those before ``first`` are too long ago.
    private var numbers: [Int] = []
    private var first = 0

    /// Notes a batch.
    ///
    /// - Parameters:
    ///   - new: Records of the batch.
    ///   - rejected: Those of them that were rejected, by their numbers in the batch, from 0, rising.
    ///   - window: How many records are the last ones.
    ///   - isTooMany: Whether so many rejects are too many for a whole window.
    /// - Returns: How many there were where that was first too many.
    mutating func note(
        _ new: Int, _ rejected: [Int], of window: Int, isTooMany: (Int) -> Bool
    ) -> Int? {
        // Between two rejects the share can only fall: it is judged at each, and once where the window is first full.
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
