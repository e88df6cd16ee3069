import Contract
package import Database
package import Store
package import System

extension JobReport {
    /// Changed rows of jobs that created more are not counted, because each created row would be read.
    private static let mostCreated = 50_000

    /// The report of a stored job.
    ///
    /// - Parameter connection: A store opened for reading.
    package init(of job: Job, in connection: Connection) throws(ETLError) {
        let runs = try RunHistory(connection).runs(of: [job.id])
        let isKnown = !runs.isEmpty && runs.allSatisfy(\.isKnown)
        var changes: [RowChange.Kind: [RowChange.Effect: Int]] = [:]
        if isKnown, job.counts.booksCreated <= Self.mostCreated {
            try LibraryDifference(connection, of: job.name, with: nil).visit { change in
                changes[change.kind, default: [:]][change.effect, default: 0] += 1
            }
        }
        self.init(
            job: job, findings: try FindingCounter(connection).counts(of: job),
            quality: try QualityMetrics(connection).counts(of: job), changes: changes)
    }
}
