import Syntax

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
