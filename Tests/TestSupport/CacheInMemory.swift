package import Pipeline
package import Stages

/// A cache of answers that is a dictionary.
package final class CacheInMemory: AnswerCache {
    private let kept = Guarded<[String: [ServiceKey: KeptAnswer]]>([:])

    package init() {}

    /// All answers, whichever service gave them.
    package var answers: [ServiceKey: KeptAnswer] {
        kept.withLock { kept in kept.values.reduce(into: [:]) { $0.merge($1) { first, _ in first } } }
    }

    package func keptAnswers(
        of service: String, version: Int, _ keys: [ServiceKey]
    ) async throws(StageFailure) -> [ServiceKey: KeptAnswer] {
        let wanted = Set(keys)
        return kept.withLock { ($0[service] ?? [:]).filter { wanted.contains($0.key) } }
    }

    package func keep(
        _ answers: [NewAnswer], of service: String, version: Int
    ) async throws(StageFailure) {
        kept.withLock { kept in
            for answer in answers { kept[service, default: [:]][answer.key] = answer.kept }
        }
    }
}
