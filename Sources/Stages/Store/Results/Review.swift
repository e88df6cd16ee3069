package import Books
package import Database
import FoundationEssentials
package import System

/// A record of a job with possible matches, none of which was certain enough. The user decides.
package struct Review: Sendable, Hashable {
    package var place: RecordPlace
    package var title: String
    package var author: String
    /// The possible matches, best first.
    package var options: [ReviewCandidate]
    /// The user's decision, if there is one. It takes effect when the job is resumed.
    package var decision: MatchDecisions.Decision?
    /// Whether a decision is waiting for the job to be resumed.
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

    /// Whether the decision has taken effect.
    package var isFinished: Bool { decision != nil && !isPending }

    /// The match that is better than all others; nil if two are equally good.
    package var best: ReviewCandidate? {
        guard let best = options.max(by: { $0.score < $1.score }),
            options.count(where: { $0.score == best.score }) == 1
        else { return nil }
        return best
    }

    /// The key under which a decision is remembered.
    package var key: String { MatchKey.key(title: title, author: author) }
}

/// The user's decision about a record.
package struct ReviewDecision: Sendable, Hashable {
    package var place: RecordPlace
    /// The key under which it is remembered: ``Review/key``.
    package var key: String
    /// nil revokes an earlier decision.
    package var decision: MatchDecisions.Decision?

    package init(_ review: Review, _ decision: MatchDecisions.Decision?) {
        place = review.place
        key = review.key
        self.decision = decision
    }
}

/// A job's reviews in input order, decided or not. Only one is in memory at a time.
package struct ReviewRows {
    private let read: Statement
    private let decisions: MatchDecisions

    /// - Throws: `.inputOutput` if a decision cannot be decoded.
    package init(ofJob job: Int64, in connection: Connection) throws(ETLError) {
        decisions = try Reviews(connection).decisions(ofJob: job)
        read = try connection.prepare(
            """
            SELECT r.file, r.row, r.title, r.author, r.options, coalesce(instr(p.reasons, ?2), 0)
            FROM reviews r LEFT JOIN pending p ON p.job = r.job AND p.file = r.file AND p.row = r.row
            WHERE r.job = ?1 ORDER BY r.file, r.row
            """)
        read.bind(values: job, Reviews.pendingReason)
    }

    /// The next review; nil at the end.
    ///
    /// - Throws: `.inputOutput` if the review cannot be decoded.
    package func next() throws(ETLError) -> Review? {
        guard try read.next() else { return nil }
        let title = read.string(2)
        guard let options = try? JSONDecoder().decode([ReviewCandidate].self, from: Data(read.bytes(4)))
        else {
            throw StoreFile.unreadable("the candidates for “\(title)”")
        }
        var review = Review(
            place: RecordPlace(file: Int(read.integer(0)), row: Int(read.integer(1))), title: title,
            author: read.string(3), options: options)
        review.decision = decisions[review.key]
        review.isPending = read.integer(5) > 0
        return review
    }
}
