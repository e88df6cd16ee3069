package import Pipeline

/// Where answers of services are kept between runs: the results store.
package protocol AnswerCache: Sendable {
    /// What is kept of some keys, stale answers too; absent keys are left out.
    func keptAnswers(
        of service: String, version: Int, _ keys: [ServiceKey]
    ) async throws(StageFailure) -> [ServiceKey: KeptAnswer]

    /// Keeps answers; each replaces what was kept of its key.
    func keep(_ answers: [NewAnswer], of service: String, version: Int) async throws(StageFailure)
}

/// An answer as it was kept.
package struct KeptAnswer: Sendable, Hashable {
    /// The service's words; nil: it did not know the key.
    package var body: [UInt8]?
    /// Milliseconds since 1970.
    package var fetchedAt: Int64
    /// Runs in which the service answered with another book, and with nothing else.
    package var wrongs: Int

    package init(body: [UInt8]?, fetchedAt: Int64, wrongs: Int = 0) {
        self.body = body
        self.fetchedAt = fetchedAt
        self.wrongs = wrongs
    }

    /// Runs in which a key may be answered with another book before it is no longer asked for.
    static let wrongLimit = 3

    /// nil where it is not settled yet: another book came, and the next run asks again.
    var answer: ServiceAnswer? {
        guard wrongs > 0 else { return body.map { .found($0) } ?? .notFound }
        return wrongs < Self.wrongLimit ? nil : .unanswered(.wrongBook)
    }

    /// How long answers are good (contract.md section 8): a book or a person for 7 days, a title 24 hours, and so long
    /// as well what was not found.
    func isFresh(_ kind: ServiceKey.Kind, at now: Int64) -> Bool {
        let day: Int64 = 86_400_000
        let lifetime = body == nil || kind == .title || kind == .nameItems ? day : 7 * day
        // Kept in what is now the future: the clock was set back, and nobody knows how old it is.
        return fetchedAt <= now && now - fetchedAt < lifetime
    }
}

/// An answer to be kept.
package struct NewAnswer: Sendable, Hashable {
    package var key: ServiceKey
    package var kept: KeptAnswer
}
