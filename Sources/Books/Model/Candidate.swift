package import Bytes

/// One provider's record about one row, as a set of values. Nothing is decided yet.
package struct Candidate: Sendable {
    /// The provider.
    package var provider: Provider
    /// The id of the provider's record, `OL7353617M`. Provider and id together identify the candidate
    /// permanently.
    package var record: Text
    /// Match by which the record was found.
    package var match: Match
    /// Whether the provider has only the edition (`true`) or also a record of the work (`false`).
    package var isSynthetic: Bool
    /// Its values, in ``MatchedRows/values``.
    package var values: Range<Int>

    /// Match by which a candidate was found.
    package enum Match: UInt8, Sendable, Hashable {
        /// By the record's ISBN. It is this book.
        case isbn = 1
        /// By normalized title and author. It may be another edition.
        case titleAuthor = 2
        /// By title and author, confirmed by the user in a review.
        case reviewed = 3
        /// By the Open Library key in the record. It is this book.
        case openLibraryKey = 4
        /// By another identifier in the record, such as Goodreads' Book Id. It is this book.
        case identifier = 5
        /// By title and author; year, pages, publisher and the like single out this edition.
        case titleAuthorEdition = 6

        /// Whether the record is of this edition, not only of its work.
        package var isOfEdition: Bool {
            switch self {
            case .isbn, .openLibraryKey, .identifier, .titleAuthorEdition: true
            case .titleAuthor, .reviewed: false
            }
        }

        /// Whether title and author decided.
        package var isByTitle: Bool {
            switch self {
            case .titleAuthor, .reviewed, .titleAuthorEdition: true
            case .isbn, .openLibraryKey, .identifier: false
            }
        }
    }

    /// A candidate whose values are already appended to the batch.
    package init(provider: Provider, record: Text, match: Match, isSynthetic: Bool, values: Range<Int>) {
        self.provider = provider
        self.record = record
        self.match = match
        self.isSynthetic = isSynthetic
        self.values = values
    }
}

/// One value of a field in a candidate.
package struct CandidateValue: Sendable, Hashable {
    /// The field. A field with several values has one ``CandidateValue`` per value.
    package var field: Field
    /// Index of the author within the candidate, from 0, if the field describes an author.
    package var author: UInt8
    /// The value as text, in the contract's form for the field.
    package var value: Text

    /// A value of a work, an edition or one of the authors.
    package init(_ field: Field, author: UInt8 = 0, _ value: Text) {
        self.field = field
        self.author = author
        self.value = value
    }
}

/// A provider of book data. The list is closed, because strict clients fail on other values of
/// `DataProvider`.
///
/// A catalog answers under the name of the provider whose dump it was built from.
package enum Provider: UInt8, Sendable, CaseIterable, Hashable {
    case openLibrary = 1
    case googleBooks, isbndb, gemini

    /// The contract's name for it.
    package var contractName: String {
        switch self {
        case .openLibrary: "openlibrary"
        case .googleBooks: "google-books"
        case .isbndb: "isbndb"
        case .gemini: "gemini"
        }
    }

    /// The name by which all catalogs are asked, among the names of providers.
    package static let catalogName = "catalog"
}
