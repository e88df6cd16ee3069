package import Bytes

/// An author's gender as Wikidata has it; never a guess.
package enum AuthorGender: UInt8, Sendable, CaseIterable, Hashable {
    case unknown, female, male, nonBinary, other

    /// The contract's name for it.
    package var contractName: String {
        switch self {
        case .unknown: "Unknown"
        case .female: "Female"
        case .male: "Male"
        case .nonBinary: "Non-binary"
        case .other: "Other"
        }
    }
}

/// The contract's eleven cultural regions.
package enum CulturalRegion: UInt8, Sendable, CaseIterable, Hashable {
    case africa, asia, europe, northAmerica, southAmerica, oceania, middleEast, caribbean, centralAsia
    case indigenous, international

    /// The contract's name for it.
    package var contractName: String {
        switch self {
        case .africa: "Africa"
        case .asia: "Asia"
        case .europe: "Europe"
        case .northAmerica: "North America"
        case .southAmerica: "South America"
        case .oceania: "Oceania"
        case .middleEast: "Middle East"
        case .caribbean: "Caribbean"
        case .centralAsia: "Central Asia"
        case .indigenous: "Indigenous"
        case .international: "International"
        }
    }
}

/// Wikidata's facts about an author.
package struct Culture: Sendable, Hashable {
    /// Sex or gender (P21), grouped as in the contract.
    package var gender: AuthorGender = .unknown
    /// Name of the country of citizenship: `Nigeria`.
    package var nationality: Text = .none
    /// The cultural region, derived from the country; nil if the country is unknown.
    package var region: CulturalRegion?
    /// Year of birth; negative before the common era (−44 is 44 BC). Nil if unknown.
    package var birthYear: Int32?
    /// Year of death, counted in the same way. Nil if the person is alive or the year is unknown.
    package var deathYear: Int32?
    /// The Wikidata item, `Q42`.
    package var item: Text = .none

    /// Nothing known.
    package init() {}
}
