package import Syntax

/// The counts behind the data-quality metrics of a job. Counts of batches can be added.
package struct QualityCounts: Sendable, Hashable {
    package var recordsWithISBN = 0
    /// Records with an ISBN that a provider matched.
    package var recordsMatched = 0
    package var works = 0
    package var worksWithCover = 0
    /// Sum of the works' completeness scores, each 0–100.
    package var qualityPoints = 0
    package var authors = 0
    /// Authors with a gender or a region.
    package var authorsEnriched = 0
    /// Targets that say nothing about the job, because it asked no source for what they count.
    package var notLookedUp: Set<QualityTarget> = []

    package init() {}

    package static func += (total: inout QualityCounts, part: QualityCounts) {
        total.recordsWithISBN += part.recordsWithISBN
        total.recordsMatched += part.recordsMatched
        total.works += part.works
        total.worksWithCover += part.worksWithCover
        total.qualityPoints += part.qualityPoints
        total.authors += part.authors
        total.authorsEnriched += part.authorsEnriched
        total.notLookedUp.formIntersection(part.notLookedUp)
    }

    /// The metric that is compared with a target; nil if there is nothing to count, which neither meets nor
    /// misses the target.
    package subscript(_ target: QualityTarget) -> Double? {
        switch target {
        case .isbnMatchRate: Self.ratio(recordsMatched, recordsWithISBN)
        case .coverAvailability: Self.ratio(worksWithCover, works)
        case .authorEnrichment: Self.ratio(authorsEnriched, authors)
        case .meanQuality: Self.ratio(qualityPoints, works)
        }
    }

    /// The names of the metrics that say nothing, in the order of the metrics.
    package var namesNotLookedUp: [String] {
        QualityTarget.allCases.filter(notLookedUp.contains).map { "\($0.name)" }
    }

    private static func ratio(_ part: Int, _ whole: Int) -> Double? {
        whole > 0 ? Double(part) / Double(whole) : nil
    }
}

/// Writes the four metrics. A metric without anything to count is left out.
extension QualityCounts: JSONObject {
    package func writeFields(into out: inout JSONWriter) {
        for target in QualityTarget.allCases { out.field(target.name, self[target]) }
    }
}

/// The four data-quality targets, reported for every job.
package enum QualityTarget: Sendable, CaseIterable {
    /// Records matched by a provider ÷ records with a valid ISBN.
    case isbnMatchRate
    /// Works with a cover ÷ works.
    case coverAvailability
    /// Authors with a gender or a region ÷ authors.
    case authorEnrichment
    /// Mean of the works' completeness score, 0–100.
    case meanQuality

    /// The value that a metric must exceed: a rate from 0 to 1, or points for ``meanQuality``.
    package var threshold: Double {
        switch self {
        case .isbnMatchRate: 0.95
        case .coverAvailability: 0.80
        case .authorEnrichment: 0.70
        case .meanQuality: 60
        }
    }

    /// A metric equal to the threshold misses the target.
    package func isMet(by metric: Double) -> Bool { metric > threshold }

    /// The metric's name in the closing summary and in reports.
    package var name: StaticString {
        switch self {
        case .isbnMatchRate: "isbnMatchRate"
        case .coverAvailability: "coverAvailability"
        case .authorEnrichment: "authorEnrichment"
        case .meanQuality: "meanQuality"
        }
    }
}
