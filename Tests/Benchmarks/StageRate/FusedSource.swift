import Pipeline
import System

/// A source that passes its batches through a stage in its own task: an import without channels between
/// stages.
struct FusedSource<S: Stage>: Source {
    var source: any Source<S.Input>
    let stage: S

    var batchLimits: BatchLimits {
        get { source.batchLimits }
        set { source.batchLimits = newValue }
    }

    func survey() async throws(ETLError) -> SourceSurvey { try await source.survey() }

    func read(from position: Position, into emitter: Emitter<S.Output>) async throws(ETLError) {
        let failure = Guarded<ETLError?>(nil)
        let read = Guarded(0)
        let stage = stage
        let inner = Emitter<S.Input> { payload, end, recordsRead, rejects in
            let before = read.withLock { read in
                defer { read += recordsRead }
                return read
            }
            let batch = Batch(
                sequence: 0, end: end, recordsRead: recordsRead, recordsBefore: before, payload: payload,
                rejects: rejects)
            do throws(ETLError) {
                let result = try await stage.process(batch)
                let rejects = result.rejects
                return await emitter.emit(
                    result.payload, end: end, recordsRead: recordsRead, rejects: rejects)
            } catch {
                failure.withLock { $0 = error }
                return false
            }
        }
        try await source.read(from: position, into: inner)
        if let failure = failure.withLock({ $0 }) { throw failure }
    }
}
