import Pipeline
import System
import TestSupport
import Testing

@testable import Database
@testable import Jobs
@testable import Store

@Suite struct JobCancellationTests {
    @Test func `a running job stops after the current batch and can be resumed`() async throws {
        var sample = try await SampleImport()
        sample.batchRecords = 2
        try await sample.run("whole.sqlite")
        let store = sample.folder.file("s.sqlite")
        let answers = Guarded<[JobCancellation.Answer]>([])
        let name = Guarded<String?>(nil)
        let outcome = try await sample.run(
            "s.sqlite",
            observing: { event in
                if case .began(let job) = event { name.withLock { $0 = job.name } }
                guard case .ran(.committed) = event, answers.withLock({ $0.isEmpty }),
                    let job = name.withLock({ $0 }), let answer = try? JobCancellation.request(job, in: store)
                else { return }
                answers.withLock { $0.append(answer) }
            })
        #expect(answers.withLock { $0 } == [.requested])
        #expect(outcome.end == .canceled)
        #expect(outcome.job.status == .canceled)
        #expect(outcome.job.counts.totalProcessed < 135)
        // A request to the first run does not apply to the second.
        var request = try sample.request(store: store)
        request.jobName = outcome.job.name
        #expect(try await ImportJob(request, clock: ManualClock()).run().end == .completed)
        #expect(try sample.dump("s.sqlite") == sample.dump("whole.sqlite"))
    }

    @Test func `a request for another job stops nothing`() throws {
        let folder = try TemporaryFolder()
        var lock: StoreLock? = try StoreLock(store: folder.file("s.sqlite"))
        #expect(lock?.isCancelRequested(of: "mine") == false)
        try StoreLock.requestStop(of: "mine too", store: folder.file("s.sqlite"))
        #expect(lock?.isCancelRequested(of: "mine") == false)
        try StoreLock.requestStop(of: "mine", store: folder.file("s.sqlite"))
        #expect(lock?.isCancelRequested(of: "mine") == true)
        lock = nil
        lock = try StoreLock(store: folder.file("s.sqlite"))
        #expect(lock?.isCancelRequested(of: "mine") == false)
    }

    // MARK: A killed job while another process has the store

    /// A store with a job that a killed run left as processing.
    private func storeOfKilledJob(in folder: TemporaryFolder) throws -> String {
        let store = folder.file("s.sqlite")
        let request = JobRequest(
            name: "killed", freshName: "killed", pipeline: "csv_import", library: "default", formatName: nil,
            inputs: [])
        _ = try JobTable(try StoreFile.openForWriting(store)).start(request, now: 1)
        return store
    }

    @Test func `a job whose records wait for services is canceled, so that a retry leaves it alone`() throws {
        let folder = try TemporaryFolder()
        let store = try storeOfKilledJob(in: folder)
        let connection = try StoreFile.openForWriting(store)
        try connection.execute("UPDATE jobs SET status = 'completed'")
        #expect(try JobCancellation.request("killed", in: store) == .ended(.completed))
        try connection.execute(
            "INSERT INTO pending(job, file, row, reasons) SELECT id, 0, 2, 'openlibrary:rate_limited' FROM jobs"
        )
        #expect(try JobCancellation.request("killed", in: store) == .canceled)
        #expect(try status(in: store) == .canceled)
    }

    private func status(in store: String) throws -> JobState? {
        try JobTable(try StoreFile.openForReading(store)).job(named: "killed")?.status
    }

    @Test func `a killed job is canceled while another job's run has the store`() throws {
        let folder = try TemporaryFolder()
        let store = try storeOfKilledJob(in: folder)
        let lock = try StoreLock(store: store)
        lock.writeJobName("another")
        var pauses = 0
        #expect(try JobCancellation.request("killed", in: store) { pauses += 1 } == .canceled)
        #expect(pauses == 0)
        #expect(try status(in: store) == .canceled)
        #expect(!lock.isCancelRequested(of: "another"))
    }

    @Test func `a run that has not announced its job yet is waited for`() throws {
        let folder = try TemporaryFolder()
        let store = try storeOfKilledJob(in: folder)
        let lock = try StoreLock(store: store)
        let answer = try JobCancellation.request("killed", in: store) { lock.writeJobName("killed") }
        #expect(answer == .requested)
        #expect(lock.isCancelRequested(of: "killed"))
        #expect(try status(in: store) == .processing, "its run records the end")
    }

    @Test func `a run that never announces its job does not prevent canceling and finds the request later`()
        throws
    {
        let folder = try TemporaryFolder()
        let store = try storeOfKilledJob(in: folder)
        let lock = try StoreLock(store: store)
        var pauses = 0
        #expect(try JobCancellation.request("killed", in: store) { pauses += 1 } == .canceled)
        #expect((1...100).contains(pauses))
        #expect(try status(in: store) == .canceled)
        lock.writeJobName("killed")
        #expect(lock.isCancelRequested(of: "killed"))
    }

    @Test func `a job that ends while its run is waited for stays ended`() throws {
        let folder = try TemporaryFolder()
        let store = try storeOfKilledJob(in: folder)
        var lock: StoreLock? = try StoreLock(store: store)
        let answer = try JobCancellation.request("killed", in: store) {
            guard lock != nil else { return }
            try? Connection(store, .readWrite).execute("UPDATE jobs SET status = 'completed'")
            lock = nil
        }
        #expect(answer == .ended(.completed))
        #expect(try status(in: store) == .completed)
    }
}
