import Books
import Formats
import Pipeline
import Sources
import System

/// The share of ISBN checks in the time of reading and checking.
enum ValidateShare {
    static func print(_ path: String) async throws {
        let source = ReadLibrary(ReadSettings(files: [path]))
        let stage = ValidateISBN()
        let checking = Guarded(0.0)
        let records = Guarded(0)
        let began = ProcessTime.seconds
        let emitter = Emitter<LibraryRows> { rows, end, count, rejects in
            let batch = Batch(sequence: 0, end: end, recordsRead: count, payload: rows, rejects: rejects)
            let started = ProcessTime.seconds
            // Passed on as in a run: a batch with another owner would be copied when a row is reported.
            let checked = try? await stage.process(consume batch)
            checking.withLock { [ended = ProcessTime.seconds] in $0 += ended - started }
            // Releasing the batch's memory, which the sink usually does, does not count as checking.
            return withExtendedLifetime(checked) {
                records.withLock { $0 += count }
                return checked != nil
            }
        }
        try await source.read(from: .start, into: emitter)
        let whole = ProcessTime.seconds - began
        let share = checking.withLock { $0 } / whole
        Swift.print("records \(records.withLock { $0 }) CPU s \(whole) share of the checks \(share)")
    }
}
