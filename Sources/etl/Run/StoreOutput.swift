import Books
import Database
import Pipeline

/// Opens a store and writes what is read from it, piece by piece. Shared by the commands that read a store.
enum StoreOutput {
    /// Opens a store and lets `read` write to standard output.
    static func write<Result>(
        _ store: String, _ console: Console,
        _ read: (Connection, (UnsafeRawBufferPointer) throws(StageFailure) -> Void) throws(StageFailure) ->
            Result
    ) throws(CommandFailure) -> Result {
        var unwritten: CommandFailure?
        do throws(StageFailure) {
            return try read(try StoreFile.openForReading(store, waiting: console.lockWaitPolicy)) {
                (bytes) throws(StageFailure) in
                do throws(CommandFailure) {
                    try console.write(Array(bytes))
                } catch {
                    // The pipe was closed or the disk is full. This error is reported, not the one that
                    // follows from it.
                    unwritten = error
                    throw StageFailure(.inputOutput, error.message)
                }
            }
        } catch {
            throw unwritten ?? CommandFailure(error)
        }
    }
}

extension Console {
    /// Waits for another program that has locked a store, and says so.
    var lockWaitPolicy: LockWaitPolicy {
        LockWaitPolicy { [self] path in note("Waiting for another process that has `\(path)` locked.") }
    }
}
