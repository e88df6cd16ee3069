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

/// How far a job has come.
package struct JobProgress: Sendable, Hashable {
    /// Records dealt with, whatever their fate.
    package var processedCount: Int
    /// Records the job has by its structural pre-count; 0 where nothing is known yet.
    package var totalCount: Int

    package init(processedCount: Int, totalCount: Int) {
        self.processedCount = processedCount
        self.totalCount = totalCount
    }

    /// The part that is done, 0–1. A pre-count that proves too small does not lead past 1.
    package var fraction: Double {
        guard totalCount > 0 else { return 0 }
        return min(1, Double(max(0, processedCount)) / Double(totalCount))
    }
}

/// What became of a batch's records: added to its job's figures in the batch's own transaction.
struct BatchTally: Sendable, Hashable {
    var counts = JobCounts()
    /// Records with a valid ISBN.
    var recordsWithISBN = 0
    /// Of these, matched by a provider.
    var recordsMatched = 0

    mutating func add(_ other: BatchTally) {
        counts.booksCreated += other.counts.booksCreated
        counts.booksUpdated += other.counts.booksUpdated
        counts.duplicatesSkipped += other.counts.duplicatesSkipped
        counts.rejected += other.counts.rejected
        counts.enrichmentSucceeded += other.counts.enrichmentSucceeded
        recordsWithISBN += other.recordsWithISBN
        recordsMatched += other.recordsMatched
    }

    mutating func count(_ outcome: RecordOutcome, isEnriched: Bool) {
        switch outcome {
        case .created, .pending: counts.booksCreated += 1
        case .updated: counts.booksUpdated += 1
        case .duplicate: counts.duplicatesSkipped += 1
        case .rejected: counts.rejected += 1
        }
        if isEnriched, outcome == .created || outcome == .updated { counts.enrichmentSucceeded += 1 }
    }
}
