import TestSupport

@testable import Pipeline

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
