package import Bytes
package import System

/// The queries of one batch to a provider. Each book appears once, even if several rows need it.
package struct BookQueries: Sendable {
    /// Identity of a book.
    package enum Query: Sendable, Hashable {
        /// By ISBN. The answer is exactly this book.
        case isbn(ISBN)
        /// By title and author. The answer may be another edition, and is empty unless the match is certain.
        case described(BookDescription)
        /// By the numbers in Open Library's keys. The answer is this work, and this edition if the query
        /// has one and the provider knows it.
        case openLibrary(work: Int64, edition: Int64?)
        /// By other identifiers. The answer is the edition that has them, or its work.
        case identifiers(BookIdentifiers)
    }

    /// The bytes of titles and authors.
    package var arena: Arena
    /// The distinct books.
    package var queries: [Query]

    /// Queries whose texts are in `arena`.
    package init(arena: Arena = Arena(), queries: [Query] = []) {
        self.arena = arena
        self.queries = queries
    }
}

/// The identifiers in a row, other than ISBNs and Open Library's keys. The texts are in the queries' arena.
package struct BookIdentifiers: Sendable, Hashable {
    /// Goodreads' Book Id.
    package var goodreads = Text.none
    /// Amazon's number of the edition.
    package var amazon = Text.none
    /// The edition's number in OCLC's catalog.
    package var oclc = Text.none
    /// The edition's number in the Library of Congress.
    package var lccn = Text.none
    /// LibraryThing's id of the work.
    package var libraryThing = Text.none

    /// Each identifier that is known, with its kind. Those of editions come first.
    package var all: [(kind: BookIdentifier, text: Text)] {
        [
            (.goodreads, goodreads), (.amazon, amazon), (.oclc, oclc), (.lccn, lccn),
            (.libraryThing, libraryThing),
        ].filter { !$0.1.isEmpty }
    }

    /// No identifiers.
    package init() {}

    /// Whether there is none.
    package var isEmpty: Bool {
        goodreads.isEmpty && amazon.isEmpty && oclc.isEmpty && lccn.isEmpty && libraryThing.isEmpty
    }
}

/// A provider's answers to a batch of ``BookQueries``: one per query, in the same order.
package struct BookAnswers: Sendable {
    /// The bytes of all texts.
    package var arena: Arena
    /// One per query, in the same order.
    package var answers: [BookAnswer]
    /// Values of all answers.
    package var values: [CandidateValue]
    /// Possible matches of answers that were not certain enough, by the index of the answer.
    package var options: [Int: [ReviewCandidate]] = [:]
    /// Certainty of answers found by title and author, by the index of the answer.
    package var matches: [Int: AcceptedMatch] = [:]

    /// Answers usually start with the arena of the queries, so that one arena has the texts of both.
    package init(arena: Arena = Arena(), answers: [BookAnswer] = [], values: [CandidateValue] = []) {
        self.arena = arena
        self.answers = answers
        self.values = values
    }
}

/// A provider's answer to one query.
package struct BookAnswer: Sendable, Hashable {
    /// Outcome of the lookup.
    package var outcome: LookupOutcome
    /// The id of the provider's record, `OL7353617M`; empty unless found.
    package var record: Text
    /// Whether the provider has only the edition and no record of the work.
    package var isSynthetic: Bool
    /// The values, in ``BookAnswers/values``; empty unless found.
    package var values: Range<Int>
    /// Why a part of a found record is missing, because a service has not answered for it yet: the work, or
    /// an author. The values are provisional then. Nil if the record is complete.
    package var missing: LookupOutcome?

    /// An answer. Record and values stay empty unless the outcome is `LookupOutcome.found`.
    package init(
        _ outcome: LookupOutcome, record: Text = .none, isSynthetic: Bool = false, values: Range<Int> = 0..<0
    ) {
        self.outcome = outcome
        self.record = record
        self.isSynthetic = isSynthetic
        self.values = values
    }

    /// Why the query must be asked again; nil if it is settled.
    package var openOutcome: LookupOutcome? { outcome.isAnswered ? missing : outcome }
}

/// A row's description of its book, for a lookup by title and author. The texts are in the queries' arena.
package struct BookDescription: Sendable, Hashable {
    /// The title as the record spells it; never empty.
    package var title: Text
    /// The first author; empty if the record has none. Without an author no match is accepted and no service
    /// is asked.
    package var author: Text
    /// Its further authors, at most ``MatchQuery/otherAuthorLimit``.
    package var otherAuthors: [Text] = []
    /// Year of the user's edition.
    package var year: Int32?
    /// Year of first publication of the work.
    package var firstYear: Int32?
    /// ISO 639-1, two ASCII bytes; empty if the record has no language.
    package var language: Text
    /// The row's ISBN, which no provider knew.
    package var isbn: ISBN?
    /// The record the user chose in a review.
    package var chosen: ChosenRecord?
    /// Publisher of the user's edition; empty if unknown. With year, pages and format it can single out an edition.
    package var publisher = Text.none
    /// Pages of the user's edition.
    package var pages: Int32?
    /// Format of the user's edition.
    package var format: EditionFormat?
    /// The series that were split off the title, with the book's position in each.
    package var series: [SeriesMention] = []

    /// A description by title and author. Set the other properties afterwards.
    package init(title: Text, author: Text, language: Text = .none) {
        self.title = title
        self.author = author
        self.language = language
    }
}

/// A provider's record that the user chose for a title and author.
package struct ChosenRecord: Sendable, Hashable {
    /// The provider.
    package var provider: Provider
    /// The provider's id of the record: `OL45804W`.
    package var record: String

    /// A record by provider and id.
    package init(provider: Provider, record: String) {
        self.provider = provider
        self.record = record
    }
}

/// The kinds of keys that services are asked for.
extension ServiceKey.Kind {
    private static let day: Int64 = 86_400_000

    /// A title and an author as asked for, separated by a tab.
    package static let title = Self("title", urgency: 0, lifetime: day)
    /// A service's own key of an author.
    package static let author = Self("author", urgency: 1, lifetime: 7 * day)
    /// A service's own key of a work.
    package static let work = Self("work", urgency: 2, lifetime: 7 * day)
    /// An ISBN-13.
    package static let isbn = Self("isbn", urgency: 3, lifetime: 7 * day)
    /// An item of Wikidata: `Q42`.
    package static let item = Self("item", urgency: 4, lifetime: 7 * day)
    /// Open Library's key of an author, to find Wikidata items.
    package static let authorItems = Self("authorItems", urgency: 5, lifetime: 7 * day)
    /// A name, to find Wikidata items.
    package static let nameItems = Self("nameItems", urgency: 6, lifetime: day)

    /// All kinds. Queries that complete a record are more urgent than queries that start another one, so
    /// that records are completed one by one and not all at the end.
    package static let all: [Self] = [title, author, work, isbn, item, authorItems, nameItems]

    /// Whether its keys identify books, instead of what belongs to books.
    package var isOfBooks: Bool { self == .isbn || self == .title }
}
