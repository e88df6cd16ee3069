import Foundation
import System
import TestSupport
import Testing

@testable import Books
@testable import Store

@Suite struct StoreLockTests {
    private let folder: TemporaryFolder
    private var store: String { folder.file("library.sqlite") }

    init() throws { folder = try TemporaryFolder() }

    @Test func `a second writer is rejected as temporary, with advice`() throws {
        let lock = try StoreLock(store: store)
        defer { withExtendedLifetime(lock) {} }
        var pauses = 0
        do {
            _ = try StoreLock(store: store) { pauses += 1 }
            Issue.record("two writers hold one store")
        } catch {
            #expect((1...20).contains(pauses), "the lock may be held briefly by a check")
            #expect(error.kind == .temporary)
            #expect(error.message.contains(store))
            #expect(error.advice?.refers(to: UserCommand.cancel(job: nil)) == true)
        }
    }

    @Test func `a second writer's error names the job to cancel`() throws {
        let lock = try StoreLock(store: store)
        lock.writeJobName("spring")
        let failure = #expect(throws: ETLError.self) { _ = try StoreLock(store: store) {} }
        #expect(failure?.advice?.refers(to: UserCommand.cancel(job: "spring")) == true)
        withExtendedLifetime(lock) {}
    }

    @Test func `a check sees whether the store is locked and does not lock it`() throws {
        #expect(!StoreLock.isHeld(store: store))
        #expect(folder.names.isEmpty)
        var lock: StoreLock? = try StoreLock(store: store)
        #expect(lock != nil)
        #expect(StoreLock.isHeld(store: store))
        lock = nil
        #expect(!StoreLock.isHeld(store: store))
        _ = try StoreLock(store: store)
    }

    @Test func `a file that is not a lock is neither emptied nor followed`() throws {
        let path = store + ".lock"
        for text in ["minutes of the meeting\n", String(repeating: "a", count: 9_000)] {
            _ = try folder.write(text, to: "library.sqlite.lock")
            let failure = #expect(throws: ETLError.self) { _ = try StoreLock(store: store) }
            #expect(failure?.kind == .cannotCreate)
            #expect(try String(contentsOfFile: path, encoding: .utf8) == text)
        }
        unlink(path)
        let precious = try folder.write("data", to: "precious")
        try FileManager.default.createSymbolicLink(atPath: path, withDestinationPath: precious)
        #expect(throws: ETLError.self) { _ = try StoreLock(store: store) }
        #expect(throws: ETLError.self) { try StoreLock.requestStop(of: "spring", store: store) }
        #expect(!StoreLock.isHeld(store: store))
        #expect(try String(contentsOfFile: precious, encoding: .utf8) == "data")
        unlink(path)
        #expect(mkfifo(path, 0o600) == 0)
        #expect(!StoreLock.isHeld(store: store), "a pipe is not waited for")
    }

    @Test func `a lock file whose last text lost its end in a power failure is one`() throws {
        let job = String(repeating: "\0", count: 4_096) + "big"
        for text in [job, job + String(repeating: "\0", count: 1_021) + "135"] {
            _ = try folder.write(text, to: "library.sqlite.lock")
            let lock = try StoreLock(store: store)
            #expect(StoreLock.isHeld(store: store))
            withExtendedLifetime(lock) {}
        }
        // No job's name is that long.
        _ = try folder.write(String(repeating: "a", count: 5_000), to: "library.sqlite.lock")
        #expect(throws: ETLError.self) { _ = try StoreLock(store: store) }
    }

    @Test func `the lock of a killed run is taken over`() throws {
        _ = try folder.write(
            "spring" + String(repeating: "\0", count: 4_090) + "a.b_c-9\0", to: "library.sqlite.lock")
        let lock = try StoreLock(store: store)
        #expect(StoreLock.holder(of: store) == .unnamed)
        withExtendedLifetime(lock) {}
    }

    @Test(arguments: [":memory:", "file:x.sqlite", "file:x?mode=memory", "/dev/null", "/", "x/"])
    func `what is not a file is no store`(path: String) {
        #expect(throws: ETLError.self) { _ = try StoreLock(store: path) }
        #expect(throws: ETLError.self) { _ = try StoreFile.openForReading(path) }
        #expect(throws: ETLError.self) { _ = try StoreFile.openForWriting(path) }
    }

    @Test func `a file can have a name that means something to SQLite`() throws {
        for name in [":memory:", "file:x?mode=memory", "a b%20c#d?e"] {
            let path = folder.file(name)
            _ = try StoreFile.openForWriting(path)
            #expect(FileManager.default.fileExists(atPath: path))
            _ = try StoreFile.openForReading(path)
        }
    }

    @Test func `checks block neither writers nor each other`() throws {
        _ = try StoreLock(store: store)
        let descriptor = open(store + ".lock", O_RDONLY)
        try #require(flock(descriptor, LOCK_SH | LOCK_NB) == 0)
        #expect(!StoreLock.isHeld(store: store), "another process checks")
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

    /// Other paths to the store: `linked.sqlite` and a folder `other` are links.
    private func otherPaths() throws -> [String] {
        let files = FileManager.default
        try files.createDirectory(atPath: folder.file("shelf"), withIntermediateDirectories: false)
        try files.createSymbolicLink(atPath: folder.file("other"), withDestinationPath: folder.path)
        try files.createSymbolicLink(
            atPath: folder.file("linked.sqlite"), withDestinationPath: "other/library.sqlite")
        try files.createSymbolicLink(
            atPath: folder.file("shelf/far.sqlite"), withDestinationPath: folder.file("linked.sqlite"))
        // At least as many steps up as there are folders above this one, which leads to the root.
        let top = String(repeating: "../", count: files.currentDirectoryPath.split(separator: "/").count)
        return [
            "linked.sqlite", "other/library.sqlite", "shelf/../library.sqlite", "./library.sqlite",
            "shelf/far.sqlite",
        ].map { folder.file($0) } + [top + folder.file("linked.sqlite").dropFirst()]
    }

    @Test(arguments: [false, true])
    func `a store has one lock, whatever path is used`(isThere: Bool) throws {
        if isThere { _ = try folder.write("", to: "library.sqlite") }
        let paths = try otherPaths()
        var lock: StoreLock? = try StoreLock(store: store)
        lock?.writeJobName("monday")
        for path in paths {
            #expect(StoreLock.jobRun(on: path) == "monday", "\(path)")
            #expect(throws: ETLError.self, "\(path)") { try second(path) }
            try StoreLock.requestStop(of: path, store: path)
            #expect(lock?.isCancelRequested(of: path) == true)
        }
        for path in paths {
            lock = nil
            lock = try StoreLock(store: path)
            #expect(StoreLock.isHeld(store: store))
        }
        #expect(folder.names.filter { $0.hasSuffix(".lock") } == ["library.sqlite.lock"])
    }

    private func second(_ path: String) throws(ETLError) -> StoreLock {
        try StoreLock(store: path, pausing: {})
    }

    @Test func `a missing folder is reported`() throws {
        do {
            _ = try StoreLock(store: folder.file("nowhere/library.sqlite"))
            Issue.record("a missing folder was locked")
        } catch {
            #expect(error.kind == .cannotCreate)
        }
    }

    @Test func `a stop request reaches only the job it names`() throws {
        let lock = try StoreLock(store: store)
        #expect(!lock.isCancelRequested(of: "monday"))
        try StoreLock.requestStop(of: "monday", store: store)
        #expect(lock.isCancelRequested(of: "monday"))
        #expect(!lock.isCancelRequested(of: "mon"))
        #expect(!lock.isCancelRequested(of: "monday-2"))
        #expect(!lock.isCancelRequested(of: ""))
    }

    @Test func `the last stop request counts, and none made to an earlier run`() throws {
        var lock: StoreLock? = try StoreLock(store: store)
        try StoreLock.requestStop(of: "a-rather-long-name", store: store)
        try StoreLock.requestStop(of: "b", store: store)
        #expect(lock?.isCancelRequested(of: "b") == true)
        #expect(lock?.isCancelRequested(of: "a-rather-long-name") == false)
        lock = nil
        lock = try StoreLock(store: store)
        #expect(lock?.isCancelRequested(of: "b") == false)
    }

    @Test func `a check sees which job runs, while it runs`() throws {
        #expect(StoreLock.jobRun(on: store) == nil)
        var lock: StoreLock? = try StoreLock(store: store)
        #expect(StoreLock.jobRun(on: store) == nil)
        lock?.writeJobName("a-rather-long-name")
        #expect(StoreLock.jobRun(on: store) == "a-rather-long-name")
        try StoreLock.requestStop(of: "monday", store: store)
        lock?.writeJobName("Dienstag ☕")
        #expect(StoreLock.jobRun(on: store) == "Dienstag ☕")
        #expect(lock?.isCancelRequested(of: "monday") == true)
        lock = nil
        #expect(StoreLock.jobRun(on: store) == nil)
        lock = try StoreLock(store: store)
        #expect(StoreLock.jobRun(on: store) == nil, "the job of the previous run is cleared")
    }

    @Test func `a stop request fails if the store never had a run`() throws {
        do {
            try StoreLock.requestStop(of: "monday", store: store)
            Issue.record("a stop was requested without a lock file")
        } catch {
            #expect(error.kind == .permission)
        }
    }
}
