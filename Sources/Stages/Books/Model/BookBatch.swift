public import Bytes
public import Pipeline

/// Merged books, one for each row: the last shape of what travels.
public struct BookBatch: Payload {
    /// The rows and candidates that the books were made of.
    public var matched: MatchedRows
    /// One for each row, in the same order.
    public var books: [Book]
    /// Values of all books.
    public var values: [BookValue]
    /// Authors of all books.
    public var authors: [BookAuthor]

    /// Books of all rows of `matched`.
    public init(
        matched: MatchedRows, books: [Book] = [], values: [BookValue] = [], authors: [BookAuthor] = []
    ) {
        self.matched = matched
        self.books = books
        self.values = values
        self.authors = authors
    }

    /// The batch's one arena, which is that of its rows.
    public var arena: Arena {
        get { matched.library.arena }
        _modify { yield &matched.library.arena }
    }

    /// Books, which are as many as rows.
    public var count: Int { books.count }
    /// Bytes of the rows with their candidates, and of books, values and authors.
    public var byteCount: Int {
        matched.byteCount + books.count * MemoryLayout<Book>.stride
            + values.count * MemoryLayout<BookValue>.stride
            + authors.count * MemoryLayout<BookAuthor>.stride
    }
}

/// What a merge made of a row and its candidates: a work, an edition and authors, each value with its origin.
public struct Book: Sendable {
    /// Chosen values of work and edition, in ``BookBatch/values``, ordered by field and, where a field repeats, by rank.
    public var values: Range<Int>
    /// Its people, in ``BookBatch/authors``, in order.
    public var authors: Range<Int>
    /// Whether no provider knows the work as such (contract.md section 5).
    public var isSynthetic: Bool
    /// Who gave the work; nil where no provider matched.
    public var primaryProvider: Provider?
    /// Everyone who gave any value, in order of preference.
    public var contributors: [Provider]
    /// Whether somebody should have a look at it.
    public var reviewStatus: ReviewStatus
    /// Completeness of the work, 0–100 (`isbndbQuality`).
    public var quality: UInt8

    /// What the merge decided, its values and authors appended before.
    public init(
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

/// A value and where it comes from.
public struct BookValue: Sendable, Hashable {
    /// Which field it is the value of; a field with several values has one of these for each.
    public var field: Field
    /// The value as text, in the form the contract has for the field.
    public var value: Text
    /// Who gave it.
    public var origin: FieldOrigin
    /// Why it was taken.
    public var rule: MergeRule

    /// A value with its lineage.
    public init(_ field: Field, _ value: Text, from origin: FieldOrigin, by rule: MergeRule) {
        self.field = field
        self.value = value
        self.origin = origin
        self.rule = rule
    }
}

/// Where a value comes from: the reader's own row, or one of the row's candidates.
public enum FieldOrigin: Sendable, Hashable {
    case row
    /// Number of the candidate among those of the row, from 0.
    case candidate(UInt8)
}

/// An author of a book with what is known of the person.
public struct BookAuthor: Sendable, Hashable {
    /// Name in reading order, as the source spells it.
    public var name: Text
    /// What the person did for the book.
    public var role: ContributorRole
    /// Open Library's key, `OL34184A`; empty where the author is known by name only.
    public var key: Text
    /// Wikidata item a provider's record names, `Q42`.
    public var wikidata: Text
    /// Years a provider's record names.
    public var birthYear: Int32?
    /// Year of death a provider's record names; nil where none does.
    public var deathYear: Int32?
    /// Who names the person: all authors of a book come from one source.
    public var origin: FieldOrigin
    /// What Wikidata knows; empty until ``EnrichAuthors`` has identified the person.
    public var culture: Culture
    /// By what the person was identified, or why not.
    public var identification: Identification

    /// A person nobody has tried to identify yet.
    public init(
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

/// By what an author was identified with a person of Wikidata (contract.md section 6). Raw values are stored.
public enum Identification: UInt8, Sendable, CaseIterable, Hashable {
    case notTried = 0
    /// The provider's author record names the Wikidata item.
    case providerNamesItem
    /// The Wikidata item names the Open Library author (P648).
    case itemNamesAuthor
    /// Another external identifier agrees (VIAF, ISNI, Goodreads …).
    case identifier
    /// Name and year of birth or death agree.
    case nameAndYear
    /// Name and a title agree.
    case nameAndTitle
    /// Refused: only the name agrees.
    case refusedNameAlone
    /// Refused: several people fit.
    case refusedAmbiguous
    /// Refused: identifiers contradict each other.
    case refusedContradiction
    /// Nobody of that name or key is known.
    case unknownPerson
    /// The name is no person's: `Various`, `Anonymous`.
    case notAPerson

    /// Whether the person is enriched.
    public var isAccepted: Bool {
        switch self {
        case .providerNamesItem, .itemNamesAuthor, .identifier, .nameAndYear, .nameAndTitle: true
        default: false
        }
    }
}

/// The rule by which a value was chosen. Raw values are stored in lineage.
public enum MergeRule: UInt8, Sendable, CaseIterable, Hashable {
    /// The only value there was, or the row's own.
    case given = 1
    /// First non-empty in the providers' order.
    case firstInOrder
    /// The longest text.
    case longest
    /// Part of a union.
    case union
    /// From the provider preferred for this field.
    case preferredProvider
    /// Filled from the reader's own row because no provider gave it.
    case filledFromRow
    /// Made from the row's shelves because no provider gave any genre.
    case fromShelves
    /// Normalized to its canonical form.
    case normalized
    /// Assumed for want of anything better (a binding that maps to nothing).
    case assumed
    /// Repaired from a damaged cell.
    case repaired
    /// What most providers say.
    case majority
    /// The earliest of the dates.
    case earliest
    /// The latest of the dates.
    case newest
}

/// How far a record can be trusted (contract.md section 3).
public enum ReviewStatus: UInt8, Sendable, CaseIterable, Hashable {
    /// At least one provider matched by ISBN.
    case verified
    /// Matched by title and author, or not at all.
    case needsReview
    /// Corrected by the reader; never overwritten.
    case userEdited

    /// The contract's spelling.
    public var contractName: String {
        switch self {
        case .verified: "verified"
        case .needsReview: "needsReview"
        case .userEdited: "userEdited"
        }
    }
}
