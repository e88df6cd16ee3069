import Books
import Bytes
import Services
import System

/// The answer cache of a forecast. It has the fresh answers of a store, and counts the distinct keys that an
/// import would need, and those among them that it would ask the services for.
final class ForecastCache: AnswerCache {
    typealias Reader =
        @Sendable (AnswerFormat, [ServiceKey]) async throws(ETLError) -> [CachedAnswer?]

    /// Keys of one kind at one service.
    struct Counts: Sendable, Hashable {
        var needed = 0
        /// Those without a fresh answer.
        var open = 0
        var cached: Int { needed - open }
    }

    private struct State: Sendable {
        /// Hashes of the keys that were counted. Each takes eight bytes.
        var seen: Set<UInt64> = []
        var counts: [String: [String: Counts]] = [:]
    }

    private let read: Reader?
    private let now: Int64
    private let state = Guarded(State())

    /// - Parameters:
    ///   - read: Reads the store's answers; nil if there is no store yet.
    ///   - now: Milliseconds since 1970.
    init(_ read: Reader?, now: Int64) {
        self.read = read
        self.now = now
    }

    func cachedAnswers(
        in form: AnswerFormat, _ keys: [ServiceKey]
    ) async throws(ETLError) -> [CachedAnswer?] {
        var answers = try await read?(form, keys) ?? Array(repeating: nil, count: keys.count)
        for (index, key) in keys.enumerated() {
            guard let answer = answers[index] else { continue }
            if answer.answer == nil || !answer.isFresh(key.kind, at: now) { answers[index] = nil }
        }
        state.withLock { state in
            let service = KeyHash.hash(Array(form.service.utf8))
            for (key, answer) in zip(keys, answers) {
                let hash = KeyHash.hash(Array(key.stored.utf8), seed: service)
                guard state.seen.insert(hash).inserted else { continue }
                state.counts[form.service, default: [:]][key.kind.name, default: Counts()].needed += 1
                guard answer == nil else { continue }
                state.counts[form.service]?[key.kind.name]?.open += 1
            }
        }
        return answers
    }

    /// Nothing is asked for, so nothing is saved.
    func save(_ answers: [NewAnswer], in form: AnswerFormat) async throws(ETLError) {}

    /// What was counted of a kind at a service.
    func counts(_ kind: ServiceKey.Kind, of service: String) -> Counts {
        state.withLock { $0.counts[service]?[kind.name] } ?? Counts()
    }
}
