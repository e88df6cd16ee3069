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

    mutating func count(_ fate: RecordOutcome, isEnriched: Bool) {
        switch fate {
        case .created, .pending: counts.booksCreated += 1
        case .updated: counts.booksUpdated += 1
        case .duplicate: counts.duplicatesSkipped += 1
        case .rejected: counts.rejected += 1
        }
        if isEnriched, fate == .created || fate == .updated { counts.enrichmentSucceeded += 1 }
    }
}
