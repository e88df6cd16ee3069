/// One thing to be asked of a service: what answers are kept under, and what is asked once however many want it.
package struct ServiceKey: Sendable, Hashable {
    /// What the text is. The name is stored.
    package enum Kind: String, Sendable, Hashable, CaseIterable {
        /// An ISBN-13.
        case isbn
        /// A service's own key of a work or an author.
        case work, author
        /// A title and an author, as they were asked for, parted by a tab.
        case title
        /// An item of Wikidata, and what leads to one: Open Library's key of an author, a name.
        case item, authorItems, nameItems

        /// All of them, in the order in which they are asked where several wait: what finishes a record goes before what
        /// begins another one, so that records are done one after the other and not all at the end.
        static let byUrgency: [Kind] = [.title, .author, .work, .isbn, .item, .authorItems, .nameItems]
    }

    package var kind: Kind
    package var text: String

    package init(_ kind: Kind, _ text: String) {
        self.kind = kind
        self.text = text
    }

    /// As it is stored: `isbn:9780441013593`.
    package var stored: String { "\(kind.rawValue):\(text)" }
}

/// What is known of a ``ServiceKey``.
package enum ServiceAnswer: Sendable, Hashable {
    /// The gist of what the service says of this key alone (``Service/gist(of:_:fetchedAt:)``); its own words, as JSON,
    /// for a kind of which no gist is made.
    case found(ArraySlice<UInt8>)
    /// The service does not know it.
    case notFound
    /// It did not say, for this reason: ask again another time.
    case unanswered(LookUpOutcome)

    /// The outcome in the words of reports.
    package var outcome: LookUpOutcome {
        switch self {
        case .found: .found
        case .notFound: .notFound
        case .unanswered(let outcome): outcome
        }
    }

    /// The gist of the service's words, where it found something.
    package var gist: ArraySlice<UInt8>? { if case .found(let gist) = self { gist } else { nil } }
}
