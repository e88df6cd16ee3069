import Dispatch
import Glibc

/// Runs tasks on its own threads, so that the cooperative pool stays free even if they block. Child tasks run there
/// too, unless they prefer another executor.
package final class ThreadPool: TaskExecutor {
    /// Jobs of tasks that no thread has taken.
    private let jobs = Guarded(FIFOQueue<UnownedJob>())
    /// Counts the jobs that wait, and the threads that are to end.
    private let arrivals = DispatchSemaphore(value: 0)
    private let threads: Int
    /// setpriority(2)'s "process" is a thread on Linux.
    private static let thread = __priority_which_t(PRIO_PROCESS.rawValue)

    /// Number of threads that can run at the same time on this machine.
    package static var processorCount: Int { max(1, sysconf(Int32(_SC_NPROCESSORS_ONLN))) }

    /// Starts the threads. They last until ``end()``.
    ///
    /// - Parameters:
    ///   - threads: Number of threads, at least 1.
    ///   - niceness: Niceness of the threads, from 0, the default of the system, to 19.
    /// - Throws: `.temporary` if the process may not have as many threads.
    package init(threads: Int, niceness: Int32 = 0) throws(ETLError) {
        self.threads = threads
        for started in 0..<threads {
            let isStarted = SystemThread.start { [self] in
                // 0 is the calling thread.
                if niceness > 0 { setpriority(Self.thread, 0, niceness) }
                run()
            }
            guard isStarted else {
                for _ in 0..<started { arrivals.signal() }
                throw ETLError(.temporary, "No thread can be started.")
            }
        }
    }

    /// Runs a job of a task on one of the threads, after earlier jobs have been started. Called by the Swift runtime.
    package func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        jobs.withLock { $0.append(job) }
        arrivals.signal()
    }

    private func run() {
        while true {
            arrivals.wait()
            guard let job = jobs.withLock({ $0.popFirst() }) else { return }
            job.runSynchronously(on: asUnownedTaskExecutor())
        }
    }

    /// Ends the threads after the jobs that have arrived. No task may prefer the pool later.
    package func end() {
        for _ in 0..<threads { arrivals.signal() }
    }
}
