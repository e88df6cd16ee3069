package import Books
package import Database
package import Pipeline
package import Syntax

/// What a job did, computed from the store: its records, what was found in them, the rows that it changed, and the
/// quality of its books.
package struct JobReport: Sendable {
    package let job: Job
    package let findings: FindingCounts
    package let quality: QualityTally
    /// Number of changed rows by kind and effect; empty if they are not known, or no longer, or of a large import.
    package private(set) var changes: [RowChange.Kind: [RowChange.Effect: Int]] = [:]

    /// Changed rows of jobs that created more are not counted.
    private static let mostCreated = 50_000

    package init(of job: Job, in connection: Connection) throws(StageFailure) {
        self.job = job
        findings = try FindingCounter(connection).counts(of: job)
        quality = try QualityMetrics(connection).tally(of: job)
        let isKnown = try SQLiteError.reported { () throws(SQLiteError) in
            guard try JobTable.hasJournal(connection) else { return false }
            let runs = try RunHistory(connection).runs(of: [job.id])
            return !runs.isEmpty && runs.allSatisfy(\.isKnown)
        }
        // Each created row would be read.
        guard isKnown, job.counts.booksCreated <= Self.mostCreated else { return }
        var changes: [RowChange.Kind: [RowChange.Effect: Int]] = [:]
        try LibraryDifference(connection, of: job.name, with: nil).visit { change in
            changes[change.kind, default: [:]][change.effect, default: 0] += 1
        }
        self.changes = changes
    }
}

extension JobReport: JSONWritable {
    package func write(into out: inout JSONWriter) {
        out.object { out in
            out.field("jobId", job.name)
            out.field("pipeline", job.contractPipeline)
            out.field("library", job.library)
            out.field("status", job.state)
            out.field("startedAt", Timestamp.withoutFraction(job.startedAt))
            out.field("endedAt", job.endedAt.map(Timestamp.withoutFraction))
            out.field("undoneBy", job.undoneBy)
            job.counts.writeTotals(into: &out)
            job.counts.writeBookCounts(into: &out)
            out.field("pending", job.pending - job.decided)
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
        }
    }
}
