package import Pipeline

/// One service as the desk sees it: how it wants to be asked, and how its answers are told apart. All discipline
/// (cache, batches, pace, retries) is the desk's; a service is a value without state.
package protocol Service: Sendable {
    /// The name that answers are kept and figures are shown under: `openlibrary`.
    var name: String { get }
    /// Raised when a key's part of an answer is another than before: what is kept of old counts as absent.
    var version: Int { get }
    /// Raised when ``decoded(of:_:fetchedAt:)`` makes something else of the same words: gists that are kept of old are then
    /// made anew from the words beside them.
    var decoderVersion: Int { get }
    /// How fast and how often it may be asked. Who runs it may have other terms than the usual ones.
    var terms: ServiceLimits { get set }
    /// Who it is asked as, host and credential apart from others: `https://openlibrary.org`, and a digest of the key.
    var account: String { get }

    /// Keys of a kind that one request may ask for.
    func batchSize(of kind: ServiceKey.Kind) -> Int
    /// The request for some keys of one kind.
    func request(_ kind: ServiceKey.Kind, _ texts: [String]) -> HTTPRequest
    /// What a request for so many keys costs of the day's budget.
    func cost(of count: Int) -> Int
    /// Reads the answer of a 200: one for each text, in their order.
    func read(_ body: [UInt8], _ kind: ServiceKey.Kind, _ texts: [String]) -> ParsedResponse
    /// What a key's words come to: all that is wanted of them, in a form that needs no reading. It is made once, when an
    /// answer comes, and kept beside the words.
    ///
    /// - Parameter fetchedAt: When the words came, in milliseconds since 1970: what is made of them depends on no other
    ///   clock.
    /// - Returns: Empty where nothing can be made of them; nil for a kind whose words are wanted as they are.
    func decoded(of words: [UInt8], _ kind: ServiceKey.Kind, fetchedAt: Int64) -> [UInt8]?
}

extension Service {
    package func cost(of count: Int) -> Int { 1 }
    package var decoderVersion: Int { 0 }
    package func decoded(of words: [UInt8], _ kind: ServiceKey.Kind, fetchedAt: Int64) -> [UInt8]? { nil }

    /// Whose answers, and in what form they are of use.
    var form: AnswerFormat { AnswerFormat(service: name, version: version, decoderVersion: decoderVersion) }
}

/// What the body of a 200 turned out to be.
package enum ParsedResponse: Sendable, Hashable {
    /// One for each text: its own part of the body, nil where the service does not know it.
    case answers([ResponsePart])
    /// An error in the dress of an answer: too fast, come back after so many milliseconds.
    case throttled(Int64?)
    /// An error in the dress of an answer: refused for what was asked. One of the texts may have spoiled the batch.
    case refusedRequest
    /// Not what was asked for: cut off, HTML, another shape.
    case malformed
}

/// A key's part of an answer.
package enum ResponsePart: Sendable, Hashable {
    /// The service's own words, and their gist where reading them gave it.
    case found([UInt8], decoded: [UInt8]? = nil)
    case notFound
    /// Something else than was asked for: worth asking again, never to be attached.
    case wrong
}

/// One thing to be asked of a service: what answers are kept under, and what is asked once however many want it.
package struct ServiceKey: Sendable, Hashable {
    /// What the text is: an identifier, a title. Those who ask services declare their kinds.
    package struct Kind: Sendable, Hashable {
        /// The name it is stored under; kinds are told apart by it.
        package let name: String
        /// Where keys of several kinds wait, those of the lowest urgency number are asked first.
        package let urgency: Int
        /// Milliseconds for which an answer that found something is good.
        package let lifetime: Int64

        package init(_ name: String, urgency: Int, lifetime: Int64) {
            self.name = name
            self.urgency = urgency
            self.lifetime = lifetime
        }

        package static func == (a: Kind, b: Kind) -> Bool { a.name == b.name }
        package func hash(into hasher: inout Hasher) { hasher.combine(name) }
    }

    package var kind: Kind
    package var text: String

    package init(_ kind: Kind, _ text: String) {
        self.kind = kind
        self.text = text
    }

    /// As it is stored: `isbn:9780441013593`.
    package var stored: String { "\(kind.name):\(text)" }
}

/// What is known of a ``ServiceKey``.
package enum ServiceAnswer: Sendable, Hashable {
    /// The gist of what the service says of this key alone (``Service/decoded(of:_:fetchedAt:)``); its own words, as JSON,
    /// for a kind of which no gist is made.
    case found(ArraySlice<UInt8>)
    /// The service does not know it.
    case notFound
    /// It did not say, for this reason: ask again another time.
    case unanswered(LookupOutcome)

    /// The outcome in the words of reports.
    package var outcome: LookupOutcome {
        switch self {
        case .found: .found
        case .notFound: .notFound
        case .unanswered(let outcome): outcome
        }
    }

    /// The gist of the service's words, where it found something.
    package var decoded: ArraySlice<UInt8>? { if case .found(let decoded) = self { decoded } else { nil } }
}
