import Contract
import Foundation
import System
import TestSupport
import Testing

@testable import CommandLineTool
@testable import Store

@Suite struct JobLookupTests {
    private static func job(_ id: Int64, _ status: JobState, updatedAt: Int64) -> Job {
        Job(
            id: id, name: "job-\(id)", pipeline: "csv_import", library: "default", formatName: nil,
            mode: .update, status: status, inputs: [], options: nil, newestDate: nil, startedAt: 0,
            updatedAt: updatedAt, endedAt: nil, totalCount: nil, checkpoint: .start, tailDigest: nil,
            counts: JobCounts(), recordsWithISBN: 0, recordsMatched: 0, busyMilliseconds: 0, failure: nil)
    }

    @Test func `of stopped jobs only the one being run again is processing`() throws {
        let folder = try TemporaryFolder()
        let store = folder.file("s.sqlite")
        let jobs = [
            Self.job(3, .completed, updatedAt: 9), Self.job(2, .processing, updatedAt: 5),
            Self.job(1, .processing, updatedAt: 7),
        ]
        #expect(JobLookup.running(among: jobs, in: store) == nil)
        #expect(JobLookup.statusText(of: jobs[1], running: nil) == "stopped, can be resumed")
        let lock = try StoreLock(store: store)
        #expect(JobLookup.running(among: jobs, in: store) == nil, "a run that has just begun has no job yet")
        lock.writeJobName("job-3")
        #expect(
            JobLookup.running(among: jobs, in: store) == nil, "importing corrections leaves a job completed")
        lock.writeJobName("job-1")
        try StoreLock.requestStop(of: "job-1", store: store)
        let running = JobLookup.running(among: jobs, in: store)
        #expect(running?.id == 1)
        #expect(
            jobs.map { JobLookup.statusText(of: $0, running: running) } == [
                "completed", "stopped, can be resumed", "processing",
            ])
        #expect(
            jobs.map { JobLookup.status(of: $0, running: running, in: store) }.map {
                "\($0.state) \($0.isRunning)"
            }
                == ["completed false", "processing false", "processing true"],
            "a stopped job can go on; clients see that nobody works on it")
        lock.write(RunProgress(done: 17, secondsLeft: 90))
        let status = JobLookup.status(of: jobs[2], running: running, in: store)
        #expect(status.progress.processedCount == 17 && status.secondsLeft == 90)
        lock.write(RunProgress(done: 18))
        #expect(StoreLock.progress(of: "job-1", on: store) == RunProgress(done: 18))
        #expect(StoreLock.progress(of: "job-2", on: store) == nil)
        withExtendedLifetime(lock) {}
    }

    @Test func `a job that was undone says so, whatever its status was`() {
        var job = Self.job(1, .completed, updatedAt: 9)
        job.undoneBy = "undo-1"
        #expect(JobLookup.statusText(of: job, running: nil) == "completed, undone by `undo-1`")
        #expect(JobLookup.statusText(of: job, running: nil, isShort: true) == "undone")
    }
}
