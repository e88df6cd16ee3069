import Books
import Database
import System

/// Certainty of matches by title and author, by an identifier, or by an ISBN whose book has another title or author.
/// A match by ISBN needs no row here otherwise.
package struct EntryMatches {
    static let tables = """
        -- Scores of matches, in thousandths, with evidence and the ids of further records of the same book.
        CREATE TABLE matches(
            entry INTEGER PRIMARY KEY,
            score INTEGER NOT NULL,
            evidence TEXT NOT NULL,
            duplicates TEXT);
        """

    private let insert: Statement
    private let delete: Statement

    init(_ connection: Connection) throws(ETLError) {
        insert = try connection.prepare("INSERT OR REPLACE INTO matches VALUES (?1, ?2, ?3, ?4)")
        delete = try connection.prepare("DELETE FROM matches WHERE entry = ?1")
    }

    /// Stores the match of an entry's latest record, or that it has none.
    func store(_ match: AcceptedMatch?, of entry: Int64) throws(ETLError) {
        guard let match else {
            return try delete.run(entry)
        }
        try insert.run(
            entry, Int64(match.score * 1_000), StoredList.stored(match.evidence) ?? "[]",
            StoredList.stored(match.duplicates))
    }

    /// The SQL expression for an entry's score from 0 to 1; NULL if it has no match.
    ///
    /// - Parameters: Aliases of the entry, its edition and its work.
    package static func score(entry: String, edition: String, work: String) -> String {
        """
        coalesce((SELECT m.score / 1000.0 FROM matches m WHERE m.entry = \(entry).id), \
        iif(\(work).review_status = \(ReviewStatus.verified.rawValue) AND \(edition).isbn IS NOT NULL \
        AND \(edition).providers IS NOT NULL, 1.0, NULL))
        """
    }

    /// The SQL condition that an entry's book was found by its ISBN but has another title or author.
    package static func isDoubted(entry: String) -> String {
        let evidence = #"["\#(AcceptedMatch.byISBN)","against:"#
        return """
            EXISTS (SELECT 1 FROM matches m WHERE m.entry = \(entry).id \
            AND substr(m.evidence, 1, \(evidence.utf8.count)) = '\(evidence)')
            """
    }

    /// The SQL expression for the review status of an entry's book, as a number (``ReviewStatus``). Another entry can
    /// have verified the work.
    package static func reviewStatus(entry: String, work: String) -> String {
        let (verified, needsReview) = (ReviewStatus.verified.rawValue, ReviewStatus.needsReview.rawValue)
        return """
            iif(\(work).review_status = \(verified) AND \(isDoubted(entry: entry)), \(needsReview), \
            \(work).review_status)
            """
    }
}
