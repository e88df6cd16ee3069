import Books
import Pipeline
import System

/// Stages that remember records, in a run that is resumed.
///
/// Before the run continues at its checkpoint, the input is read again up to there, and passes the stages up
/// to the last one that remembers records. So these stages know the earlier records, and the results are those
/// of an uninterrupted run. This costs reading and these stages only: nothing is looked up or written.
struct ResumedRows {
    let flow: Flow
    let clock: any RunClock
    let stop: StopSignal

    /// Lets the flow's stages process the records before a checkpoint. Throws what they throw.
    func remember(before checkpoint: Position) async throws(ETLError) {
        guard checkpoint != .start,
            let last = flow.stages.lastIndex(where: { type(of: $0.stage).remembersRecords })
        else { return }
        var earlier = flow
        earlier.stages.removeSubrange((last + 1)...)
        earlier.stages.insert(
            Flow.StageRun(name: "EarlierRecords", stage: FilterEarlier(end: checkpoint)), at: 0)
        earlier.sink = DiscardRows()
        let isRead = StopSignal()
        let report = await Runner(earlier, clock: clock).run(stop: isRead) { [stop] event in
            guard case .committed(let end, _, _) = event else { return }
            if stop.isRaised || !FilterEarlier.isBefore(end, checkpoint) { isRead.raise() }
        }
        if case .failed(let failure) = report.outcome { throw failure }
    }
}

/// Passes the records before a checkpoint.
struct FilterEarlier: Stage {
    let end: Position

    static func isBefore(_ a: Position, _ b: Position) -> Bool { (a.file, a.byte) < (b.file, b.byte) }

    func process(_ batch: consuming Batch<LibraryRows>) async throws(ETLError) -> Batch<LibraryRows> {
        var batch = batch
        batch.rejects = []
        batch.payload.rows.removeAll { !Self.isBefore($0.position, end) }
        return batch
    }
}

/// The sink of records that only had to pass some stages.
struct DiscardRows: Sink {
    func write(_ batch: consuming Batch<LibraryRows>) async throws(ETLError) {}

    func finish() async throws(ETLError) {}
}
