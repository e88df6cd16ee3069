import Contract
import Pipeline
import System
import Testing

@testable import Queries
@testable import Store

@Suite struct JobStatusTests {
    private static func job(pausedBy pause: JobPause?) -> Job {
        var job = Job(
            id: 1, name: "j", pipeline: "csv_import", library: "default", formatName: nil, mode: .update,
            status: .completed, inputs: [], options: nil, newestDate: nil, startedAt: 0, updatedAt: 0,
            endedAt: 0, totalCount: 10, checkpoint: .start, tailDigest: nil,
            counts: JobCounts(booksCreated: 8, rejected: 2, enrichmentSucceeded: 7), recordsWithISBN: 0,
            recordsMatched: 0, busyMilliseconds: 0, failure: nil, pending: 8)
        job.runState.pause = pause
        return job
    }

    @Test func `a completed job is at 1, and what services have not answered is counted apart`() {
        let status = Self.job(pausedBy: nil).statusDTO(isRunning: false)
        #expect(status.state == .completed && status.fraction == 1)
        #expect(status.progress.processedCount == 10 && status.pending == 8)
    }

    @Test func `a job that waits for a service is as far as its finished records`() {
        let pause = JobPause(services: ["google-books"], resumeAt: 5)
        let status = Self.job(pausedBy: pause).statusDTO(isRunning: false)
        #expect(status.state == .processing && status.fraction == 0.2)
        #expect(status.progress.processedCount == 2 && status.pending == 8 && status.resumeAt == 5)
    }
}
