package import Books

/// Where everything that is stored of a book comes from: the answer of `etl explain`.
package struct Explanation: Sendable, Hashable {
    /// What the reader should know of how the book was found: that a number was repaired, that a key is an alias.
    package var remarks: [String] = []
    /// The record asked for, where it was turned away: then there is no book.
    package var reject: ListedError?
    package var work: Part?
    /// The edition asked for, or all of the work where the work was.
    package var editions: [Part] = []
    package var authors: [Person] = []
    /// Readers' entries of the editions.
    package var entries: [Entry] = []
    /// What providers answered, and how it was found.
    package var answers: [Answer] = []
    /// The records of jobs that led here, the newest job first.
    package var records: [Visit] = []

    /// A work or an edition, field by field.
    package struct Part: Sendable, Hashable {
        package var key: String
        /// Keys of works that were folded into it.
        package var aliases: [String] = []
        package var fields: [FieldTrace]
        /// Completeness, 0–100.
        package var quality: Int
        /// Providers that gave anything, the one that gave the record first.
        package var providers: [Provider]
        /// Of a work only.
        package var reviewStatus: ReviewStatus?
    }

    /// A field: what stands there, where it is from, and what lost.
    package struct FieldTrace: Sendable, Hashable {
        package var field: Field
        /// One value, or those of a list.
        package var values: [String]
        /// Nil where nothing was noted.
        package var source: Source?
        package var rule: MergeRule?
        package var lost: [Lost]
    }

    /// A value that was offered and not taken.
    package struct Lost: Sendable, Hashable {
        package var source: Source
        package var values: [String]
    }

    /// Who said something.
    package enum Source: Sendable, Hashable {
        /// A provider, its own record, and how that was found.
        case provider(Provider, record: String, match: Candidate.Match)
        /// A reader's row: its library, the export's profile and the source's own id.
        case row(library: String, profile: String, sourceID: String)
    }

    /// An author, and by what the person was identified or why not.
    package struct Person: Sendable, Hashable {
        package var author: AuthorDTO
        package var role: ContributorRole
        package var identification: Identification
        /// The item of Wikidata, `Q42`.
        package var wikidata: String?
        /// What the service has said of the item, where that is kept.
        package var kept: CachedSources.Found?
    }

    /// A reader's entry.
    package struct Entry: Sendable, Hashable {
        package var library: String
        package var profile: String
        package var sourceID: String
        /// Public key of the edition it points at.
        package var edition: String
        /// Stars, 0.25–5.
        package var rating: Double?
        package var shelf: String?
        package var dateRead: String?
    }

    /// A provider's answer.
    package struct Answer: Sendable, Hashable {
        package var provider: Provider
        /// The provider's own record.
        package var record: String
        package var match: Candidate.Match
        /// What became of what the service has said; nil where none was asked for it.
        package var response: Response?
        /// Catalogs that may have given it.
        package var catalogs: [CatalogReference] = []
    }

    /// What a service has said, as far as it is known still.
    package enum Response: Sendable, Hashable {
        /// It is kept.
        case kept(CachedSources.Found)
        /// The service was asked again since: this answer has taken its place.
        case replaced(CachedSources.Found)
        case notKept
    }

    /// A record of a job that led to the book.
    package struct Visit: Sendable, Hashable {
        package var job: String
        package var row: Int
        package var line: Int
        /// The file's name, where the job had several.
        package var file: String?
        package var fate: RecordOutcome
        /// Whether a provider matched.
        package var isEnriched: Bool
        /// Milliseconds since 1970.
        package var startedAt: Int64
        package var endedAt: Int64?
        package var notices: [Notice]
    }
}
