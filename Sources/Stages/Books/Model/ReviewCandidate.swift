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
