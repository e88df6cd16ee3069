import Contract
import Pipeline
import Store
import System

/// Contents of `etl stats --html`: the figures of `etl stats`, the books to show first, the data's sources and gaps.
package struct LibraryReport: Sendable {
    /// A book on a shelf of covers.
    struct Card: Sendable, Hashable {
        var title: String
        var author: String
        var rating: Double?
        /// The address of an image; nil if none is known.
        var cover: String?
    }

    /// Summary of an import.
    struct Import: Sendable {
        var name: String
        /// Milliseconds since 1970.
        var startedAt: Int64
        var created: Int
        var updated: Int
        var unchanged: Int
        var rejected: Int
        var pending: Int
    }

    /// A data-quality target, and the records that miss it.
    struct Target: Sendable {
        var target: QualityTarget
        /// Nil if there is nothing to count.
        var metric: Double?
        /// False if no import has asked a catalog or service for what it counts.
        var isLookedUp: Bool
        /// Number of records that count against it.
        var misses: Int
        var examples: [Example]
    }

    /// A record that lacks something.
    struct Example: Sendable, Hashable {
        var name: String
        /// The author of a book, the number of works of an author.
        var detail: String
        /// The score of a work with a low one.
        var score: Int?
    }

    /// Books that lack a value, and the first ones.
    struct Gap: Sendable {
        var name: String
        var books: Int
        var examples: [Example]
    }

    /// Records with the same problem.
    struct Problem: Sendable {
        enum Kind: String, Sendable {
            case rejected
            case setAside = "set aside"
            case warning, pending
        }

        var kind: Kind
        var code: String
        var records: Int
        /// The problem.
        var meaning: String
        var advice: UserText
        /// The first of the records.
        var example: String
    }

    /// A provider's share.
    struct Source: Sendable {
        /// The provider's name; empty for works that no provider has described.
        var name: String
        var works: Int
    }

    /// A run with the times of its stages.
    package struct MeasuredRun: Sendable {
        var job: String
        var metrics: RunMetrics
    }

    package var statistics: LibraryStatistics
    /// Milliseconds since 1970.
    var writtenAt: Int64
    /// The books read last, and those with the best ratings.
    var latest: [Card] = []
    var favorites: [Card] = []
    var imports: [Import] = []
    var targets: [Target] = []
    var gaps: [Gap] = []
    var problems: [Problem] = []
    var sources: [Source] = []
    /// The newest run that read records.
    package var run: MeasuredRun?

    /// The report without problems of jobs. Users of a server cannot solve them.
    package var withoutProblems: LibraryReport {
        var report = self
        report.problems = []
        return report
    }

    /// The addresses of the covers that the page shows.
    package var covers: [String] { (latest + favorites).compactMap(\.cover) }
}
