import Dispatch
import TestSupport

@testable import Pipeline
@testable import System

/// Counts up: record n is the number n and begins at byte n.
struct CountingSource: Source {
    let total: Int
    let perBatch: Int
    var failsAt: Int?
    var batchLimits = BatchLimits()

    func survey() async throws(ETLError) -> SourceSurvey {
        SourceSurvey(recordCount: total, fingerprints: [])
    }

    func read(from position: Position, into emitter: Emitter<NumberBatch>) async throws(ETLError) {
        var next = Int(position.byte)
        while next < total {
            if let failsAt, next >= failsAt { throw ETLError(.inputOutput, "The file ends too soon.") }
            let end = min(next + perBatch, total)
            let position = Position(byte: Int64(end), line: end + 1, record: end + 1)
            guard
                await emitter.emit(
                    NumberBatch(values: Array(next..<end)), end: position, recordsRead: end - next)
            else { return }
            next = end
        }
    }
}

/// A minimal payload: numbers.
struct NumberBatch: Payload {
    var values: [Int]
    var count: Int { values.count }
    var byteCount: Int { values.count * 8 }
}

/// Doubles even numbers and rejects multiples of seven. Yields a random number of times so that workers
/// overtake each other.
struct DoubleNumbers: Stage {
    var jitter: UInt64 = 0

    func process(_ batch: consuming Batch<NumberBatch>) async throws(ETLError) -> Batch<NumberBatch> {
        if jitter > 0 {
            var random = SeededGenerator(seed: jitter &+ UInt64(batch.sequence))
            for _ in 0..<Int.random(in: 0...40, using: &random) { await Task.yield() }
        }
        var kept: [Int] = []
        for value in batch.payload.values {
            if value % 7 == 0 {
                let at = Position(byte: Int64(value), line: value + 1, record: value + 1)
                batch.rejects.append(
                    Reject(
                        position: at, stage: "Double", code: "multiple_of_seven", message: "No sevens.",
                        raw: []))
            } else {
                kept.append(value * 2)
            }
        }
        batch.payload.values = kept
        return batch
    }
}

/// An executor that code can detect it runs on.
final class MarkedExecutor: TaskExecutor {
    private static let mark = DispatchSpecificKey<Bool>()
    private let queue = DispatchQueue(label: "marked")

    init() { queue.setSpecific(key: Self.mark, value: true) }

    /// Whether the current code runs on a ``MarkedExecutor``.
    static var isCurrent: Bool { DispatchQueue.getSpecific(key: mark) ?? false }

    func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        queue.async { job.runSynchronously(on: self.asUnownedTaskExecutor()) }
    }
}
