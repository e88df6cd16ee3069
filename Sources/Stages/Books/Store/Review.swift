/// A record of a job for which something was found and nothing taken, as it waits for its reader.
package struct Review: Sendable, Hashable {
    package var place: RecordPlace
    package var title: String
    package var author: String
    /// What it may be, the best first.
    package var options: [ReviewCandidate]
    /// What was decided since; it is in the library when the job has been resumed.
    package var decision: MatchDecisions.Decision?
    /// Whether the job has not been resumed since something was decided about it.
    package var isPending = false

    package init(
        place: RecordPlace, title: String, author: String, options: [ReviewCandidate],
        decision: MatchDecisions.Decision? = nil
    ) {
        self.place = place
        self.title = title
        self.author = author
        self.options = options
        self.decision = decision
    }

    /// Whether its decision is in the library.
    package var isTakenUp: Bool { decision != nil && !isPending }

    /// What a decision about it is remembered under.
    package var key: String { MatchKey.key(title: title, author: author) }
}
