package import Syntax

/// A book that fits a row, not well enough or not alone: what a reader is shown in a review.
public struct ReviewCandidate: Sendable, Hashable, Codable {
    /// Contract name of the provider that offered it.
    public var provider: String
    /// The provider's own record: `OL45804W`.
    public var record: String
    /// Its title, with its subtitle.
    public var title: String
    /// Its authors' names.
    public var authors: [String]
    /// Year of first publication, or of the edition.
    public var year: Int32?
    /// From 0 to 1, in thousandths.
    public var score: Double
    /// What speaks for it and against it: `for:title_same`, `against:year_differs`.
    public var evidence: [String]

    /// An option with all that is shown of it.
    public init(
        provider: String, record: String, title: String, authors: [String], year: Int32?, score: Double,
        evidence: [String]
    ) {
        self.provider = provider
        self.record = record
        self.title = title
        self.authors = authors
        self.year = year
        self.score = score
        self.evidence = evidence
    }
}

extension ReviewCandidate: JSONWritable {
    package func write(into out: inout JSONWriter) {
        out.object { out in
            out.field("provider", provider)
            out.field("record", record)
            out.field("title", title)
            out.key("authors")
            out.array { out in for author in authors { out.string(author) } }
            out.field("year", year.map { Int($0) })
            out.field("score", score)
            out.key("evidence")
            out.array { out in for word in evidence { out.string(word) } }
        }
    }
}

/// A row for which something was found, and nothing was taken: it waits for the reader (`etl review`).
public struct MatchAbstention: Sendable, Hashable {
    /// Number of the row in its batch.
    public var row: Int
    /// The row's title and first author, as it spells them.
    public var title: String
    /// The row's first author.
    public var author: String
    /// What fits, the best first, a few at the most.
    public var options: [ReviewCandidate]

    /// An abstention; its row is known by its number in the batch.
    public init(row: Int, title: String, author: String, options: [ReviewCandidate]) {
        self.row = row
        self.title = title
        self.author = author
        self.options = options
    }
}

/// What readers have decided in reviews, by ``MatchKey``.
package struct MatchDecisions: Sendable {
    /// What was decided about a title and an author.
    package enum Decision: Sendable, Hashable {
        /// It is this record.
        case accepted(ChosenRecord)
        /// It is none of what was offered.
        case refused
    }

    package var byKey: [String: Decision]

    package init(_ byKey: [String: Decision] = [:]) { self.byKey = byKey }

    package var isEmpty: Bool { byKey.isEmpty }
    package subscript(_ key: String) -> Decision? { byKey[key] }
}
