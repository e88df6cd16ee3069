import Syntax

/// A job's records by outcome. Each record is counted once, and sums are computed, so they always add up.
package struct JobCounts: Sendable, Hashable {
    package var booksCreated: Int
    package var booksUpdated: Int
    /// Records without anything new.
    package var duplicatesSkipped: Int
    package var rejected: Int
    /// Created or updated books that a provider matched, whatever other services have not answered yet.
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
    /// Created or updated books that no provider has matched, so far or at all.
    package var enrichmentFailed: Int { max(0, booksCreated + booksUpdated - enrichmentSucceeded) }
    /// The form of the csv view: `195/200`.
    package var successRate: String { "\(successCount)/\(totalProcessed)" }
}

/// Progress of a job.
package struct JobProgress: Sendable, Hashable {
    /// Records processed, whatever their outcome.
    package var processedCount: Int
    /// Records in the job according to the count before it started; 0 if unknown.
    package var totalCount: Int

    package init(processedCount: Int, totalCount: Int) {
        self.processedCount = processedCount
        self.totalCount = totalCount
    }

    /// The share that is done, 0–1. At most 1, even if the count was too low.
    package var fraction: Double {
        guard totalCount > 0 else { return 0 }
        return min(1, Double(max(0, processedCount)) / Double(totalCount))
    }
}

/// Number of rows that a change of the library deletes and restores.
package struct RowCounts: Sendable, Hashable, Codable {
    /// Rows of one table.
    package struct Count: Sendable, Hashable, Codable {
        package var deleted: Int
        /// Rows that had been changed or deleted.
        package var restored: Int
    }

    package var works: Count
    package var editions: Count
    package var authors: Count
    package var entries: Count
}

/// The state of a job.
package enum JobState: String, JSONWritable, Sendable, CaseIterable {
    case initialized, processing, completed, failed, canceled
}

/// The pipelines that clients know by name.
package enum JobPipeline: String, JSONWritable, Sendable, CaseIterable {
    case csvImport = "csv_import"
    case batchEnrichment = "batch_enrichment"
    case aiScan = "ai_scan"
}
