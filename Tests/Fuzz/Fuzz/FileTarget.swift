import Books
import Bytes
import Formats
import Foundation
import Pipeline
import Synchronization
import System

/// Reads an input as an import does: finds its format, surveys it, reads its records. Reading on from the end of any
/// batch must give the rest, because that is what a resumed import does.
enum FileTarget {
    private static let path = NSTemporaryDirectory() + "etl-fuzz-\(ProcessInfo.processInfo.processIdentifier)"

    /// The records and rejects of a reading, and where its batches ended.
    private struct Reading {
        var records: [[String]] = []
        var rejects: [Int] = []
        var ends: [(position: Position, records: Int, rejects: Int)] = []
    }

    static func read(_ bytes: [UInt8]) {
        guard FileManager.default.createFile(atPath: path, contents: Data(bytes)) else {
            fatalError("cannot write \(path)")
        }
        var settings = ReadSettings(files: [path], batchRecords: 2)
        let source = ReadLibrary(settings)
        guard let survey = try? waiting({ try await source.surveyLibrary() }) else { return }
        settings.dateOrders = survey.dateOrders
        settings.surveyed = survey.surveyed
        let whole: Reading
        do {
            whole = try reading(settings, from: .start)
        } catch {
            fatalError("the survey read the file, but the run does not: \(error)")
        }
        guard whole.ends.count > 1 else { return }
        let end = whole.ends[bytes.count % (whole.ends.count - 1)]
        guard let rest = try? reading(settings, from: end.position) else {
            fatalError("reading on at \(end.position) failed")
        }
        demand(
            Array(whole.records.dropFirst(end.records)) == rest.records
                && Array(whole.rejects.dropFirst(end.rejects)) == rest.rejects,
            "reading on at \(end.position) gives other records")
    }

    private static func reading(_ settings: ReadSettings, from start: Position) throws -> Reading {
        let read = Mutex(Reading())
        let emitter = Emitter<LibraryRows> { rows, end, _, rejects in
            let records = rows.rows.map { row in
                [rows.arena[row.title]] + rows.cells[row.cells].map { rows.arena[$0] }
            }
            read.withLock {
                $0.records += records
                $0.rejects += rejects.map(\.position.record)
                $0.ends.append((end, $0.records.count, $0.rejects.count))
            }
            return true
        }
        let source = ReadLibrary(settings)
        try waiting { try await source.read(from: start, into: emitter) }
        return read.withLock { $0 }
    }

    /// libFuzzer calls a function that cannot wait.
    private static func waiting<Value: Sendable>(
        _ work: @escaping @Sendable () async throws -> Value
    ) throws -> Value {
        let result = Mutex<Result<Value, any Error>?>(nil)
        let done = DispatchSemaphore(value: 0)
        Task {
            let outcome: Result<Value, any Error>
            do { outcome = .success(try await work()) } catch { outcome = .failure(error) }
            result.withLock { $0 = outcome }
            done.signal()
        }
        done.wait()
        guard let outcome = result.withLock({ $0 }) else { fatalError("no result") }
        return try outcome.get()
    }
}
