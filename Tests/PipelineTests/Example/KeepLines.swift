import Pipeline
import System

final class KeepLines: Sink {
    let kept = Guarded((texts: [String](), rejected: [Int](), checkpoint: Position.start))

    func write(_ batch: consuming Batch<Lines>) async throws(ETLError) {
        let (texts, rejected, end) = (batch.payload.texts, batch.rejects.map(\.position.line), batch.end)
        kept.withLock {
            $0.texts += texts
            $0.rejected += rejected
            $0.checkpoint = end
        }
    }

    func finish() async throws(ETLError) {}
}
