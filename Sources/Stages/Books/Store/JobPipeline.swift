import Syntax

/// The pipelines clients know by name (contract.md section 7).
package enum JobPipeline: String, JSONWritable, Sendable, CaseIterable {
    case csvImport = "csv_import"
    case batchEnrichment = "batch_enrichment"
    case aiScan = "ai_scan"
}
