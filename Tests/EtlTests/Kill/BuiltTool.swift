import Foundation
import TestSupport

/// Runs the built tool as a process of its own.
enum BuiltTool {
    /// - Parameter environment: In place of this process's own, where it is given.
    static func process(_ arguments: [String], environment: [String: String]? = nil) -> Process {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: ProjectFiles.tool)
        process.arguments = arguments
        if let environment { process.environment = environment }
        process.standardOutput = FileHandle.nullDevice
        process.standardError = FileHandle.nullDevice
        return process
    }

    /// - Returns: its exit status.
    static func run(_ arguments: [String]) throws -> Int32 {
        let process = process(arguments)
        try process.run()
        process.waitUntilExit()
        return process.terminationStatus
    }

    /// Standard output of the tool, and its exit status.
    static func output(_ arguments: [String]) throws -> (data: Data, status: Int32) {
        let process = process(arguments)
        let pipe = Pipe()
        process.standardOutput = pipe
        try process.run()
        let data = pipe.fileHandleForReading.readDataToEndOfFile()
        process.waitUntilExit()
        return (data, process.terminationStatus)
    }

    /// How a process ended and what it said.
    struct Ending {
        var status: Int32
        var output: String
        var errors: String
    }

    /// Runs the tool to its end.
    ///
    /// - Parameters:
    ///   - input: What it reads from standard input.
    ///   - outputIsClosed: Whether the reader of its standard output has gone away before it begins.
    static func ending(
        _ arguments: [String], input: String? = nil, outputIsClosed: Bool = false,
        environment: [String: String]? = nil
    ) throws -> Ending {
        let process = process(arguments, environment: environment)
        let (output, errors) = (Pipe(), Pipe())
        process.standardOutput = output
        process.standardError = errors
        let folder = try TemporaryFolder()
        process.standardInput =
            try input.map { text -> Any in
                let path = try folder.write(text, to: "stdin")
                return try FileHandle(forReadingFrom: URL(filePath: path))
            } ?? FileHandle.nullDevice
        if outputIsClosed { try output.fileHandleForReading.close() }
        try process.run()
        // What it says fits into a pipe: one after the other is enough.
        let said =
            outputIsClosed ? Data() : output.fileHandleForReading.readDataToEndOfFile()
        let complained = errors.fileHandleForReading.readDataToEndOfFile()
        process.waitUntilExit()
        return Ending(
            status: process.terminationStatus, output: String(decoding: said, as: UTF8.self),
            errors: String(decoding: complained, as: UTF8.self))
    }

    /// Runs a line of the shell, in which `$ETL` is the tool.
    static func shell(_ line: String) throws -> Ending {
        let process = Process()
        process.executableURL = URL(filePath: "/bin/sh")
        process.arguments = ["-c", line]
        process.environment = ProcessInfo.processInfo.environment.merging(["ETL": ProjectFiles.tool]) { $1 }
        let (output, errors) = (Pipe(), Pipe())
        process.standardOutput = output
        process.standardError = errors
        try process.run()
        let said = output.fileHandleForReading.readDataToEndOfFile()
        let complained = errors.fileHandleForReading.readDataToEndOfFile()
        process.waitUntilExit()
        return Ending(
            status: process.terminationStatus, output: String(decoding: said, as: UTF8.self),
            errors: String(decoding: complained, as: UTF8.self))
    }

    /// Runs the tool and sends it a signal as soon as it has written a line that has a word to standard output.
    ///
    /// - Parameter times: How often it is sent, one right after the other.
    static func ending(
        _ arguments: [String], signal number: Int32, times: Int = 1, after word: String
    ) throws -> Ending {
        let process = process(arguments)
        let (output, errors) = (Pipe(), Pipe())
        process.standardOutput = output
        process.standardError = errors
        try process.run()
        var said = Data()
        var isSent = false
        while true {
            let piece = output.fileHandleForReading.availableData
            guard !piece.isEmpty else { break }
            said += piece
            guard !isSent, said.range(of: Data(word.utf8)) != nil else { continue }
            for _ in 0..<times { kill(process.processIdentifier, number) }
            isSent = true
        }
        let complained = errors.fileHandleForReading.readDataToEndOfFile()
        process.waitUntilExit()
        // A process that the signal ended, and that did not end itself, is told apart.
        let status = process.terminationStatus + (process.terminationReason == .uncaughtSignal ? 1_000 : 0)
        return Ending(
            status: status, output: String(decoding: said, as: UTF8.self),
            errors: String(decoding: complained, as: UTF8.self))
    }

    /// The canonical dump of a store.
    static func dump(_ store: String) throws -> Data {
        try output(["export", "--what", "all", "--db", store]).data
    }

    /// Starts the tool and kills it after a time.
    ///
    /// - Returns: false where it had ended by itself before.
    static func killed(
        _ arguments: [String], afterMilliseconds milliseconds: Int, environment: [String: String]? = nil
    ) throws -> Bool {
        let process = process(arguments, environment: environment)
        // The pipe closes when the tool ends: waiting for that, with a limit, is waiting for the first of the two.
        let ending = Pipe()
        process.standardOutput = ending
        try process.run()
        try ending.fileHandleForWriting.close()
        var waited = pollfd(
            fd: ending.fileHandleForReading.fileDescriptor, events: Int16(POLLIN), revents: 0)
        var hasEnded = false
        let deadline = ContinuousClock.now + .milliseconds(milliseconds)
        while !hasEnded, ContinuousClock.now < deadline {
            let left = (deadline - ContinuousClock.now).components
            let time = left.seconds * 1_000 + left.attoseconds / 1_000_000_000_000_000
            if poll(&waited, 1, Int32(max(0, time))) > 0 {
                // What it prints at its end comes before the end itself.
                hasEnded = ending.fileHandleForReading.availableData.isEmpty
            }
        }
        kill(process.processIdentifier, SIGKILL)
        process.waitUntilExit()
        return process.terminationReason == .uncaughtSignal
    }
}
