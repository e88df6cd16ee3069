/// The four data-quality targets of contract v2.1 section 8.3, reported for every job (contract.md section
/// 9).
package enum QualityTarget: Sendable, CaseIterable {
    /// Matches by a provider ÷ records with a valid ISBN.
    case isbnMatchRate
    /// Works with a cover ÷ works.
    case coverAvailability
    /// Authors with a gender or a region ÷ authors.
    case authorEnrichment
    /// Mean of the works' completeness score, 0–100.
    case meanQuality

    /// What a figure has to exceed: a rate 0–1, for ``meanQuality`` points.
    package var threshold: Double {
        switch self {
        case .isbnMatchRate: 0.95
        case .coverAvailability: 0.80
        case .authorEnrichment: 0.70
        case .meanQuality: 60
        }
    }

    /// The target is "more than", so a figure that just equals it misses.
    package func isMet(by figure: Double) -> Bool { figure > threshold }

    /// The figure's name in the closing summary and in reports.
    package var name: StaticString {
        switch self {
        case .isbnMatchRate: "isbnMatchRate"
        case .coverAvailability: "coverAvailability"
        case .authorEnrichment: "authorEnrichment"
        case .meanQuality: "meanQuality"
        }
    }
}
