import Books
import Pipeline

/// What ISBN checks take of reading and checking together.
enum ValidateShare {
    static func print(_ path: String) async throws {
        let source = ReadLibrary(ReadSettings(files: [path]))
        let stage = ValidateISBN()
        let checking = Guarded(0.0)
        let records = Guarded(0)
        let began = ProcessTime.seconds
        let outlet = Emitter<LibraryRows> { rows, end, count, rejects in
            let batch = Batch(sequence: 0, end: end, recordsRead: count, payload: rows, rejects: rejects)
            let started = ProcessTime.seconds
            // Handed over as a run does it: a batch that somebody else holds is copied where a row is told of.
            let checked = try? await stage.process(consume batch)
            checking.withLock { [ended = ProcessTime.seconds] in $0 += ended - started }
            // Giving up the batch's memory, which the sink does elsewhere, is not the checks'.
            return withExtendedLifetime(checked) {
                records.withLock { $0 += count }
                return checked != nil
            }
        }
        try await source.read(from: .start, into: outlet)
        let whole = ProcessTime.seconds - began
        let share = checking.withLock { $0 } / whole
        Swift.print("records \(records.withLock { $0 }) CPU s \(whole) share of the checks \(share)")
    }
}
