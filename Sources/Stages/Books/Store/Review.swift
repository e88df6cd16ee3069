package import Database
import Foundation
package import Pipeline

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
    package var isFinished: Bool { decision != nil && !isPending }

    /// What a decision about it is remembered under.
    package var key: String { MatchKey.key(title: title, author: author) }
}

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

/// A job's reviews, one by one, in the order of its input: those that wait, and those that are decided. However many
/// there are, one is held.
package struct ReviewRows {
    private let read: Statement
    private let decisions: MatchDecisions

    /// - Throws: `.inputOutput` for a decision that cannot be read.
    package init(ofJob job: Int64, in connection: Connection) throws(StageFailure) {
        decisions = try Reviews(connection).decisions()
        do {
            read = try connection.prepare(
                """
                SELECT r.file, r.row, r.title, r.author, r.options, coalesce(instr(p.reasons, ?2), 0)
                FROM reviews r LEFT JOIN pending p ON p.job = r.job AND p.file = r.file AND p.row = r.row
                WHERE r.job = ?1 ORDER BY r.file, r.row
                """)
        } catch {
            throw error.failure
        }
        read.bind(1, job)
        read.bind(2, Reviews.pendingReason)
    }

    /// The next review; nil at the end.
    ///
    /// - Throws: `.inputOutput` for one that cannot be read.
    package func next() throws(StageFailure) -> Review? {
        do {
            guard try read.step() else { return nil }
        } catch {
            throw error.failure
        }
        let title = read.string(2)
        guard let options = try? JSONDecoder().decode([ReviewCandidate].self, from: Data(read.bytes(4)))
        else {
            throw StoreFile.unreadable("what “\(title)” may be")
        }
        var review = Review(
            place: RecordPlace(file: Int(read.integer(0)), row: Int(read.integer(1))), title: title,
            author: read.string(3), options: options)
        review.decision = decisions[review.key]
        review.isPending = read.integer(5) > 0
        return review
    }
}
