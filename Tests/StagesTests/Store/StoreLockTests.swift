import Pipeline
import TestSupport
import Testing

@testable import Stages

@Suite struct StoreLockTests {
    private let folder: TemporaryFolder
    private var store: String { folder.file("library.sqlite") }

    init() throws { folder = try TemporaryFolder() }

    @Test func `a second writer is turned away for now, and told what to do`() throws {
        let lock = try StoreLock(store: store)
        defer { withExtendedLifetime(lock) {} }
        do {
            _ = try StoreLock(store: store)
            Issue.record("Two writers hold one store.")
        } catch {
            #expect(error.kind == .temporary)
            #expect(error.message.contains(store))
            #expect(error.advice != nil)
        }
    }

    @Test func `whoever looks learns whether the store is held, and takes nothing`() throws {
        #expect(!StoreLock.isHeld(store: store))
        #expect(folder.names.isEmpty)
        var lock: StoreLock? = try StoreLock(store: store)
        #expect(lock != nil)
        #expect(StoreLock.isHeld(store: store))
        lock = nil
        #expect(!StoreLock.isHeld(store: store))
        _ = try StoreLock(store: store)
    }

    @Test func `a folder that is not there is said to be the trouble`() throws {
        do {
            _ = try StoreLock(store: folder.file("nowhere/library.sqlite"))
            Issue.record("There is no such folder.")
        } catch {
            #expect(error.kind == .cannotCreate)
        }
    }

    @Test func `a request to stop reaches the job it names, and no other`() throws {
        let lock = try StoreLock(store: store)
        #expect(!lock.isStopRequested(of: "monday"))
        try StoreLock.requestStop(of: "monday", store: store)
        #expect(lock.isStopRequested(of: "monday"))
        #expect(!lock.isStopRequested(of: "mon"))
        #expect(!lock.isStopRequested(of: "monday-2"))
        #expect(!lock.isStopRequested(of: ""))
    }

    @Test func `the last request counts, and none that was made of an earlier run`() throws {
        let lock = try StoreLock(store: store)
        try StoreLock.requestStop(of: "a-rather-long-name", store: store)
        try StoreLock.requestStop(of: "b", store: store)
        #expect(lock.isStopRequested(of: "b"))
        #expect(!lock.isStopRequested(of: "a-rather-long-name"))
        lock.forgetEarlierRun()
        #expect(!lock.isStopRequested(of: "b"))
    }

    @Test func `whoever looks learns which job is run, as long as it is`() throws {
        #expect(StoreLock.jobRun(on: store) == nil)
        var lock: StoreLock? = try StoreLock(store: store)
        #expect(StoreLock.jobRun(on: store) == nil)
        lock?.tell("a-rather-long-name")
        #expect(StoreLock.jobRun(on: store) == "a-rather-long-name")
        try StoreLock.requestStop(of: "monday", store: store)
        lock?.tell("Dienstag ☕")
        #expect(StoreLock.jobRun(on: store) == "Dienstag ☕")
        #expect(lock?.isStopRequested(of: "monday") == true)
        lock = nil
        #expect(StoreLock.jobRun(on: store) == nil)
        lock = try StoreLock(store: store)
        #expect(StoreLock.jobRun(on: store) == nil, "what the one before ran is forgotten")
    }

    @Test func `nobody can be asked where no run has ever been`() throws {
        do {
            try StoreLock.requestStop(of: "monday", store: store)
            Issue.record("There is no lock file.")
        } catch {
            #expect(error.kind == .permission)
        }
    }
}
