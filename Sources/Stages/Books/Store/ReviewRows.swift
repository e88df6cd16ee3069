package import Database
import Foundation
package import Pipeline

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
