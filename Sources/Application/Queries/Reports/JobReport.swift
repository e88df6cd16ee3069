package import Contract
package import Store
package import Syntax

/// Summary of a job: its records, the findings in them, the rows that it changed, and the quality of its books.
package struct JobReport: Sendable {
    package let job: Job
    package let findings: FindingCounts
    package let quality: QualityCounts
    /// Number of changed rows by kind and effect; empty if they are not known, or no longer, or of a large import.
    package let changes: [RowChange.Kind: [RowChange.Effect: Int]]

    package init(
        job: Job, findings: FindingCounts, quality: QualityCounts,
        changes: [RowChange.Kind: [RowChange.Effect: Int]]
    ) {
        self.job = job
        self.findings = findings
        self.quality = quality
        self.changes = changes
    }
}

extension JobReport: JSONObject {
    package func writeFields(into out: inout JSONWriter) {
        out.field("jobId", job.name)
        out.field("pipeline", job.contractPipeline)
        out.field("library", job.library)
        out.field("status", job.state)
        out.field("startedAt", Timestamp.withoutFraction(job.startedAt))
        out.field("endedAt", job.endedAt.map(Timestamp.withoutFraction))
        out.field("undoneBy", job.undoneBy)
        job.counts.totals(into: &out)
        job.counts.bookCounts(into: &out)
        out.field("pending", job.pending - job.decided)
        out.field("joined", job.runState.joined)
        findings.writeFields(into: &out)
        out.key("changes")
        out.object { out in
            for kind in RowChange.Kind.allCases {
                guard let found = changes[kind] else { continue }
                out.key(kind.rawValue)
                out.object { out in
                    for effect in RowChange.Effect.allCases {
                        out.key(effect.rawValue)
                        out.integer(Int64(found[effect] ?? 0))
                    }
                }
            }
        }
        out.field("quality", quality)
        out.field("notLookedUp", quality.namesNotLookedUp)
    }
}
