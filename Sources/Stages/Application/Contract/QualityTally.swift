package import Syntax

/// What the data-quality figures of a job are made of; tallies of batches are added up.
package struct QualityTally: Sendable, Hashable {
    package var recordsWithISBN = 0
    /// Those of them that a provider matched.
    package var recordsMatched = 0
    package var works = 0
    package var worksWithCover = 0
    /// Sum of the works' completeness scores, each 0–100.
    package var qualityPoints = 0
    package var authors = 0
    /// Authors with a gender or a region.
    package var authorsEnriched = 0

    package init() {}

    package static func += (total: inout QualityTally, part: QualityTally) {
        total.recordsWithISBN += part.recordsWithISBN
        total.recordsMatched += part.recordsMatched
        total.works += part.works
        total.worksWithCover += part.worksWithCover
        total.qualityPoints += part.qualityPoints
        total.authors += part.authors
        total.authorsEnriched += part.authorsEnriched
    }

    /// The figure a target is held against; nil where there was nothing to count, which is neither met nor
    /// missed.
    package subscript(_ target: QualityTarget) -> Double? {
        switch target {
        case .isbnMatchRate: Self.ratio(recordsMatched, recordsWithISBN)
        case .coverAvailability: Self.ratio(worksWithCover, works)
        case .authorEnrichment: Self.ratio(authorsEnriched, authors)
        case .meanQuality: Self.ratio(qualityPoints, works)
        }
    }

    private static func ratio(_ part: Int, _ whole: Int) -> Double? {
        whole > 0 ? Double(part) / Double(whole) : nil
    }
}

/// The four figures; a zero denominator leaves the key out.
extension QualityTally: JSONWritable {
    package func write(into out: inout JSONWriter) {
        out.object { out in
            for target in QualityTarget.allCases { out.field(target.name, self[target]) }
        }
    }
}

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
