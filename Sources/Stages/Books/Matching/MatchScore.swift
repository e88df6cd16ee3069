/// How well a book fits what a row says of it, and why.
struct MatchScore: Sendable, Hashable {
    /// From 0 (another book) to 1 (everything there is to compare agrees).
    var value: Double
    /// What spoke for and against it, the title first.
    var evidence: [MatchEvidence]

    init(_ value: Double, _ evidence: [MatchEvidence]) {
        self.value = value
        self.evidence = evidence
    }

    /// Something that is out of the question, whatever else agrees.
    static func none(_ reason: MatchEvidence) -> MatchScore { MatchScore(0, [reason]) }
}
