/// The fates of a job's records (contract.md section 7, "Fate of a record"). Sums are derived, so that they
/// hold by construction: every record read is counted exactly once.
package struct JobCounts: Sendable, Hashable {
    package var booksCreated: Int
    package var booksUpdated: Int
    /// Records with nothing new in them.
    package var duplicatesSkipped: Int
    /// Records turned away.
    package var rejected: Int
    /// Books created or updated that a provider matched; at most as many as there are.
    package var enrichmentSucceeded: Int

    package init(
        booksCreated: Int = 0, booksUpdated: Int = 0, duplicatesSkipped: Int = 0, rejected: Int = 0,
        enrichmentSucceeded: Int = 0
    ) {
        self.booksCreated = booksCreated
        self.booksUpdated = booksUpdated
        self.duplicatesSkipped = duplicatesSkipped
        self.rejected = rejected
        self.enrichmentSucceeded = enrichmentSucceeded
    }

    package var successCount: Int { booksCreated + booksUpdated + duplicatesSkipped }
    package var failureCount: Int { rejected }
    package var totalProcessed: Int { successCount + failureCount }
    /// Books that no provider matched, or none has answered for yet.
    package var enrichmentFailed: Int { max(0, booksCreated + booksUpdated - enrichmentSucceeded) }
    /// `195/200`: the csv view's spelling.
    package var successRate: String { "\(successCount)/\(totalProcessed)" }
}
