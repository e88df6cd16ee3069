import Jobs
import System

/// Keeps the vectors of a store current, one update after the other, with the threads of jobs.
///
/// An update reads all works, so at most half of the time is spent on updates. Searches use the vectors that exist meanwhile.
final class VectorUpdater: Sendable {
    /// The pause after an update that failed: its service may be down for long.
    private static let pauseAfterFailure: UInt64 = 60_000_000_000

    private struct State: Sendable {
        /// The version of the store that the last update has seen.
        var covered: UInt64 = 0
        /// No update starts before, in nanoseconds of the clock.
        var notBefore: UInt64 = 0
    }

    private let update: VectorUpdate
    private let threads: ThreadPool
    private let log: AccessLog?
    private let clock: any RunClock
    private let stopSignal = StopSignal()
    private let task = RepeatedTask()
    private let state = Guarded(State())

    init(_ update: VectorUpdate, on threads: ThreadPool, log: AccessLog?, clock: any RunClock) {
        self.update = update
        self.threads = threads
        self.log = log
        self.clock = clock
    }

    /// Begins an update if the store has changed. Call it now and then while no job runs.
    func update(to version: UInt64) {
        let start = clock.nanoseconds()
        task.begin(on: threads) {
            guard state.withLock({ $0.covered != version && start >= $0.notBefore }) else { return nil }
            return { [self] in
                let isDone: Bool
                do throws(ETLError) {
                    _ = try await update.run(stop: stopSignal)
                    isDone = true
                } catch {
                    isDone = false
                    log?.add(
                        AccessLog.Event(
                            time: clock.epochMilliseconds(), name: "vectors", job: nil, result: "failed",
                            sentence: error.message))
                }
                let now = clock.nanoseconds()
                state.withLock {
                    $0.covered = isDone ? version : $0.covered
                    $0.notBefore = now + (isDone ? now - start : Self.pauseAfterFailure)
                }
            }
        }
    }

    /// Begins nothing more, and ends the update that runs. What it has computed is kept.
    func stop() async {
        stopSignal.raise()
        await task.stop()
    }
}
