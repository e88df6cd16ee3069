import Jobs
import System

/// Obstacles that are not the fault of the running job. It waits until they are gone, and goes on.
extension JobRunner {
    /// Reasons why a job cannot go on now.
    enum Obstacle: Sendable, Hashable {
        /// Another program writes to the store.
        case otherProgram
        /// The store's disk has no room.
        case fullDisk

        /// For the job's clients.
        var sentence: String {
            switch self {
            case .otherProgram: "Waiting for another program that uses the store"
            case .fullDisk: "Waiting for room: the server's disk is full"
            }
        }

        /// The wait before the next attempt, in nanoseconds: for a full disk twice as long each time, up to 16 s.
        func pause(failures: Int) -> UInt64 {
            switch self {
            case .otherProgram: 1_000_000_000
            case .fullDisk: 1_000_000_000 << UInt64(min(4, max(0, failures - 1)))
            }
        }

        /// The obstacle that a failure shows; nil if it has another cause.
        ///
        /// - Parameter free: Bytes that the store's disk has left; nil if the system does not say.
        init?(_ failure: ETLError, free: Int?) {
            switch failure.kind {
            case .temporary: self = .otherProgram
            case _ where failure.fault?.cause == .full: self = .fullDisk
            // Files next to the store fail in their own ways.
            case .inputOutput, .cannotCreate:
                guard let free, free < Self.leastRoom else { return nil }
                self = .fullDisk
            default: return nil
            }
        }

        /// Bytes without which SQLite's files next to the store cannot grow.
        private static let leastRoom = 1 << 20
    }

    func obstacle(_ failure: ETLError) -> Obstacle? {
        Obstacle(failure, free: Readiness.freeBytes(beside: settings.imports.storePath))
    }

    /// Whether the running job waits for room on the disk.
    package var waitsForRoom: Bool { state.withLock { $0.waitsForRoom } }

    /// Tells the clients of a job what it waits for, and waits before the next attempt.
    ///
    /// - Parameter failures: Number of attempts that have failed.
    func wait(for obstacle: Obstacle, _ job: String, _ stop: StopSignal, failures: Int) async {
        let now = clock.epochMilliseconds()
        state.withLock { state in
            state.waitsForRoom = obstacle == .fullDisk
            state.schedule.noteWork { $0.wait(at: clock.nanoseconds()) }
        }
        _ = hub.update(job) { $0.wait(obstacle.sentence, job, at: now) }
        await stop.pause(nanoseconds: obstacle.pause(failures: failures), on: clock)
    }
}
