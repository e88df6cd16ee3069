import FakeServices
import Foundation
import System
import TestSupport
import Testing

@testable import CommandLineTool

/// The terminal of a run is closed or suspends it: the run ends as it would have ended otherwise.
@Suite(
    .enabled(if: FileManager.default.isExecutableFile(atPath: ProjectFiles.tool), "needs the built tool"))
struct HangUpTests {
    /// A run that waits for a service when its terminal is closed.
    struct Waiting: Sendable, CustomTestStringConvertible {
        let command: [String]
        /// Whether it resumes a job with pending records.
        var continues = false
        var status: Int32 = 0

        var testDescription: String { command.joined(separator: " ") }
    }

    private static let pipeline = "\(ProjectFiles.root)/Pipelines/csv_import.yaml"
    private static let runs = [
        Waiting(command: ["import"]),
        Waiting(command: ["import", "--strict", "--events", "-"], status: 3),
        Waiting(command: ["run", "--json", pipeline]),
        Waiting(command: ["resume"], continues: true),
        Waiting(command: ["enrich", "--missing"], continues: true),
    ]

    @Test(arguments: runs, [true, false])
    func `a run continues to its end after its terminal is closed`(
        _ run: Waiting, isSignaled: Bool
    ) throws {
        let (services, isSilent) = (FakeServices(), Guarded(run.continues))
        let (latch, asked) = (Latch(), Pipe())
        let tool = try ToolWithServices(rate: 400, services: ["google-books"]) { request in
            if isSilent.withLock({ $0 }) { return FakeReply(403, Array("<html>Forbidden</html>".utf8)) }
            try? asked.fileHandleForWriting.write(contentsOf: Data([1]))
            latch.wait()
            return services.answer(request)
        }
        defer { tool.server.stop() }
        let store = tool.folder.file("s.sqlite")
        let library = try tool.library("library.csv", records: 20)
        let handle = try FileHandle(forUpdating: URL(filePath: library))
        try handle.seekToEnd()
        try handle.write(contentsOf: Data(",Nobody,,0\n".utf8))
        try handle.close()
        if run.continues {
            #expect(try tool.ending(["import", "--quiet", "--db", store, library]).status == 69)
            #expect(try tool.pending(store) == 20)
            isSilent.withLock { $0 = false }
        }

        let terminal = try PseudoTerminal()
        let process = try tool.start(
            run.command + ["--db", store] + (run.continues ? [] : [library]), on: terminal)
        try process.waitForBytes(at: asked.fileHandleForReading)
        if isSignaled { process.send(SIGHUP) }
        try terminal.hangUp()
        latch.open()
        let ending = try process.wait()
        #expect(ending.status == run.status && !ending.isSignal)
        #expect(try tool.pending(store) == 0)
    }

    @Test func `a suspended run continues when it is resumed`() throws {
        let (services, latch, asked) = (FakeServices(), Latch(), Pipe())
        let tool = try ToolWithServices(rate: 400, services: ["google-books"]) { request in
            try? asked.fileHandleForWriting.write(contentsOf: Data([1]))
            latch.wait()
            return services.answer(request)
        }
        defer { tool.server.stop() }
        let store = tool.folder.file("s.sqlite")
        let process = try tool.start(
            ["import", "--quiet", "--db", store, try tool.library("library.csv", records: 20)])
        try process.waitForBytes(at: asked.fileHandleForReading)
        process.send(SIGSTOP)
        var word: Int32 = 0
        try #require(waitpid(process.identifier, &word, WUNTRACED) == process.identifier)
        try #require(word & 0xFF == 0x7F, "it is suspended and has not ended")
        // Responses arrive while it is suspended.
        latch.open()
        process.send(SIGCONT)
        let ending = try process.wait()
        #expect(ending.status == 0 && !ending.isSignal)
        #expect(try tool.pending(store) == 0)
    }

    @Test func `a catalog is built to its end`() throws {
        let folder = try TemporaryFolder()
        let lines = (1...20_000).map { number in
            "/type/author\t/authors/OL\(number)A\t1\t2024-01-02T00:00:00\t"
                + #"{"key": "/authors/OL\#(number)A", "name": "Author \#(number)"}"# + "\n"
        }
        let dump = try folder.write(lines.joined(), to: "dump.txt")
        let terminal = try PseudoTerminal()
        let process = try BuiltTool.start(
            ["catalog", "build", "--out", folder.file("catalog.sqlite"), dump],
            output: .file(terminal.terminal), errors: .file(terminal.terminal))
        try process.waitForBytes(at: terminal.window)
        // Its last output is blocked by the stopped terminal, so it is still running when the signal arrives.
        try terminal.stop()
        process.send(SIGHUP)
        try terminal.hangUp()
        let ending = try process.wait()
        #expect(ending.status == 0 && !ending.isSignal)
        #expect(try BuiltTool.run(["catalog", "info", folder.file("catalog.sqlite")]) == 0)
    }

    @Test func `a write that waits for a terminal ends when the terminal is closed`() throws {
        let terminal = try PseudoTerminal()
        let descriptor = terminal.terminal.fileDescriptor
        try terminal.stop()
        _ = fcntl(descriptor, F_SETFL, fcntl(descriptor, F_GETFL) | O_NONBLOCK)
        let (explicit, isDone) = (Guarded<Int32>(0), DispatchSemaphore(value: 0))
        Thread.detachNewThread {
            let failure = Array("hello".utf8).withUnsafeBytes {
                DescriptorOutlet(descriptor: descriptor).write($0)
            }
            explicit.withLock { $0 = failure }
            isDone.signal()
        }
        try terminal.hangUp()
        isDone.wait()
        #expect(explicit.withLock { $0 } == EIO)
    }
}

/// Blocks waiters until it is opened.
private final class Latch: Sendable {
    private let condition = NSCondition()
    private let isOpen = Guarded(false)

    func open() {
        condition.lock()
        defer { condition.unlock() }
        isOpen.withLock { $0 = true }
        condition.broadcast()
    }

    func wait() {
        condition.lock()
        defer { condition.unlock() }
        while !isOpen.withLock({ $0 }) { condition.wait() }
    }
}
