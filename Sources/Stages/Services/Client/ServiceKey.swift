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
    /// The gist of what the service says of this key alone (``Service/gist(of:_:fetchedAt:)``); its own words, as JSON,
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
    package var gist: ArraySlice<UInt8>? { if case .found(let gist) = self { gist } else { nil } }
}
