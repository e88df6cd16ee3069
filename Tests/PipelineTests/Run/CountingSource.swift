@testable import Pipeline

/// Counts up: record n is the number n, its position the byte n.
struct CountingSource: Source {
    let total: Int
    let perBatch: Int
    var failsAt: Int?
    var batchLimits = BatchLimits()

    func survey() async throws(StageFailure) -> SourceSurvey {
        SourceSurvey(recordCount: total, fingerprints: [])
    }

    func read(from position: Position, into outlet: Emitter<NumberBatch>) async throws(StageFailure) {
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
