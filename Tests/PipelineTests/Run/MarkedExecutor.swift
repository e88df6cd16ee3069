import Dispatch

/// An executor whose code can be told from other code.
final class MarkedExecutor: TaskExecutor {
    private static let mark = DispatchSpecificKey<Bool>()
    private let queue = DispatchQueue(label: "marked")

    init() { queue.setSpecific(key: Self.mark, value: true) }

    /// Whether this code runs on one.
    static var isCurrent: Bool { DispatchQueue.getSpecific(key: mark) ?? false }

    func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        queue.async { job.runSynchronously(on: self.asUnownedTaskExecutor()) }
    }
}
