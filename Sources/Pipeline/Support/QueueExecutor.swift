import Dispatch

/// Runs an actor on a dispatch queue of its own, so that slow serial I/O never holds a cooperative thread; a task that
/// prefers it runs there too, between its calls of the actor.
///
/// `DispatchSerialQueue` conforms to `SerialExecutor` on Apple's systems only; this is its stand-in on Linux.
public final class QueueExecutor: SerialExecutor, TaskExecutor {
    let queue: DispatchQueue

    /// Makes the queue; `label` names it in debuggers.
    public init(label: String) {
        queue = DispatchQueue(label: label)
    }

    /// Runs a job on the queue, after those before it: the actor's, or one of a task that prefers the queue. Called by
    /// the Swift runtime.
    public func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        let (actor, task) = (asUnownedSerialExecutor(), asUnownedTaskExecutor())
        queue.async { job.runSynchronously(isolatedTo: actor, taskExecutor: task) }
    }
}
