public import Bytes

/// An author's gender as Wikidata states it (contract.md section 3); never a guess.
public enum AuthorGender: UInt8, Sendable, CaseIterable, Hashable {
    case unknown, female, male, nonBinary, other

    /// The contract's spelling.
    public var contractName: String {
        switch self {
        case .unknown: "Unknown"
        case .female: "Female"
        case .male: "Male"
        case .nonBinary: "Non-binary"
        case .other: "Other"
        }
    }
}

/// The eleven regions of contract v2.1 section 5.3.
public enum CulturalRegion: UInt8, Sendable, CaseIterable, Hashable {
    case africa, asia, europe, northAmerica, southAmerica, oceania, middleEast, caribbean, centralAsia
    case indigenous, international

    /// The contract's spelling.
    public var contractName: String {
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

    /// The region of a contract name, spelled exactly so; nil where there is none of that name.
    public init?(contractName: some StringProtocol) {
        guard let region = Self.allCases.first(where: { $0.contractName == contractName }) else { return nil }
        self = region
    }
}

/// What is known of an author from Wikidata (contract.md section 6).
public struct Culture: Sendable, Hashable {
    /// Sex or gender (P21), as the contract groups it.
    public var gender: AuthorGender = .unknown
    /// Name of the country of citizenship: `Nigeria`.
    public var nationality: Text = .none
    /// The cultural region that follows from the country; nil where no country is known.
    public var region: CulturalRegion?
    /// Year of birth; negative before our era (−44 is 44 BC). Absent: nil.
    public var birthYear: Int32?
    /// Year of death, counted likewise; nil for the living and the unknown.
    public var deathYear: Int32?
    /// The Wikidata item, `Q42`.
    public var item: Text = .none

    /// Nothing known.
    public init() {}
}
