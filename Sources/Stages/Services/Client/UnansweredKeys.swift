/// Keys that a service has left open in a run, and why: what a pass that asks nobody tells of them.
///
/// So many are remembered and no more. Who is silent for a whole library is so for one reason: of more keys, those
/// with that reason are forgotten, and it is said of all keys of which nothing is remembered. A few of them stay even
/// so: when the silence goes on for another reason, the first is not forgotten altogether.
struct UnansweredKeys: Sendable {
    /// Below this many there would not always be some to forget.
    private static let fewest = 16
    /// What part of all it takes for a reason to be that of the silence, and what part of all stays of it.
    private static let (silence, rest) = (8, 16)

    private let limit: Int
    private var reasons: [ServiceKey: LookupOutcome] = [:]
    /// What is said of keys that were forgotten; nil while none is.
    private var forgotten: LookupOutcome?

    init(limit: Int) { self.limit = max(Self.fewest, limit) }

    /// Keys that are remembered.
    var count: Int { reasons.count }

    /// Why a key is open; nil where nothing is remembered of it.
    subscript(key: ServiceKey) -> LookupOutcome? { reasons[key] }

    /// Why a key is open of which nothing is remembered.
    var fallback: LookupOutcome { forgotten ?? .skipped }

    /// Takes note of what came of a key.
    mutating func note(_ key: ServiceKey, _ outcome: LookupOutcome) {
        if outcome.isSettled {
            if !reasons.isEmpty { reasons[key] = nil }
        } else if forgotten == nil && reasons.count < limit || reasons[key] != nil {
            reasons[key] = outcome
        } else if outcome != forgotten {
            if reasons.count >= limit { makeRoom(for: outcome) }
            if outcome != forgotten { reasons[key] = outcome }
        }
    }

    /// Forgets keys of one reason: of the one that comes, for it is likely to go on, or of the commonest where that one
    /// is rare.
    private mutating func makeRoom(for outcome: LookupOutcome) {
        var counts: [LookupOutcome: Int] = [:]
        for reason in reasons.values { counts[reason, default: 0] += 1 }
        var dropped = outcome
        if counts[outcome, default: 0] < limit / Self.silence {
            let commonest = counts.max { ($0.value, $0.key.rawValue) < ($1.value, $1.key.rawValue) }
            dropped = commonest?.key ?? outcome
        }
        var left = limit / Self.rest
        reasons = reasons.filter { _, reason in
            if reason == dropped { left -= 1 }
            return reason != dropped || left >= 0
        }
        forgotten = dropped
    }
}

/// Keys in whose place other books came in a run: they are not asked for again in it.
///
/// So many are remembered and no more; of others, what is kept tells as much. Only where a good answer still stands it
/// does not: there the other book is not counted, and the key is asked for again.
struct MismatchedKeys: Sendable {
    private let limit: Int
    /// When the run began, in milliseconds since 1970.
    private let beginning: Int64
    private var answers: [ServiceKey: ServiceAnswer] = [:]

    /// - Parameter instant: When the run began, in milliseconds since 1970.
    init(limit: Int, since instant: Int64) {
        self.limit = limit
        beginning = instant
    }

    /// What the run makes of a key; nil for one that may be asked for.
    func answer(to key: ServiceKey, kept: CachedAnswer?) -> ServiceAnswer? {
        if let answer = answers[key] { return answer }
        guard answers.count >= limit, let kept, kept.mismatches > 0, kept.body == nil,
            kept.fetchedAt > beginning
        else { return nil }
        return Self.answer(kept)
    }

    /// What whoever asks for a key is told when another book came in its place.
    static func answer(_ kept: CachedAnswer) -> ServiceAnswer { kept.answer ?? .unanswered(.malformed) }

    /// Takes note of another book's answer.
    ///
    /// - Parameter kept: What is to be kept of it (``CachedAnswer/wrong(after:at:)``).
    /// - Returns: Whether it may be: what would be counted again with the next such answer may not.
    mutating func note(_ key: ServiceKey, _ kept: CachedAnswer) -> Bool {
        if answers.count < limit || answers[key] != nil {
            answers[key] = Self.answer(kept)
            return true
        }
        return kept.body == nil
    }
}
