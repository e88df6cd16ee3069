import Dispatch

/// Runs an actor on its own dispatch queue, so that slow serial I/O never blocks a thread of the cooperative
/// pool. A task that prefers this executor also runs there between its calls of the actor.
///
/// `DispatchSerialQueue` conforms to `SerialExecutor` only on Apple platforms; this type replaces it on
/// Linux.
package final class QueueExecutor: SerialExecutor, TaskExecutor {
    let queue: DispatchQueue

    /// Creates the queue. Debuggers show `label` as its name.
    package init(label: String) {
        queue = DispatchQueue(label: label)
    }

    /// Runs a job of the actor, or of a task that prefers this executor, on the queue, after earlier jobs.
    /// Called by the Swift runtime.
    package func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        let (actor, task) = (asUnownedSerialExecutor(), asUnownedTaskExecutor())
        queue.async { job.runSynchronously(isolatedTo: actor, taskExecutor: task) }
    }
}
