package import Pipeline
package import Services

/// A cache of answers that is a dictionary.
package final class CacheInMemory: AnswerCache {
    private let kept = Guarded<[String: [ServiceKey: CachedAnswer]]>([:])

    package init() {}

    /// All answers, whichever service gave them.
    package var answers: [ServiceKey: CachedAnswer] {
        kept.withLock { kept in kept.values.reduce(into: [:]) { $0.merge($1) { first, _ in first } } }
    }

    package func keptAnswers(
        in form: AnswerFormat, _ keys: [ServiceKey]
    ) async throws(StageFailure) -> [CachedAnswer?] {
        kept.withLock { kept in keys.map { kept[form.service]?[$0] } }
    }

    package func keep(_ answers: [NewAnswer], in form: AnswerFormat) async throws(StageFailure) {
        kept.withLock { kept in
            for answer in answers { kept[form.service, default: [:]][answer.key] = answer.kept }
        }
    }
}
