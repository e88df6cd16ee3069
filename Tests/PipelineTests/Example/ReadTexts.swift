import Pipeline
import System

struct ReadTexts: Source {
    let texts: [String]
    var batchLimits = BatchLimits()

    func survey() async throws(ETLError) -> SourceSurvey {
        SourceSurvey(recordCount: texts.count, fingerprints: [])
    }

    func read(from position: Position, into emitter: Emitter<Lines>) async throws(ETLError) {
        var next = position.record
        while next <= texts.count {
            let end = min(next + 2, texts.count + 1)
            let batch = Lines(texts: Array(texts[next - 1..<end - 1]), numbers: Array(next..<end))
            let after = Position(byte: 0, line: end, record: end)
            guard await emitter.emit(batch, end: after, recordsRead: end - next) else { return }
            next = end
        }
    }
}
