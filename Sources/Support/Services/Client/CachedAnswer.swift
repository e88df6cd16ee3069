package import System

/// A service's answer to a key, as cached. At least one of the two forms is present.
package struct CachedBody: Sendable, Hashable {
    /// The service's response for this key, as JSON. Nil if it was not read from the cache because the
    /// decoded form is there.
    package var words: [UInt8]?
    /// The decoded form (``Service/decoded(of:_:fetchedAt:)``); nil if no usable one is cached.
    package var decoded: ArraySlice<UInt8>?

    package init(words: [UInt8]?, decoded: ArraySlice<UInt8>? = nil) {
        self.words = words
        self.decoded = decoded
    }

    /// Content for callers.
    fileprivate var content: ArraySlice<UInt8> { decoded ?? words?[...] ?? [] }
}

/// An answer as it was cached.
package struct CachedAnswer: Sendable, Hashable {
    /// The service's answer; nil if it did not know the key.
    package var body: CachedBody?
    /// Milliseconds since 1970.
    package var fetchedAt: Int64
    /// Number of runs in which the service answered with something else, counted from when it returned the
    /// body, if it ever did.
    package var mismatches: Int
    /// Nil if the service sent none, or if the answer is a part of a response to several keys.
    package var validator: CacheValidator?

    package init(
        body: CachedBody?, fetchedAt: Int64, mismatches: Int = 0, validator: CacheValidator? = nil
    ) {
        self.body = body
        self.validator = validator
        self.fetchedAt = fetchedAt
        self.mismatches = min(max(0, mismatches), Self.mismatchLimit)
    }

    /// Number of runs with mismatches after which a key is no longer asked for.
    static let mismatchLimit = 3

    /// The answer. Nil if it is not settled: something else was returned, and the next run asks again.
    package var answer: ServiceAnswer? {
        guard mismatches > 0 else { return body.map { .found($0.content) } ?? .notFound }
        return mismatches < Self.mismatchLimit ? nil : .unanswered(.mismatch)
    }

    /// The earlier good answer, used if no fresh one is available. Nil if there is none, or if the service
    /// has returned something else in ``mismatchLimit`` runs.
    var standIn: ServiceAnswer? {
        guard mismatches < Self.mismatchLimit else { return nil }
        if let body { return .found(body.content) }
        return mismatches == 0 ? .notFound : nil
    }

    /// Entry to cache if the service answers with something else: the good answer stays until there were too
    /// many mismatches.
    ///
    /// - Parameter now: Milliseconds since 1970.
    static func mismatch(after before: CachedAnswer?, at now: Int64) -> CachedAnswer {
        let mismatches = (before?.mismatches ?? 0) + 1
        guard let before, before.body != nil, mismatches < mismatchLimit else {
            return CachedAnswer(body: nil, fetchedAt: now, mismatches: mismatches)
        }
        return CachedAnswer(
            body: before.body, fetchedAt: before.fetchedAt, mismatches: mismatches,
            validator: before.validator)
    }

    /// The same answer, which the service has confirmed.
    ///
    /// - Parameter now: Milliseconds since 1970.
    func confirmed(at now: Int64) -> CachedAnswer {
        CachedAnswer(body: body, fetchedAt: now, validator: validator)
    }

    /// Lifetime of "not found", in milliseconds: a day.
    package static let absenceLifetime: Int64 = 86_400_000

    /// Whether the answer is still valid: for its kind's lifetime, or a day if nothing was found.
    package func isFresh(_ kind: ServiceKey.Kind, at now: Int64) -> Bool {
        let lifetime = body == nil ? Self.absenceLifetime : kind.lifetime
        // An answer from the future is fresh. Otherwise setting the clock back would make all answers stale,
        // and all would be asked for again at once.
        return fetchedAt > now - lifetime
    }
}

/// An answer to cache.
package struct NewAnswer: Sendable, Hashable {
    package var key: ServiceKey
    package var cached: CachedAnswer
}

/// Storage of services' answers between runs: the results store.
package protocol AnswerCache: Sendable {
    /// The cached answers for keys, including stale ones, in the keys' order; nil for a key without one.
    func cachedAnswers(
        in form: AnswerFormat, _ keys: [ServiceKey]
    ) async throws(ETLError) -> [CachedAnswer?]

    /// Caches answers. Each replaces the cached answer of its key.
    func save(_ answers: [NewAnswer], in form: AnswerFormat) async throws(ETLError)
}

/// Identifies the answers of a service and the versions in which they are usable.
package struct AnswerFormat: Sendable, Hashable {
    /// The service's name.
    package var service: String
    /// ``Service/version``. Answers of other versions count as absent.
    package var version: Int
    /// ``Service/decoderVersion``. Answers decoded by other versions are decoded again.
    package var decoderVersion: Int

    package init(service: String, version: Int, decoderVersion: Int = 0) {
        self.service = service
        self.version = version
        self.decoderVersion = decoderVersion
    }
}
