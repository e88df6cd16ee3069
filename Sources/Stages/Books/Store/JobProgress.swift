/// How far a job has come.
package struct JobProgress: Sendable, Hashable {
    /// Records dealt with, whatever their fate.
    package var processedCount: Int
    /// Records the job has by its structural pre-count; 0 where nothing is known yet.
    package var totalCount: Int

    package init(processedCount: Int, totalCount: Int) {
        self.processedCount = processedCount
        self.totalCount = totalCount
    }

    /// The part that is done, 0–1. A pre-count that proves too small does not lead past 1.
    package var fraction: Double {
        guard totalCount > 0 else { return 0 }
        return min(1, Double(max(0, processedCount)) / Double(totalCount))
    }
}
