/// What a reader has decided about a record.
package struct ReviewDecision: Sendable, Hashable {
    package var place: RecordPlace
    /// What it is remembered under: ``Review/key``.
    package var key: String
    /// nil takes back what was decided before.
    package var decision: MatchDecisions.Decision?

    package init(_ review: Review, _ decision: MatchDecisions.Decision?) {
        place = review.place
        key = review.key
        self.decision = decision
    }
}
