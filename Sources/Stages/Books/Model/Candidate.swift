public import Bytes

/// One provider's answer about one record: a bag of values, before anything is decided.
public struct Candidate: Sendable {
    /// Who answered.
    public var provider: Provider
    /// The provider's own record, `OL7353617M`: with the provider it names the candidate for good.
    public var record: Text
    /// How the record was found.
    public var match: Match
    /// Whether the provider knows works of its own (`false`), or only editions (`true`, contract.md section 5).
    public var isSynthetic: Bool
    /// Its values, in ``MatchedRows/values``.
    public var values: Range<Int>

    /// How a candidate was found.
    public enum Match: UInt8, Sendable, Hashable {
        /// By the record's ISBN: it is this book.
        case isbn = 1
        /// By normalized title and author: it may be another edition.
        case titleAuthor = 2
        /// By title and author, and the reader said in a review that it is this one.
        case reviewed = 3
        /// By the Open Library key that the record has: it is this book.
        case openLibraryKey = 4
    }

    /// A candidate whose values are appended to its batch's.
    public init(provider: Provider, record: Text, match: Match, isSynthetic: Bool, values: Range<Int>) {
        self.provider = provider
        self.record = record
        self.match = match
        self.isSynthetic = isSynthetic
        self.values = values
    }
}

/// A field's value as a candidate offers it.
public struct CandidateValue: Sendable, Hashable {
    /// Which field it is a value of; a field with several values has one of these for each.
    public var field: Field
    /// Which of the candidate's authors, from 0, for a field of an author.
    public var author: UInt8
    /// The value as text, in the form the contract has for the field.
    public var value: Text

    /// A value of a work or an edition, or of one of the authors.
    public init(_ field: Field, author: UInt8 = 0, _ value: Text) {
        self.field = field
        self.author = author
        self.value = value
    }
}

/// Who answers look-ups (contract.md section 3, `DataProvider`): a closed list, strict clients fail on any other.
///
/// The offline catalog answers under the name of the provider whose dump it was built from.
public enum Provider: UInt8, Sendable, CaseIterable, Hashable {
    case openLibrary = 1
    case googleBooks, isbndb, gemini

    /// The contract's spelling, with hyphens.
    public var contractName: String {
        switch self {
        case .openLibrary: "openlibrary"
        case .googleBooks: "google-books"
        case .isbndb: "isbndb"
        case .gemini: "gemini"
        }
    }
}
