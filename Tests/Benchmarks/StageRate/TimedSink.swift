import Pipeline
import System

/// A sink that measures the time spent in another one.
struct TimedSink<Content: Payload>: Sink {
    let sink: any Sink<Content>
    /// Nanoseconds of wall time.
    let time: Guarded<UInt64>

    var batchesPerCommit: Int { sink.batchesPerCommit }

    var defersCommit: Bool { sink.defersCommit }

    var executor: (any TaskExecutor)? { sink.executor }

    func write(_ batch: consuming Batch<Content>) async throws(ETLError) { try await write([batch]) }

    func write(_ batches: consuming [Batch<Content>]) async throws(ETLError) {
        let began = SystemClock().nanoseconds()
        try await sink.write(batches)
        time.withLock { $0 += SystemClock().nanoseconds() - began }
    }

    func commit(through end: Position) async throws(ETLError) {
        let began = SystemClock().nanoseconds()
        try await sink.commit(through: end)
        time.withLock { $0 += SystemClock().nanoseconds() - began }
    }

    func finish() async throws(ETLError) { try await sink.finish() }
}

extension Sink {
    /// The same sink with a stopwatch.
    func timed(_ time: Guarded<UInt64>) -> any Sink { TimedSink(sink: self, time: time) }
}
