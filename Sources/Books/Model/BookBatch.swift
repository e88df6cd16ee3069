package import Bytes
import Pipeline

/// Merged books, one per row. This is the last payload before the results are composed.
package struct BookBatch: Payload {
    /// The rows and candidates that the books were made from.
    package var matched: MatchedRows
    /// One per row, in the same order.
    package var books: [Book]
    /// Values of all books.
    package var values: [BookValue]
    /// Authors of all books.
    package var authors: [BookAuthor]

    /// A batch for the rows of `matched`.
    package init(
        matched: MatchedRows, books: [Book] = [], values: [BookValue] = [], authors: [BookAuthor] = []
    ) {
        self.matched = matched
        self.books = books
        self.values = values
        self.authors = authors
    }

    /// The batch's one arena; its rows own it.
    package var arena: Arena {
        get { matched.library.arena }
        _modify { yield &matched.library.arena }
    }

    /// Number of books; equal to the number of rows.
    package var count: Int { books.count }
    /// Bytes of the rows with their candidates, and of books, values and authors.
    package var byteCount: Int {
        matched.byteCount + books.count * MemoryLayout<Book>.stride
            + values.count * MemoryLayout<BookValue>.stride
            + authors.count * MemoryLayout<BookAuthor>.stride
    }
}

/// The result of merging a row with its candidates: a work, an edition and authors. Each value has an origin.
package struct Book: Sendable {
    /// Chosen values of work and edition, in ``BookBatch/values``. They are ordered by field; values of a
    /// repeated field are ordered by rank.
    package var values: Range<Int>
    /// Its authors and contributors, in ``BookBatch/authors``, in order.
    package var authors: Range<Int>
    /// Whether no provider has a record of the work itself.
    package var isSynthetic: Bool
    /// The provider of the work; nil if no provider matched.
    package var primaryProvider: Provider?
    /// All providers that contributed a value, in order of preference.
    package var contributors: [Provider]
    /// Match of the record, and whether the user should review it.
    package var reviewStatus: ReviewStatus
    /// Completeness of the work, 0–100 (`isbndbQuality` in the contract).
    package var quality: UInt8

    /// A book whose values and authors are already appended to the batch.
    package init(
        values: Range<Int>, authors: Range<Int>, isSynthetic: Bool, primaryProvider: Provider?,
        contributors: [Provider], reviewStatus: ReviewStatus, quality: UInt8
    ) {
        self.values = values
        self.authors = authors
        self.isSynthetic = isSynthetic
        self.primaryProvider = primaryProvider
        self.contributors = contributors
        self.reviewStatus = reviewStatus
        self.quality = quality
    }
}

/// A value, its origin, and the rule that chose it.
package struct BookValue: Sendable, Hashable {
    /// The field. A field with several values has one ``BookValue`` per value.
    package var field: Field
    /// The value as text, in the contract's form for the field.
    package var value: Text
    /// The source of the value.
    package var origin: FieldOrigin
    /// The rule that chose it.
    package var rule: MergeRule

    /// A value with its lineage.
    package init(_ field: Field, _ value: Text, from origin: FieldOrigin, by rule: MergeRule) {
        self.field = field
        self.value = value
        self.origin = origin
        self.rule = rule
    }
}

/// Origin of a value: the user's row, or one of the row's candidates.
package enum FieldOrigin: Sendable, Hashable {
    case row
    /// Index of the candidate among those of the row, from 0.
    case candidate(UInt8)
}

/// An author of a book, with the known facts of the person.
package struct BookAuthor: Sendable, Hashable {
    /// Name in reading order, as the source spells it.
    package var name: Text
    /// The person's role in the book.
    package var role: ContributorRole
    /// Open Library's key, `OL34184A`; empty if only the name is known.
    package var key: Text
    /// The Wikidata item in a provider's record, `Q42`.
    package var wikidata: Text
    /// The year of birth in a provider's record.
    package var birthYear: Int32?
    /// The year of death in a provider's record.
    package var deathYear: Int32?
    /// Which source names the person. All authors of a book come from one source.
    package var origin: FieldOrigin
    /// Wikidata's facts about the person; empty until ``EnrichAuthors`` has identified them.
    package var culture: Culture
    /// How the person was identified, or why not.
    package var identification: Identification

    /// A person that was not looked up yet.
    package init(
        name: Text, role: ContributorRole, key: Text = .none, wikidata: Text = .none,
        birthYear: Int32? = nil, deathYear: Int32? = nil, origin: FieldOrigin
    ) {
        self.name = name
        self.role = role
        self.key = key
        self.wikidata = wikidata
        self.birthYear = birthYear
        self.deathYear = deathYear
        self.origin = origin
        culture = Culture()
        identification = .notTried
    }
}

/// How an author was matched with a person of Wikidata, or why not. Raw values are stored.
package enum Identification: UInt8, Sendable, CaseIterable, Hashable {
    case notTried = 0
    /// The provider's author record names the Wikidata item.
    case providerNamesItem
    /// The Wikidata item names the Open Library author (P648).
    case itemNamesAuthor
    /// Another external identifier agrees (VIAF, ISNI, Goodreads …).
    case identifier
    /// Name and year of birth or death agree.
    case nameAndYear
    /// Name and the title of a work agree.
    case nameAndTitle
    /// Refused: only the name agrees.
    case refusedNameAlone
    /// Refused: several people fit.
    case refusedAmbiguous
    /// Refused: identifiers contradict each other.
    case refusedContradiction
    /// Wikidata has no person with this name or key.
    case unknownPerson
    /// The name is not a person's: `Various`, `Anonymous`.
    case notAPerson

    /// Whether the author was identified, and so is enriched.
    package var isAccepted: Bool {
        switch self {
        case .providerNamesItem, .itemNamesAuthor, .identifier, .nameAndYear, .nameAndTitle: true
        default: false
        }
    }
}

/// The rule that chose a value. Raw values are stored in the lineage.
package enum MergeRule: UInt8, Sendable, CaseIterable, Hashable {
    /// The only value, or the row's own.
    case given = 1
    /// The first non-empty value in the order of the providers.
    case firstInOrder
    /// The longest text.
    case longest
    /// Part of a union.
    case union
    /// From the provider preferred for this field.
    case preferredProvider
    /// From the user's row, because no provider had a value.
    case filledFromRow
    /// From the row's shelves, because no provider had a genre.
    case fromShelves
    /// Converted to its canonical form.
    case normalized
    /// A default. Stores of earlier versions have a format that no source stated.
    case assumed
    /// Repaired from a damaged cell.
    case repaired
    /// The value most providers have.
    case majority
    /// The earliest date.
    case earliest
    /// The latest date.
    case newest
    /// Set by the user.
    case edited
}

/// Trustworthiness of a record.
package enum ReviewStatus: UInt8, Sendable, CaseIterable, Hashable {
    /// A provider matched by ISBN.
    case verified
    /// Matched by title and author, or not matched.
    case needsReview
    /// Matched by title and author, and confirmed by the user in a review.
    case userEdited

    /// The contract's name for it.
    package var contractName: String {
        switch self {
        case .verified: "verified"
        case .needsReview: "needsReview"
        case .userEdited: "userEdited"
        }
    }
}
