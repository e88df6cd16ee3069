package import System

/// One service as its client sees it: how requests are made and how responses are split by key. Cache,
/// batches, rate limits and retries are the client's task; a service is a value without state.
package protocol Service: Sendable {
    /// The name under which answers are cached and metrics are shown: `openlibrary`.
    var name: String { get }
    /// Increased when the part of a response for a key changes. Answers cached under an older version count
    /// as absent.
    var version: Int { get }
    /// Increased when ``decoded(of:_:fetchedAt:)`` gives a different result for the same response. Cached
    /// answers of an older version are then decoded again from the cached response.
    var decoderVersion: Int { get }
    /// Rate limits and daily budget. The user's configuration may differ from the defaults.
    var limits: ServiceLimits { get set }
    /// Its account: the host, and a digest of the key if there is one: `https://openlibrary.org`.
    var account: String { get }

    /// Maximum number of keys of a kind per request.
    func batchSize(of kind: ServiceKey.Kind) -> Int
    /// Whether the request for a key of this kind is for the address of one record, which has the key in its
    /// path: `/works/OL1W.json`. Only then do the statuses 404 and 410 mean that there is no such record. For
    /// the address of a search, or of many records, they are a failure.
    func hasRecordAddresses(of kind: ServiceKey.Kind) -> Bool
    /// Whether its requests have no key and no account. If it forbids one then, it means the address and not us.
    var isAnonymous: Bool { get }
    /// The request for keys of one kind.
    func request(_ kind: ServiceKey.Kind, _ texts: [String]) -> HTTPRequest
    /// Cost of a request for this many keys, in units of the daily budget.
    func cost(of count: Int) -> Int
    /// Parses the body of a response with status 200: one part for each text, in order.
    func read(_ body: [UInt8], _ kind: ServiceKey.Kind, _ texts: [String]) -> ParsedResponse
    /// Meaning of an error response according to its text; nil if the status is enough.
    ///
    /// - Parameter text: The beginning of the body, in lower case.
    func refusal(status: Int, text: String) -> ServiceRefusal?
    /// Decodes the response for a key into a packed form with everything that is needed of it. Done once when
    /// the response arrives; the result is cached next to the response.
    ///
    /// - Parameter fetchedAt: When the response arrived, in milliseconds since 1970. The result depends on no
    ///   other clock.
    /// - Returns: Empty if the response is unusable; nil for a kind whose responses are used undecoded.
    func decoded(of words: [UInt8], _ kind: ServiceKey.Kind, fetchedAt: Int64) -> [UInt8]?
}

extension Service {
    package func cost(of count: Int) -> Int { 1 }
    package var isAnonymous: Bool { false }
    package func hasRecordAddresses(of kind: ServiceKey.Kind) -> Bool { false }
    package var decoderVersion: Int { 0 }
    package func refusal(status: Int, text: String) -> ServiceRefusal? { nil }
    package func decoded(of words: [UInt8], _ kind: ServiceKey.Kind, fetchedAt: Int64) -> [UInt8]? { nil }

    /// Identifies the service's answers in the cache.
    package var form: AnswerFormat {
        AnswerFormat(service: name, version: version, decoderVersion: decoderVersion)
    }
}

/// Why a service refuses a request, as only its own words tell.
package enum ServiceRefusal: Sendable, Hashable {
    /// The credentials were rejected.
    case credentials
    /// The daily budget is spent.
    case dailyBudget
}

/// Content of a response's body with status 200.
package enum ParsedResponse: Sendable, Hashable {
    /// One part of the body for each text.
    case answers([ResponsePart])
    /// The body contains an error: too many requests. The value is the pause that the service asks for, in
    /// milliseconds.
    case throttled(Int64?)
    /// The body contains an error: the servers are overloaded by all their clients. The value is the pause
    /// that the service asks for, in milliseconds.
    case overloaded(Int64?)
    /// The body contains an error: the service refused the request because of its content. One of the texts
    /// may have made the batch fail.
    case refusedRequest
    /// Unusable: truncated, HTML, or another structure.
    case malformed
}

/// The part of a response for one key.
package enum ResponsePart: Sendable, Hashable {
    /// The response for this key, and its decoded form if parsing already produced it.
    case found([UInt8], decoded: [UInt8]? = nil)
    case notFound
    /// The response is about something other than the key. Worth asking again, but never used.
    case mismatch
}

/// The answer to a ``ServiceKey``.
package enum ServiceAnswer: Sendable, Hashable {
    /// The decoded answer (``Service/decoded(of:_:fetchedAt:)``), or the response as JSON for a kind that is
    /// not decoded.
    case found(ArraySlice<UInt8>)
    /// The service does not know it.
    case notFound
    /// There is no answer, for this reason. Ask again another time.
    case unanswered(LookupOutcome)

    /// The outcome, as used in reports.
    package var outcome: LookupOutcome {
        switch self {
        case .found: .found
        case .notFound: .notFound
        case .unanswered(let outcome): outcome
        }
    }

    /// The decoded answer, if the service found something.
    package var decoded: ArraySlice<UInt8>? { if case .found(let decoded) = self { decoded } else { nil } }
}
