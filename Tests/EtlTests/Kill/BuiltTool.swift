import Foundation
import TestSupport
import Testing

/// Runs the built tool as a separate process.
enum BuiltTool {
    /// Starts the tool.
    ///
    /// - Parameter environment: Replaces this process's environment if it is given.
    static func start(
        _ arguments: [String], environment: [String: String]? = nil,
        input: ChildProcess.Stream = .nothing, output: ChildProcess.Stream = .nothing,
        errors: ChildProcess.Stream = .nothing
    ) throws -> ChildProcess {
        try ChildProcess(
            ProjectFiles.tool, arguments, environment: environment, input: input, output: output,
            errors: errors)
    }

    /// The messages in a file of `--events`.
    static func messages(in path: String) throws -> [[String: Any]] {
        try String(contentsOfFile: path, encoding: .utf8).split(separator: "\n").map { line in
            try #require(try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any])
        }
    }

    /// - Returns: The exit status.
    static func run(_ arguments: [String]) throws -> Int32 { try start(arguments).wait().status }

    /// The tool's standard output and exit status.
    static func output(_ arguments: [String]) throws -> (data: Data, status: Int32) {
        let process = try start(arguments, output: .pipe)
        let data = process.output?.readDataToEndOfFile() ?? Data()
        return (data, try process.wait().status)
    }

    /// Exit status and output of a process.
    struct Ending {
        var status: Int32
        var output: String
        var errors: String
    }

    /// Runs the tool to its end.
    ///
    /// - Parameters:
    ///   - input: Its standard input.
    ///   - outputIsClosed: Whether the reader of its standard output is gone from the start.
    static func ending(
        _ arguments: [String], input: String? = nil, outputIsClosed: Bool = false,
        environment: [String: String]? = nil
    ) throws -> Ending {
        let folder = try TemporaryFolder()
        let said = try input.map { text in
            try FileHandle(forReadingFrom: URL(filePath: try folder.write(text, to: "stdin")))
        }
        let closed = try outputIsClosed ? closedPipe() : nil
        return try ending(
            of: try start(
                arguments, environment: environment, input: said.map { .file($0) } ?? .nothing,
                output: closed.map { .file($0) } ?? .pipe, errors: .pipe))
    }

    /// A pipe without a reader.
    private static func closedPipe() throws -> FileHandle {
        let pipe = Pipe()
        try pipe.fileHandleForReading.close()
        return pipe.fileHandleForWriting
    }

    /// Runs a shell line in which `$ETL` is the tool.
    static func shell(_ line: String) throws -> Ending {
        let environment = ProcessInfo.processInfo.environment.merging(["ETL": ProjectFiles.tool]) { $1 }
        return try ending(
            of: try ChildProcess(
                "/bin/sh", ["-c", line], environment: environment, output: .pipe, errors: .pipe))
    }

    /// Reads a process's output until it ends. The output fits into a pipe, so reading one stream after the
    /// other is safe.
    private static func ending(of process: ChildProcess) throws -> Ending {
        let said = process.output?.readDataToEndOfFile() ?? Data()
        let complained = process.errors?.readDataToEndOfFile() ?? Data()
        return Ending(
            status: try process.wait().status, output: String(decoding: said, as: UTF8.self),
            errors: String(decoding: complained, as: UTF8.self))
    }

    /// Runs the tool and sends it a signal as soon as it writes a line with a given word to standard output.
    ///
    /// - Parameter isRepeated: Whether the signal is sent again and again until the tool ends.
    static func ending(
        _ arguments: [String], signal number: Int32, isRepeated: Bool = false, after word: String
    ) throws -> Ending {
        let process = try start(arguments, output: .pipe, errors: .pipe)
        var said = Data()
        var isSent = false
        while let output = process.output {
            var waited = pollfd(fd: output.fileDescriptor, events: Int16(POLLIN), revents: 0)
            if isSent, isRepeated, poll(&waited, 1, 20) == 0 {
                process.send(number)
                continue
            }
            let piece = output.availableData
            if piece.isEmpty { break }
            said += piece
            guard !isSent, said.range(of: Data(word.utf8)) != nil else { continue }
            process.send(number)
            isSent = true
        }
        let complained = process.errors?.readDataToEndOfFile() ?? Data()
        let ending = try process.wait()
        // Distinguishes a process that was ended by the signal from one that exited.
        return Ending(
            status: ending.status + (ending.isSignal ? 1_000 : 0),
            output: String(decoding: said, as: UTF8.self),
            errors: String(decoding: complained, as: UTF8.self))
    }

    /// The canonical dump of a store.
    static func dump(_ store: String) throws -> Data {
        try output(["export", "--what", "all", "--db", store]).data
    }

    /// Starts the tool and kills it after a time.
    ///
    /// - Returns: False if it had already ended.
    static func killed(
        _ arguments: [String], afterMilliseconds milliseconds: Int, environment: [String: String]? = nil
    ) throws -> Bool {
        let process = try start(arguments, environment: environment, output: .pipe)
        // The pipe closes when the tool ends, so polling it waits for the end or the deadline, whichever is
        // first.
        var waited = pollfd(
            fd: process.output?.fileDescriptor ?? -1, events: Int16(POLLIN), revents: 0)
        var hasEnded = false
        let deadline = ContinuousClock.now + .milliseconds(milliseconds)
        while !hasEnded, ContinuousClock.now < deadline {
            let left = (deadline - ContinuousClock.now).components
            let time = left.seconds * 1_000 + left.attoseconds / 1_000_000_000_000_000
            if poll(&waited, 1, Int32(max(0, time))) > 0 {
                // Its last output arrives before the end of the stream.
                hasEnded = process.output?.availableData.isEmpty ?? true
            }
        }
        process.send(SIGKILL)
        return try process.wait().isSignal
    }
}
