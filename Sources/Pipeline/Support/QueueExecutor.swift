import Dispatch

/// Runs an actor on a dispatch queue of its own, so that slow serial I/O never holds a cooperative thread.
///
/// `DispatchSerialQueue` conforms to `SerialExecutor` on Apple's systems only; this is its stand-in on Linux.
public final class QueueExecutor: SerialExecutor {
    private let queue: DispatchQueue

    /// Makes the queue; `label` names it in debuggers.
    public init(label: String) {
        queue = DispatchQueue(label: label)
    }

    /// Runs a job of the actor on the queue, after those before it. Called by the Swift runtime.
    public func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        let executor = asUnownedSerialExecutor()
        queue.async { job.runSynchronously(on: executor) }
    }
}
