import Synchronization
import System

/// Ends of jobs that hold although they are not on disk: those of canceled and failed jobs while the disk is full.
extension JobQueue {
    /// Ends a job. If that cannot be written, it is kept in memory until ``writeEnds()``.
    func end(_ end: JobEnd) {
        unwritten.append(end)
        writeEnds()
    }

    /// Writes the ends that could not be written.
    func writeEnds() {
        unwritten.removeAll { end in
            do throws(ETLError) {
                try self.end(end.job.id, end.ending, telling: end.delivery)
                return true
            } catch {
                return false
            }
        }
        unwrittenCount.store(unwritten.count, ordering: .relaxed)
    }

    /// Whether there are ends that could not be written.
    nonisolated var hasUnwrittenEnds: Bool { unwrittenCount.load(ordering: .relaxed) > 0 }
}
