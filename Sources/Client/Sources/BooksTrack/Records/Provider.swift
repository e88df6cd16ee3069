/// A source of data about books.
public enum Provider: RawRepresentable, Codable, Sendable, Hashable {
    /// Open Library.
    case openLibrary
    /// Google Books.
    case googleBooks
    /// ISBNdb.
    case isbndb
    /// Wikidata, for authors.
    case wikidata
    /// One that this client does not know, such as the user's file or a catalog.
    case unknown(String)

    /// The providers that this client knows.
    static let known: [Provider] = [.openLibrary, .googleBooks, .isbndb, .wikidata]

    /// A provider by its name: `google-books`. Underscores stand for hyphens.
    public init(rawValue: String) {
        self = Self.known.first { $0.rawValue == rawValue.replacing("_", with: "-") } ?? .unknown(rawValue)
    }

    /// The service's own spelling.
    public var rawValue: String {
        switch self {
        case .openLibrary: "openlibrary"
        case .googleBooks: "google-books"
        case .isbndb: "isbndb"
        case .wikidata: "wikidata"
        case .unknown(let name): name
        }
    }
}

/// The form in which an edition is published.
public enum EditionFormat: RawRepresentable, Codable, Sendable, Hashable {
    /// A book with a hard cover.
    case hardcover
    /// A book with a soft cover.
    case paperback
    /// An electronic book.
    case ebook
    /// A recording.
    case audiobook
    /// A small, cheap paperback.
    case massMarket
    /// One that this client does not know.
    case unknown(String)

    /// The formats that this client knows.
    static let known: [EditionFormat] = [.hardcover, .paperback, .ebook, .audiobook, .massMarket]

    /// A format by its name: `E-book`.
    public init(rawValue: String) {
        self = Self.known.first { $0.rawValue == rawValue } ?? .unknown(rawValue)
    }

    /// The service's own spelling.
    public var rawValue: String {
        switch self {
        case .hardcover: "Hardcover"
        case .paperback: "Paperback"
        case .ebook: "E-book"
        case .audiobook: "Audiobook"
        case .massMarket: "Mass Market"
        case .unknown(let name): name
        }
    }
}

/// How far a work can be trusted.
public enum ReviewStatus: RawRepresentable, Codable, Sendable, Hashable {
    /// The sources agree.
    case verified
    /// A person should look at it.
    case needsReview
    /// A person has corrected it.
    case userEdited
    /// One that this client does not know.
    case unknown(String)

    /// The values that this client knows.
    static let known: [ReviewStatus] = [.verified, .needsReview, .userEdited]

    /// A value by its name: `needsReview`.
    public init(rawValue: String) {
        self = Self.known.first { $0.rawValue == rawValue } ?? .unknown(rawValue)
    }

    /// The service's own spelling.
    public var rawValue: String {
        switch self {
        case .verified: "verified"
        case .needsReview: "needsReview"
        case .userEdited: "userEdited"
        case .unknown(let name): name
        }
    }
}
