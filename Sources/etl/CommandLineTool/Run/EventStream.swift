import Contract
import FoundationEssentials
import Glibc
import Jobs
import Pipeline
import Store
import Syntax
import System

/// The messages of `--events`: one JSON object per line, to a file or standard output.
final class EventStream: Sendable {
    private enum Target: Sendable {
        case console(Console)
        case file(Guarded<FileOutlet>, path: String)
    }

    private struct State: Sendable {
        var messages = ImportMessages()
        var failure: CommandFailure?
    }

    private let target: Target
    private let clock: any RunClock
    private let state = Guarded(State())

    /// Writes to standard output.
    init(_ console: Console, clock: any RunClock = SystemClock()) {
        self.clock = clock
        target = .console(console)
    }

    /// Writes to an open file; the path is for error messages.
    init(_ file: FileOutlet, path: String, clock: any RunClock = SystemClock()) {
        self.clock = clock
        target = .file(Guarded(file), path: path)
    }

    /// - Parameter seconds: Expected duration of the services; nil if unknown.
    func began(_ job: Job, servicesTaking seconds: ClosedRange<Double>? = nil) {
        send { $0.began(job, servicesTaking: seconds, now: $1) }
    }

    /// Sends a progress message if one is due.
    ///
    /// - Parameter end: The end of the last record read; nil if no record was read since the last call.
    func advanced(_ job: Job, to processed: Int, end: Position? = nil) {
        send { $0.advanced(job, to: processed, end: end, now: $1).list }
    }

    /// Sends the progress again if nothing was sent for some seconds.
    func remind(_ job: Job, at processed: Int, waitingFor services: String?) {
        send { $0.reminder(job, at: processed, waitingFor: services, now: $1).list }
    }

    func ended(_ outcome: ImportOutcome, expiresAt: Int64, quality: QualityCounts?) {
        send { [$0.ended(outcome, expiresAt: expiresAt, quality: quality, now: $1)] }
    }

    /// Sends that a job has completed before, so that nothing is left to do.
    func completed(_ job: Job, expiresAt: Int64, quality: QualityCounts) {
        send { [$0.completed(job, expiresAt: expiresAt, quality: quality, now: $1)] }
    }

    /// Sends why an import cannot begin.
    func refused(_ request: ImportRequest, _ failure: ETLError) {
        let pipeline = JobPipeline(rawValue: request.definition.contract) ?? .csvImport
        send {
            [ImportMessages.refused(request.jobName ?? request.freshName, pipeline, failure, now: $1)]
        }
    }

    /// Sends messages about a run.
    ///
    /// - Parameter make: Makes the messages, at a time in milliseconds since 1970.
    private func send(_ make: (inout ImportMessages, Int64) -> [JobMessage]) {
        state.withLock { state in
            do throws(CommandFailure) {
                // Tasks report side by side. The lock keeps the messages in order.
                for message in make(&state.messages, clock.epochMilliseconds()) { try write(message) }
            } catch {
                if state.failure == nil { state.failure = error }
            }
        }
    }

    private func write(_ message: JobMessage) throws(CommandFailure) {
        var json = JSONWriter()
        message.write(into: &json)
        let line = json.bytes + [UInt8(ascii: "\n")]
        switch target {
        case .console(let console):
            try console.write(line)
            try console.flush()
        case .file(let handle, let path):
            let isWritten = handle.withLock { $0.write(line) == 0 }
            guard isWritten else {
                throw CommandFailure(
                    .inputOutput,
                    "Writing events to `\(path)` failed. All imported records are committed.",
                    advice: "Free some space on its disk, or specify another file with --events.")
            }
        }
    }

    /// The first failure to write a message, to be reported at the end.
    var failure: CommandFailure? { state.withLock { $0.failure } }
}
