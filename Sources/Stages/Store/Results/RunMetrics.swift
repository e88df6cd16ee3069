package import Pipeline
import Services

/// What the last run of a job that read records has measured, kept with the job: how long each stage worked and
/// waited, and how services answered.
package struct RunMetrics: Sendable, Hashable, Codable {
    /// A stage in the order of the pipeline. Times are milliseconds, summed over its workers.
    package struct Stage: Sendable, Hashable, Codable {
        package var name: String
        package var recordsIn: Int
        package var recordsOut: Int
        package var rejected: Int
        package var busy: Int64
        /// Waiting for a batch.
        package var waitingForInput: Int64
        /// Waiting for room downstream.
        package var waitingForOutput: Int64
    }

    /// A service that was asked.
    package struct Service: Sendable, Hashable, Codable {
        package var name: String
        /// Requests sent; each attempt counts.
        package var requests: Int
        package var failed: Int
        /// Questions answered from the cache.
        package var cached: Int
        package var found: Int
        package var notFound: Int
        /// The median response time in milliseconds; nil without a response.
        package var median: Double?

        package init(
            name: String, requests: Int, failed: Int, cached: Int, found: Int, notFound: Int, median: Double?
        ) {
            self.name = name
            self.requests = requests
            self.failed = failed
            self.cached = cached
            self.found = found
            self.notFound = notFound
            self.median = median
        }
    }

    /// Duration in milliseconds.
    package var duration: Int64
    package var stages: [Stage]
    /// The stage that limited the speed; nil if no work was done.
    package var bottleneck: String?
    package var services: [Service]

    /// - Parameter duration: Milliseconds.
    package init(_ report: RunReport, services: [Service], duration: Int64) {
        self.duration = duration
        stages = report.stages.map { stage in
            Stage(
                name: stage.name, recordsIn: stage.recordsIn, recordsOut: stage.recordsOut,
                rejected: stage.rejected, busy: Int64(stage.busy / 1_000_000),
                waitingForInput: Int64(stage.blockedOnInput / 1_000_000),
                waitingForOutput: Int64(stage.blockedOnOutput / 1_000_000))
        }
        bottleneck = report.stages.bottleneck?.name
        self.services = services
    }
}
