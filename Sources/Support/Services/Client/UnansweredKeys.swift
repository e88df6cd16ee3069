import System

/// Keys that a service left unanswered in a run, with the reasons. A pass that asks no service reports these.
///
/// Their number is limited. A service that is silent for a whole library is usually so for one reason. If
/// there are too many keys, those with that reason are dropped, and the reason is reported for all keys that
/// are not remembered. A few of them are kept, so that the reason is not lost if the service then stays
/// silent for another one.
struct UnansweredKeys: Sendable {
    /// With a lower limit there might be nothing to drop.
    private static let minimum = 32
    /// The new reason is the one dropped if it has at least 1/8 of the limit's keys. 1/32 of the limit is
    /// kept, because there are fewer than 32 reasons.
    private static let (droppedShare, keptShare) = (8, 32)

    private let limit: Int
    private var reasons: [ServiceKey: LookupOutcome] = [:]
    /// The reason of the dropped keys; nil if none were dropped.
    private var droppedReason: LookupOutcome?

    init(limit: Int) { self.limit = max(Self.minimum, limit) }

    /// Number of remembered keys.
    var count: Int { reasons.count }

    /// Why a key is unanswered; nil if it is not remembered.
    subscript(key: ServiceKey) -> LookupOutcome? { reasons[key] }

    /// Why a key is unanswered that is not remembered.
    var fallback: LookupOutcome { droppedReason ?? .skipped }

    /// Records the outcome of a key.
    mutating func note(_ key: ServiceKey, _ outcome: LookupOutcome) {
        if outcome.isAnswered {
            if !reasons.isEmpty { reasons[key] = nil }
        } else if droppedReason == nil && reasons.count < limit || reasons[key] != nil {
            reasons[key] = outcome
        } else if outcome != droppedReason {
            if reasons.count >= limit { makeRoom(for: outcome) }
            if outcome != droppedReason { reasons[key] = outcome }
        }
    }

    /// Drops the keys of one reason: of the new one, because it is likely to continue, or of the most common
    /// one if the new one is rare.
    private mutating func makeRoom(for outcome: LookupOutcome) {
        var counts: [LookupOutcome: Int] = [:]
        for reason in reasons.values { counts[reason, default: 0] += 1 }
        var dropped = outcome
        if counts[outcome, default: 0] < limit / Self.droppedShare {
            let commonest = counts.max { ($0.value, $0.key.rawValue) < ($1.value, $1.key.rawValue) }
            dropped = commonest?.key ?? outcome
        }
        var left = limit / Self.keptShare
        reasons = reasons.filter { _, reason in
            if reason == dropped { left -= 1 }
            return reason != dropped || left >= 0
        }
        droppedReason = dropped
    }
}

/// Keys with mismatches in a run. They are not asked for again in it.
///
/// Their number is limited. For other keys, the cached answer gives the same information, unless it still has
/// an earlier good answer. In that case the mismatch is not counted, and the key is asked for again.
struct MismatchedKeys: Sendable {
    private let limit: Int
    /// When the run began, in milliseconds since 1970.
    private let runStart: Int64
    private var answers: [ServiceKey: ServiceAnswer] = [:]

    /// - Parameter instant: When the run began, in milliseconds since 1970.
    init(limit: Int, since instant: Int64) {
        self.limit = limit
        runStart = instant
    }

    /// The answer to a key with a mismatch; nil if the key may be asked for.
    func answer(to key: ServiceKey, cached: CachedAnswer?) -> ServiceAnswer? {
        if let answer = answers[key] { return answer }
        guard answers.count >= limit, let cached, cached.mismatches > 0, cached.body == nil,
            cached.fetchedAt > runStart
        else { return nil }
        return Self.answer(cached)
    }

    /// The answer to report after a mismatch.
    static func answer(_ cached: CachedAnswer) -> ServiceAnswer { cached.answer ?? .unanswered(.malformed) }

    /// Records a mismatch.
    ///
    /// - Parameter kept: The answer to cache for it (``CachedAnswer/mismatch(after:at:)``).
    /// - Returns: Whether it may be cached. If not, the next mismatch in the same run would be counted again.
    mutating func note(_ key: ServiceKey, _ cached: CachedAnswer) -> Bool {
        if answers.count < limit || answers[key] != nil {
            answers[key] = Self.answer(cached)
            return true
        }
        return cached.body == nil
    }
}
