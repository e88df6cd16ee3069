import Contract
import Database
import Queries
import Store
import System

/// Opens a store and writes data from it, piece by piece. Shared by the commands that read a store.
enum StoreOutput {
    /// Opens a store and lets `read` write to standard output.
    static func write<Result>(
        _ store: String, _ console: Console,
        _ read: (Connection, (UnsafeRawBufferPointer) throws(ETLError) -> Void) throws(ETLError) ->
            Result
    ) throws(CommandFailure) -> Result {
        let output = PieceOutput(console)
        do throws(ETLError) {
            return try read(
                try StoreFile.openForReading(store, waiting: console.lockWaitPolicy), output.write)
        } catch {
            throw output.unwritten ?? CommandFailure(error)
        }
    }

    /// The same into a file, which is replaced when all is written; nil for standard output.
    @discardableResult
    static func write<Result>(
        _ store: String, to file: OutputFile?, _ console: Console,
        _ read:
            @escaping (Connection, (UnsafeRawBufferPointer) throws(ETLError) -> Void) throws(ETLError) ->
            Result
    ) throws(CommandFailure) -> Result {
        guard let file else { return try write(store, console, read) }
        let connection: Connection
        do throws(ETLError) {
            connection = try StoreFile.openForReading(store, waiting: console.lockWaitPolicy)
        } catch {
            throw CommandFailure(error)
        }
        var result: Result?
        try file.replace { (sink) throws(ETLError) in result = try read(connection, sink) }
        guard let result else { throw CommandFailure(.bug, "`\(file.path)` was not written.") }
        if !file.isStandardOutput { console.note("Wrote `\(file.path)`.") }
        return result
    }
}

/// Standard output for code that writes in pieces and throws its own errors.
final class PieceOutput {
    private let console: Console
    /// Why a piece was not written: the pipe was closed or the disk is full. This error is reported, not the one
    /// that follows from it.
    private(set) var unwritten: CommandFailure?

    init(_ console: Console) { self.console = console }

    func write(_ bytes: UnsafeRawBufferPointer) throws(ETLError) {
        do throws(CommandFailure) {
            try console.write(Array(bytes))
        } catch {
            unwritten = error
            throw ETLError(.inputOutput, error.message)
        }
    }
}

extension Console {
    /// Waits for another program that has locked a store, and reports the wait.
    var lockWaitPolicy: LockWaitPolicy {
        LockWaitPolicy { [self] path in note("Waiting for another process that has `\(path)` locked.") }
    }

    /// Tells what an import into a store that is not kept has found in its files, in the words of `etl import`.
    func tellFindings(of job: Job, in store: Connection, named file: String) throws(ETLError) {
        try warnAboutRejects(of: job, in: store, named: file)
        let findings = try FindingCounter(store).counts(of: job)
        for table in [ClosingReport.repairs(findings), ClosingReport.warnings(findings)] where !table.isEmpty
        {
            tell(table)
        }
    }

    /// Names the first rejected records.
    private func warnAboutRejects(
        of job: Job, in store: Connection, named file: String
    ) throws(ETLError) {
        let count = job.counts.rejected
        guard count > 0 else { return }
        warn(
            "\(HumanText.count(count, "record")) could not be read and \(count == 1 ? "is" : "are") left out."
        )
        var shown = 0
        try ErrorList(store).forEach(of: job.name) { (error) throws(ETLError) in
            shown += 1
            if shown <= 5 { warn("\(error.reason)", place: "\(error.file ?? file):\(error.line)") }
        }
        if count > 5 { note("\(HumanText.count(count - 5, "more record")).") }
    }
}
