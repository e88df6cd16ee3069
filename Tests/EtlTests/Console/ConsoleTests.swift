import Foundation
import Pipeline
import System
import Testing

@testable import CommandLineTool

/// Keeps written bytes, or fails with an error number.
final class MemoryOutlet: ByteOutlet {
    private let bytes = Guarded<[UInt8]>([])
    private let failure: Int32

    init(failing failure: Int32 = 0) { self.failure = failure }

    func write(_ bytes: UnsafeRawBufferPointer) -> Int32 {
        let copy = Array(bytes)
        if failure == 0 { self.bytes.withLock { $0 += copy } }
        return failure
    }

    var text: String { String(decoding: bytes.withLock { $0 }, as: UTF8.self) }
}

/// A clock that is set by hand.
private final class SettableClock: RunClock {
    private let time = Guarded<UInt64>(0)
    func set(milliseconds: UInt64) { time.withLock { $0 = milliseconds * 1_000_000 } }
    func nanoseconds() -> UInt64 { time.withLock { $0 } }
    func epochMilliseconds() -> Int64 { 0 }
    func sleep(nanoseconds: UInt64) async {}
}

private struct Stage {
    let output = MemoryOutlet()
    let errors = MemoryOutlet()
    let clock = SettableClock()
    let console: Console

    init(
        _ options: String..., outputTerminal: Bool = false, errorTerminal: Bool = false,
        journal: Bool = false,
        environment: [String: String] = ["TERM": "xterm"]
    ) throws {
        guard
            case .run(_, let arguments) = try ArgumentParser.parse(["jobs"] + options, table: Commands.specs)
        else {
            throw CommandFailure(.bug, "no arguments")
        }
        console = Console(
            arguments, environment: environment,
            output: output, StreamProperties(isTerminal: outputTerminal, columns: 40),
            errors: errors, StreamProperties(isTerminal: errorTerminal, columns: 40, isJournal: journal),
            clock: clock)
    }
}

private func failure(of action: () throws(CommandFailure) -> Void) -> CommandFailure? {
    do throws(CommandFailure) {
        try action()
        return nil
    } catch {
        return error
    }
}

@Suite struct ConsoleTests {
    @Test func `data and messages are never mixed`() throws {
        let stage = try Stage()
        stage.console.note("hello")
        stage.console.warn("careful", place: "a.csv:3", advice: "Look.")
        try stage.console.write("data\n")
        try stage.console.finish()
        #expect(stage.output.text == "data\n")
        #expect(stage.errors.text == "hello\netl: warning: a.csv:3: careful\n  advice: Look.\n")
    }

    @Test func `quiet leaves only errors, and verbose adds details`() throws {
        let quiet = try Stage("--quiet")
        quiet.console.note("n")
        quiet.console.warn("w")
        quiet.console.progress(ProgressState(done: 1))
        quiet.console.report(CommandFailure(.missing, "It is gone.", advice: "Find it."))
        #expect(quiet.errors.text == "etl: error: It is gone.\n  advice: Find it.\n")
        for (option, text) in [("--verbose", "d\n"), ("--no-progress", "")] {
            let stage = try Stage(option)
            stage.console.tell(Diagnostic(.detail, "d"))
            #expect(stage.errors.text == text)
        }
    }

    @Test func `the progress line stays the last one on a terminal`() throws {
        let stage = try Stage(errorTerminal: true)
        stage.console.progress(ProgressState(done: 1))
        stage.clock.set(milliseconds: 50)
        stage.console.progress(ProgressState(done: 2))
        stage.clock.set(milliseconds: 100)
        stage.console.progress(ProgressState(done: 3))
        stage.clock.set(milliseconds: 200)
        stage.console.progress(ProgressState(done: 5))
        stage.console.note("hello")
        try stage.console.finish()
        let erase = "\r\u{1B}[K"
        #expect(
            stage.errors.text
                == "1 record\(erase)3 records\(erase)5 records, 20/s\(erase)hello\n5 records, 20/s\(erase)")
    }

    @Test func `data on a terminal is shown at once and erases the progress line`() throws {
        let stage = try Stage(outputTerminal: true, errorTerminal: true)
        stage.console.progress(ProgressState(done: 1))
        try stage.console.write("data\n")
        #expect(stage.output.text == "data\n")
        #expect(stage.errors.text == "1 record\r\u{1B}[K")
    }

    @Test func `output to a pipe is buffered`() throws {
        let stage = try Stage()
        try stage.console.write("x")
        #expect(stage.output.text == "")
        try stage.console.write(String(repeating: "y", count: 70_000))
        #expect(stage.output.text.utf8.count == 70_001)
    }

    @Test func `no progress is shown if it is turned off`() throws {
        let stage = try Stage("--no-progress", errorTerminal: true)
        stage.console.progress(ProgressState(done: 1))
        #expect(stage.errors.text == "")
    }

    @Test func `journal lines have priorities`() throws {
        let stage = try Stage(journal: true)
        stage.console.report(CommandFailure(.bug, "one\ntwo"))
        stage.console.note("hello")
        #expect(stage.errors.text == "<3>etl: error: one\n<3>two\n<6>hello\n")
    }

    @Test func `a long message is wrapped on a terminal and nowhere else`() throws {
        let failure = CommandFailure(
            .missing, "There is no file.",
            advice: "Name its new place: `etl resume spring --db my.sqlite FILE`.")
        let terminal = try Stage(errorTerminal: true)
        terminal.console.report(failure)
        #expect(
            terminal.errors.text.hasSuffix(
                "  advice: Name its new place:\n          `etl resume spring --db my.sqlite FILE`.\n"))
        let file = try Stage()
        file.console.report(failure)
        #expect(file.errors.text.split(separator: "\n").count == 2)
    }

    @Test func `a message cannot control the terminal`() throws {
        let stage = try Stage(errorTerminal: true)
        stage.console.note("title \u{1B}]0;x\u{7}")
        #expect(!stage.errors.text.contains("\u{1B}"))
    }

    @Test func `a reader that goes away ends the tool quietly`() throws {
        let stage = try Stage()
        let console = Console(
            ParsedArguments(command: []), environment: [:], output: MemoryOutlet(failing: EPIPE),
            StreamProperties(isTerminal: false), errors: stage.errors, StreamProperties(isTerminal: false))
        try console.write("x")
        let failure = try #require(failure { () throws(CommandFailure) in try console.finish() })
        #expect(failure.status == .completed && failure.isQuiet)
        console.report(failure)
        #expect(stage.errors.text == "")
    }

    @Test(arguments: [true, false])
    func `a terminal that goes away ends the tool quietly, a broken disk does not`(
        isTerminal: Bool
    ) throws {
        let console = Console(
            ParsedArguments(command: []), environment: [:], output: MemoryOutlet(failing: EIO),
            StreamProperties(isTerminal: isTerminal), errors: MemoryOutlet(failing: EIO),
            StreamProperties(isTerminal: isTerminal))
        let failure = try #require(
            failure { () throws(CommandFailure) in
                try console.write("x")
                try console.finish()
            })
        #expect(failure.isQuiet == isTerminal)
        #expect(failure.status == (isTerminal ? .completed : .inputOutput))
    }

    @Test func `a full disk is reported once`() throws {
        let output = BufferedOutput(MemoryOutlet(failing: ENOSPC))
        func write() -> CommandFailure? {
            failure { () throws(CommandFailure) in try output.write(Array(repeating: 0, count: 100_000)) }
        }
        #expect(write()?.status == .inputOutput)
        #expect(write()?.message == "Standard output cannot be written: No space left on device.")
        #expect(failure { () throws(CommandFailure) in try output.flush() }?.advice != nil)
    }

    @Test(.enabled(if: FileManager.default.fileExists(atPath: "/dev/full"), "needs /dev/full"))
    func `a full device is an input/output error`() throws {
        let file = try #require(FileHandle(forWritingAtPath: "/dev/full"))
        let output = BufferedOutput(DescriptorOutlet(descriptor: file.fileDescriptor))
        try output.write([1])
        #expect(failure { () throws(CommandFailure) in try output.flush() }?.status == .inputOutput)
    }
}

@Suite struct StyleTests {
    @Test func `colour depends on option, then environment, then terminal`() {
        func colored(_ choice: ColorChoice, _ isTerminal: Bool, _ environment: [String: String]) -> Bool {
            Style(choice, isTerminal: isTerminal, environment: environment).isColored
        }
        #expect(colored(.auto, true, ["TERM": "xterm"]))
        #expect(colored(.auto, true, ["TERM": "xterm", "NO_COLOR": ""]))
        #expect(!colored(.auto, true, ["TERM": "xterm", "NO_COLOR": "1"]))
        #expect(!colored(.auto, true, ["TERM": "dumb"]))
        #expect(!colored(.auto, true, [:]))
        #expect(!colored(.auto, false, ["TERM": "xterm"]))
        #expect(colored(.always, false, ["NO_COLOR": "1", "TERM": "dumb"]))
        #expect(!colored(.never, true, ["TERM": "xterm"]))
    }

    @Test func `a stream that is not a terminal has a width only if COLUMNS sets it`() throws {
        let file = try #require(FileHandle(forReadingAtPath: "/dev/null"))
        for (columns, width) in [("99", 99), ("0", nil), ("-1", nil), ("wide", nil), (nil, nil)] {
            let facts = StreamProperties(
                descriptor: file.fileDescriptor,
                environment: ["JOURNAL_STREAM": "1:2"].merging(columns.map { ["COLUMNS": $0] } ?? [:]) { $1 })
            #expect(facts == StreamProperties(isTerminal: false, columns: width))
        }
    }
}
