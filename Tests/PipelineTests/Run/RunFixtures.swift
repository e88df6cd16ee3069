import TestSupport

@testable import Pipeline

/// The simplest payload: numbers.
struct NumberBatch: Payload {
    var values: [Int]
    var count: Int { values.count }
    var byteCount: Int { values.count * 8 }
}

/// Counts up: record n is the number n, its position the byte n.
struct CountingSource: Source {
    let total: Int
    let perBatch: Int
    var failsAt: Int?

    func survey() async throws(StageFailure) -> SourceSurvey {
        SourceSurvey(recordCount: total, fingerprints: [])
    }

    func read(from position: Position, into outlet: Outlet<NumberBatch>) async throws(StageFailure) {
        var next = Int(position.byte)
        while next < total {
            if let failsAt, next >= failsAt { throw StageFailure(.inputOutput, "The file ends too soon.") }
            let end = min(next + perBatch, total)
            let position = Position(byte: Int64(end), line: end + 1, record: end + 1)
            guard
                await outlet.emit(
                    NumberBatch(values: Array(next..<end)), end: position, recordsRead: end - next)
            else { return }
            next = end
        }
    }
}

/// Doubles even numbers and rejects multiples of seven, yielding a random number of times so that workers overtake
/// each other.
struct DoubleNumbers: Stage {
    var jitter: UInt64 = 0

    func process(_ batch: consuming Batch<NumberBatch>) async throws(StageFailure) -> Batch<NumberBatch> {
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

/// Keeps what it is given, in the order it is given.
final class NumberSink: Sink {
    struct Kept: Sendable {
        var values: [Int] = []
        var rejected: [Int] = []
        var checkpoint = Position.start
        var isFinished = false
        var writes = 0
    }

    let kept = Guarded(Kept())
    /// Fails before the write of this number, from 1.
    let failsAtWrite: Int?
    let failure: StageFailure
    /// Failures before it works again.
    let failuresLeft: Guarded<Int>

    init(
        failsAtWrite: Int? = nil, failure: StageFailure = StageFailure(.inputOutput, "The disk is full."),
        failures: Int = .max
    ) {
        self.failsAtWrite = failsAtWrite
        self.failure = failure
        failuresLeft = Guarded(failures)
    }

    func write(_ batch: consuming Batch<NumberBatch>) async throws(StageFailure) {
        let number = kept.withLock { $0.writes + 1 }
        if number == failsAtWrite,
            failuresLeft.withLock({ left in
                left -= 1
                return left >= 0
            })
        {
            throw failure
        }
        let (values, rejected, end) = (
            batch.payload.values, batch.rejects.map { Int($0.position.byte) }, batch.end
        )
        kept.withLock {
            $0.values += values
            $0.rejected += rejected
            $0.checkpoint = end
            $0.writes = number
        }
    }

    func finish() async throws(StageFailure) { kept.withLock { $0.isFinished = true } }
}
