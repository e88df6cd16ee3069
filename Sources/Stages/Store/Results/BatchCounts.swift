/// The outcomes of a batch's records. Added to the job's counts in the batch's transaction.
struct BatchCounts: Sendable, Hashable {
    var counts = JobCounts()
    /// Records with a valid ISBN.
    var recordsWithISBN = 0
    /// Those of ``recordsWithISBN`` that a provider matched.
    var recordsMatched = 0

    mutating func add(_ other: BatchCounts) {
        counts.booksCreated += other.counts.booksCreated
        counts.booksUpdated += other.counts.booksUpdated
        counts.duplicatesSkipped += other.counts.duplicatesSkipped
        counts.rejected += other.counts.rejected
        counts.enrichmentSucceeded += other.counts.enrichmentSucceeded
        recordsWithISBN += other.recordsWithISBN
        recordsMatched += other.recordsMatched
    }

    /// Counts a record.
    ///
    /// - Parameter isEnriched: Whether a provider matched it.
    mutating func count(_ outcome: RecordOutcome, isEnriched: Bool) {
        switch outcome {
        case .created, .pending: counts.booksCreated += 1
        case .updated: counts.booksUpdated += 1
        case .duplicate: counts.duplicatesSkipped += 1
        case .rejected: counts.rejected += 1
        }
        switch outcome {
        // Pending: other answers than a provider's match are missing.
        case .created, .updated, .pending: if isEnriched { counts.enrichmentSucceeded += 1 }
        case .duplicate, .rejected: break
        }
    }
}
