import Database
import Foundation
import Jobs
import System
import TestSupport
import Testing

@testable import Server

/// A job while the disk is full.
@Suite(.ownThread) struct FullDiskTests {
    private static var full: ETLError {
        var failure = ETLError(.inputOutput, "The disk is full: `library.sqlite` cannot grow.")
        failure.fault = DatabaseFault(.full, "database or disk is full", path: "library.sqlite")
        return failure
    }

    private static func services(unless isFull: Guarded<Bool>) -> ImportRequest.Services {
        { _, _, _ throws(ETLError) in
            guard isFull.withLock({ $0 }) else { return ServiceSettings() }
            throw full
        }
    }

    @Test func `an accepted upload waits for room, says so, and goes on`() async throws {
        let isFull = Guarded(true)
        let running = try await RunningServer { $0.jobs.imports.services = Self.services(unless: isFull) }
        let (job, token) = try running.accepted("Title\nReef\n")
        await running.told(job) { $0.sentence.contains("disk is full") }
        #expect(try running.data("/v1/jobs/\(job)", token: token)["status"] as? String == "processing")
        let ready = try running.request("GET", "/ready")
        #expect(ready.status == 503 && ready.text.contains("room"), "\(ready.text)")
        isFull.withLock { $0 = false }
        #expect(try running.wait(for: job, token).last?.event == "completed")
        #expect(try running.request("GET", "/ready").status == 200)
        await running.server.stop()
    }

    @Test func `a job that waits for room can be canceled, and goes on after a restart`() async throws {
        let isFull = Guarded(true)
        let full = Self.services(unless: isFull)
        let first = try await RunningServer { $0.jobs.imports.services = full }
        let (canceled, canceledToken) = try first.accepted("Title\nShore\n")
        let (job, token) = try first.accepted("Title\nReef\n")
        await first.told(canceled) { $0.sentence.contains("disk is full") }
        #expect(try first.cancel(canceled, canceledToken).status == 200)
        #expect(try first.wait(for: canceled, canceledToken).last?.event == "canceled")
        await first.server.stop()
        isFull.withLock { $0 = false }
        let second = try await RunningServer(first.sample) { $0.jobs.imports.services = full }
        #expect(try second.wait(for: job, token).last?.event == "completed")
        await second.server.stop()
    }

    @Test func `a cancellation holds while the queue cannot be written, and is written later`() async throws {
        let isFull = Guarded(true)
        let full = Self.services(unless: isFull)
        let first = try await RunningServer { $0.jobs.imports.services = full }
        let jobs = first.server.backend.jobs
        let (runs, runningToken) = try first.accepted("Title\nShore\n")
        let (waits, waitingToken) = try first.accepted("Title\nReef\n")
        await first.told(runs) { $0.sentence.contains("disk is full") }
        try await jobs.queue.refuseWrites(true)
        for (job, token) in [(waits, waitingToken), (runs, runningToken)] {
            #expect(try first.cancel(job, token).status == 200)
            #expect(try first.wait(for: job, token).last?.event == "canceled")
            #expect(try first.data("/v1/jobs/\(job)", token: token)["status"] as? String == "canceled")
        }
        // Nothing can be written yet.
        await jobs.queue.writeEnds()
        #expect(jobs.queue.hasUnwrittenEnds)
        #expect(try await jobs.queue.all().allSatisfy { !$0.state.isEnd })
        try await jobs.queue.refuseWrites(false)
        first.server.backend.tick()
        await first.server.stop()
        isFull.withLock { $0 = false }
        let second = try await RunningServer(first.sample) { $0.jobs.imports.services = full }
        for (job, token) in [(runs, runningToken), (waits, waitingToken)] {
            #expect(try second.wait(for: job, token).last?.event == "canceled")
        }
        #expect(second.server.backend.jobs.recent().allSatisfy { $0.state == .canceled })
        await second.server.stop()
    }

    @Test func `failures show what a job waits for`() {
        func obstacle(_ kind: ETLError.Kind, free: Int?) -> JobRunner.Obstacle? {
            JobRunner.Obstacle(ETLError(kind, "It failed."), free: free)
        }
        #expect(JobRunner.Obstacle(Self.full, free: nil) == .fullDisk)
        #expect(obstacle(.temporary, free: 0) == .otherProgram)
        #expect(obstacle(.inputOutput, free: 1_000) == .fullDisk)
        #expect(obstacle(.inputOutput, free: nil) == nil && obstacle(.inputOutput, free: 1 << 30) == nil)
        #expect(obstacle(.unusableInput, free: 0) == nil)
        let pauses = (1...7).map { JobRunner.Obstacle.fullDisk.pause(failures: $0) / 1_000_000_000 }
        #expect(pauses == [1, 2, 4, 8, 16, 16, 16])
    }
}

extension JobQueue {
    /// Makes all writes fail, as on a full disk, or no longer.
    func refuseWrites(_ refuses: Bool) throws(ETLError) {
        try connection.execute("PRAGMA query_only = \(refuses ? 1 : 0)")
    }
}
