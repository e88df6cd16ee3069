import Books
import Database
import Pipeline

/// What the commands that read a store share: opening it, and writing what the store hands out piece by piece.
enum StoreOutput {
    /// Opens a store and lets `read` write to standard output.
    static func write<Result>(
        _ store: String, _ console: Console,
        _ read: (Connection, (UnsafeRawBufferPointer) throws(StageFailure) -> Void) throws(StageFailure) ->
            Result
    ) throws(CommandFailure) -> Result {
        var unwritten: CommandFailure?
        do throws(StageFailure) {
            return try read(try StoreFile.openForReading(store)) { (bytes) throws(StageFailure) in
                do throws(CommandFailure) {
                    try console.write(Array(bytes))
                } catch {
                    // The reader of a pipe has gone, or the disk is full: that, not its echo, is what is reported.
                    unwritten = error
                    throw StageFailure(.inputOutput, error.message)
                }
            }
        } catch {
            throw unwritten ?? CommandFailure(error)
        }
    }
}
