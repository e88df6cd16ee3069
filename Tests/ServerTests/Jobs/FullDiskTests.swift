import Database
import Foundation
import Jobs
import Queries
import Store
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

    @Test func `reading needs no room, because the files for it are there from the start`() async throws {
        let sample = try SampleImport(sharing: try await RunningServer.catalog.value)
        try await sample.run("library.sqlite")
        let store = sample.folder.file("library.sqlite")
        #expect(BookSearch.updateIndex(of: store) == .current)
        let (job, book) = try Self.jobAndBook(of: store)
        // Results are kept for a day.
        let now = SystemClock().epochMilliseconds()
        try Connection(store, .readWrite).execute("UPDATE jobs SET ended_at = \(now)")
        let running = try await RunningServer(sample) { $0.leastRoom = .max }
        // From now on nothing can be made beside store and index.
        for path in [store, BookSearch.indexPath(of: store)] {
            _ = unlink("\(path)-shm")
            try #require(mkdir("\(path)-shm", 0o700) == 0)
        }
        for path in [
            "/v1/jobs/\(job)", "/api/v2/imports/\(job)/results", "/v1/jobs/\(job)/errors", "/page/library",
            "/page/jobs/\(job)", "/page/book?id=\(book)", "/page/export", "/v1/search/title?q=dune",
            "/v1/search/isbn?isbn=9780441172719",
        ] {
            let answer = try running.client().request("GET", path, [])
            #expect(answer.status == 200, "\(path): \(answer.text.prefix(200))")
        }
        await running.server.stop()
    }

    /// The name of the store's job, and the key of a work.
    private static func jobAndBook(of store: String) throws -> (job: String, book: String) {
        let connection = try StoreFile.openForReading(store)
        let work = try connection.string("SELECT key FROM works LIMIT 1")
        return (try #require(try JobTable(connection).all().first?.name), try #require(work))
    }

    @Test func `a store that is made later is kept open, too`() async throws {
        let running = try await RunningServer { $0.leastRoom = .max }
        let held = running.server.backend.held
        #expect(await held.open.isEmpty)
        let (job, token) = try running.accepted("Title\nReef\n")
        try running.wait(for: job, token)
        _ = try running.request("GET", "/v1/search/title?q=reef")
        await held.look()
        let paths = [StorePath.real(running.store), BookSearch.indexPath(of: running.store)]
        #expect(await held.open == Set(paths))
        await running.server.stop()
    }

    @Test func `a store on a disk with room is not kept open`() async throws {
        let running = try await RunningServer(importing: true) { $0.leastRoom = 0 }
        await running.server.backend.held.look()
        #expect(await running.server.backend.held.open.isEmpty)
        await running.server.stop()
    }

    @Test func `a full disk is told with the time of the next try`() throws {
        let answer = Reply.failure(Self.full, now: 0)
        #expect(answer.status == 503 && answer["Retry-After"] == "60")
        guard case .bytes(let bytes) = answer.body else {
            Issue.record("no bytes")
            return
        }
        #expect(String(decoding: bytes, as: UTF8.self).contains(#""code":"INTERNAL_ERROR","retryable":true"#))
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
