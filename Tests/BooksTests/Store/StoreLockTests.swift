import Foundation
import Pipeline
import TestSupport
import Testing

@testable import Books

@Suite struct StoreLockTests {
    private let folder: TemporaryFolder
    private var store: String { folder.file("library.sqlite") }

    init() throws { folder = try TemporaryFolder() }

    @Test func `a second writer is turned away for now, and told what to do`() throws {
        let lock = try StoreLock(store: store)
        defer { withExtendedLifetime(lock) {} }
        var pauses = 0
        do {
            _ = try StoreLock(store: store) { pauses += 1 }
            Issue.record("Two writers hold one store.")
        } catch {
            #expect((1...20).contains(pauses), "it may have been somebody who only looked")
            #expect(error.kind == .temporary)
            #expect(error.message.contains(store))
            #expect(error.advice?.refers(to: UserCommand.cancel(job: nil)) == true)
        }
    }

    @Test func `a second writer is told which job to stop`() throws {
        let lock = try StoreLock(store: store)
        lock.tell("spring")
        let failure = #expect(throws: StageFailure.self) { _ = try StoreLock(store: store) {} }
        #expect(failure?.advice?.refers(to: UserCommand.cancel(job: "spring")) == true)
        withExtendedLifetime(lock) {}
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

    @Test func `those who look stand in no writer's way, nor in each other's`() throws {
        _ = try StoreLock(store: store)
        let descriptor = open(store + ".lock", O_RDONLY)
        try #require(flock(descriptor, LOCK_SH | LOCK_NB) == 0)
        #expect(!StoreLock.isHeld(store: store), "somebody else looks")
        var pauses = 0
        let lock = try StoreLock(store: store) {
            pauses += 1
            if pauses == 2 { close(descriptor) }
        }
        #expect(pauses == 2)
        #expect(StoreLock.isHeld(store: store))
        withExtendedLifetime(lock) {}
    }

    // MARK: One store by several paths

    /// Other paths of the store: `linked.sqlite` and a folder `other` are links.
    private func otherPaths() throws -> [String] {
        let files = FileManager.default
        try files.createDirectory(atPath: folder.file("shelf"), withIntermediateDirectories: false)
        try files.createSymbolicLink(atPath: folder.file("other"), withDestinationPath: folder.path)
        try files.createSymbolicLink(
            atPath: folder.file("linked.sqlite"), withDestinationPath: "other/library.sqlite")
        try files.createSymbolicLink(
            atPath: folder.file("shelf/far.sqlite"), withDestinationPath: folder.file("linked.sqlite"))
        // As many steps up as there can be folders above this one: from there every path is a whole one.
        let top = String(repeating: "../", count: files.currentDirectoryPath.split(separator: "/").count)
        return [
            "linked.sqlite", "other/library.sqlite", "shelf/../library.sqlite", "./library.sqlite",
            "shelf/far.sqlite",
        ].map { folder.file($0) } + [top + folder.file("linked.sqlite").dropFirst()]
    }

    @Test(arguments: [false, true])
    func `a store has one lock, by whatever path it is called`(isThere: Bool) throws {
        if isThere { _ = try folder.write("", to: "library.sqlite") }
        let paths = try otherPaths()
        var lock: StoreLock? = try StoreLock(store: store)
        lock?.tell("monday")
        for path in paths {
            #expect(StoreLock.jobRun(on: path) == "monday", "\(path)")
            #expect(throws: StageFailure.self, "\(path)") { try second(path) }
            try StoreLock.requestStop(of: path, store: path)
            #expect(lock?.isStopRequested(of: path) == true)
        }
        for path in paths {
            lock = nil
            lock = try StoreLock(store: path)
            #expect(StoreLock.isHeld(store: store))
        }
        #expect(folder.names.filter { $0.hasSuffix(".lock") } == ["library.sqlite.lock"])
    }

    private func second(_ path: String) throws(StageFailure) -> StoreLock {
        try StoreLock(store: path, pausing: {})
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
        var lock: StoreLock? = try StoreLock(store: store)
        try StoreLock.requestStop(of: "a-rather-long-name", store: store)
        try StoreLock.requestStop(of: "b", store: store)
        #expect(lock?.isStopRequested(of: "b") == true)
        #expect(lock?.isStopRequested(of: "a-rather-long-name") == false)
        lock = nil
        lock = try StoreLock(store: store)
        #expect(lock?.isStopRequested(of: "b") == false)
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
