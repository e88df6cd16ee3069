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
        while !running.server.backend.jobs.waitsForRoom { await SystemClock().sleep(nanoseconds: 5_000_000) }
        #expect(try running.data("/v1/jobs/\(job)", token: token)["status"] as? String == "processing")
        #expect(running.server.backend.jobs.hub[job]?.sentence.contains("disk is full") == true)
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
        while !first.server.backend.jobs.waitsForRoom { await SystemClock().sleep(nanoseconds: 5_000_000) }
        #expect(
            try first.request(
                "DELETE", "/v1/jobs/\(canceled)", [("Authorization", "Bearer \(canceledToken)")]
            )
            .status == 200)
        #expect(try first.wait(for: canceled, canceledToken).last?.event == "canceled")
        await first.server.stop()
        isFull.withLock { $0 = false }
        let second = try await RunningServer(first.sample) { $0.jobs.imports.services = full }
        #expect(try second.wait(for: job, token).last?.event == "completed")
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
