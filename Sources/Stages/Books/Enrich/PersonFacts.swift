/// What one item of Wikidata says of a person: enough to identify an author and to describe them (contract.md
/// section 6).
package struct PersonFacts: Sendable, Hashable {
    /// What the item is an instance of (P31).
    package enum Kind: UInt8, Sendable, Hashable {
        /// Neither a human nor a pen name: an organisation, a disambiguation page.
        case other = 0
        case human = 1
        /// A pen name, one person's or several people's.
        case pseudonym = 2
    }

    /// Number of the item: 42 for `Q42`.
    package var item: UInt32
    package var kind: Kind
    /// Name: English, else of all languages (`mul`), else the first in Latin letters. Empty where there is
    /// none.
    package var label: String = ""
    /// Other names in English or of all languages.
    package var aliases: [String] = []
    package var gender: AuthorGender = .unknown
    /// Items of the countries of citizenship that count, the first one first: those of preferred rank, else
    /// those that have not ended, else all.
    package var citizenships: [UInt32] = []
    /// Whether an ethnic group (P172) is an indigenous people.
    package var isIndigenous = false
    /// Year of birth; negative before our era (−44 is 44 BC). nil where unknown, vaguer than a year, or
    /// disputed.
    package var birthYear: Int32?
    package var deathYear: Int32?
    /// Keys of Open Library's authors (P648): `OL34184A`.
    package var openLibraryKeys: [String] = []
    /// VIAF cluster ids (P214).
    package var viaf: [String] = []
    /// ISNI (P213), sixteen characters without blanks.
    package var isni: [String] = []
    /// Goodreads' author ids (P2963).
    package var goodreads: [String] = []
    /// Items of the works they are known for (P800). A catalog does not keep them.
    package var works: [UInt32] = []
    /// Titles of ``works``, where they were asked for.
    package var titles: [String] = []

    package init(item: UInt32, kind: Kind) {
        self.item = item
        self.kind = kind
    }

    /// Whether the item can be an author of books: a human or a pen name.
    package var isPerson: Bool { kind != .other }
    /// The item's id, `Q42`.
    package var itemID: String { "Q\(item)" }

    /// Name of the first country of citizenship known by name: `Nigeria`.
    package var nationality: String? {
        citizenships.lazy.compactMap { CountryTable.standard.country($0)?.name }.first
    }

    /// The region the countries of citizenship share, ``CulturalRegion/international`` where they share none;
    /// an indigenous people goes before any country. nil where no country is known.
    package var region: CulturalRegion? {
        if isIndigenous { return .indigenous }
        var region: CulturalRegion?
        for item in citizenships {
            guard let country = CountryTable.standard.country(item) else { continue }
            if let known = region, known != country.region { return .international }
            region = country.region
        }
        return region
    }
}
