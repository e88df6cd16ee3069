package import Pipeline

/// What a service said of a key, as it is kept. One of the two is there.
package struct CachedBody: Sendable, Hashable {
    /// Its own words, as JSON; nil where they were left where they are kept, for their gist is there.
    package var words: [UInt8]?
    /// Their gist (``Service/decoded(of:_:fetchedAt:)``); nil where none is kept that is of use.
    package var decoded: ArraySlice<UInt8>?

    package init(words: [UInt8]?, decoded: ArraySlice<UInt8>? = nil) {
        self.words = words
        self.decoded = decoded
    }

    /// What whoever asks is given.
    fileprivate var use: ArraySlice<UInt8> { decoded ?? words?[...] ?? [] }
}

/// An answer as it was kept.
package struct CachedAnswer: Sendable, Hashable {
    /// What the service said; nil: it did not know the key.
    package var body: CachedBody?
    /// Milliseconds since 1970.
    package var fetchedAt: Int64
    /// Runs in which the service answered with another book since it gave the body, if it ever did.
    package var mismatches: Int

    package init(body: CachedBody?, fetchedAt: Int64, mismatches: Int = 0) {
        self.body = body
        self.fetchedAt = fetchedAt
        self.mismatches = mismatches
    }

    /// Runs in which a key may be answered with another book before it is no longer asked for.
    static let wrongLimit = 3

    /// nil where it is not settled yet: another book came, and the next run asks again.
    package var answer: ServiceAnswer? {
        guard mismatches > 0 else { return body.map { .found($0.use) } ?? .notFound }
        return mismatches < Self.wrongLimit ? nil : .unanswered(.wrongBook)
    }

    /// What does where nothing better is to be had: the answer that was good once. nil where there was none, and where
    /// the service has taken it back by other books in run after run.
    var standIn: ServiceAnswer? {
        guard mismatches < Self.wrongLimit else { return nil }
        if let body { return .found(body.use) }
        return mismatches == 0 ? .notFound : nil
    }

    /// What is kept when the service answers with another book: what was good stays, until there were too many.
    ///
    /// - Parameter now: Milliseconds since 1970.
    static func wrong(after before: CachedAnswer?, at now: Int64) -> CachedAnswer {
        let mismatches = (before?.mismatches ?? 0) + 1
        guard let before, before.body != nil, mismatches < wrongLimit else {
            return CachedAnswer(body: nil, fetchedAt: now, mismatches: mismatches)
        }
        return CachedAnswer(body: before.body, fetchedAt: before.fetchedAt, mismatches: mismatches)
    }

    /// How long answers are good (contract.md section 8): a book or a person for 7 days, a title 24 hours, and so long
    /// as well what was not found.
    package func isFresh(_ kind: ServiceKey.Kind, at now: Int64) -> Bool {
        let day: Int64 = 86_400_000
        let lifetime = body == nil ? day : kind.lifetime
        // One from the future is new: a clock that is set back makes no answer old, for all would be asked for at once.
        return fetchedAt > now - lifetime
    }
}

/// An answer to be kept.
package struct NewAnswer: Sendable, Hashable {
    package var key: ServiceKey
    package var kept: CachedAnswer
}

/// Where answers of services are kept between runs: the results store.
package protocol AnswerCache: Sendable {
    /// What is kept of some keys, stale answers too, in the keys' order; nil for a key of which nothing is.
    func cachedAnswers(
        in form: AnswerFormat, _ keys: [ServiceKey]
    ) async throws(StageFailure) -> [CachedAnswer?]

    /// Keeps answers; each replaces what was kept of its key.
    func keep(_ answers: [NewAnswer], in form: AnswerFormat) async throws(StageFailure)
}

/// Whose answers, and how they have to have been read to be of use.
package struct AnswerFormat: Sendable, Hashable {
    /// The service's name.
    package var service: String
    /// ``Service/version``: answers of another are absent.
    package var version: Int
    /// ``Service/decoderVersion``: gists of another are made anew.
    package var decoderVersion: Int

    package init(service: String, version: Int, decoderVersion: Int = 0) {
        self.service = service
        self.version = version
        self.decoderVersion = decoderVersion
    }
}
