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
        guard answers.count >= limit, let kept, kept.wrongs > 0, kept.body == nil,
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
