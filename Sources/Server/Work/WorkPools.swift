package import System

/// The pools of a server on which requests are worked on. Searches have their own (``SearchService/pool``).
package struct WorkPools: Sendable {
    /// The names of the pools.
    package enum Name: Sendable { case readers, bulk, previews, writers, waiters, lookUps }

    /// Short reads of the store.
    package let readers: WorkPool
    /// Reads that can take long: exports, results of large jobs. They give precedence to everything else, and no client has
    /// all lanes.
    package let bulk: WorkPool
    /// Previews of uploads, the same way.
    package let previews: WorkPool
    /// Writes of uploads.
    package let writers: WorkPool
    /// Work that mostly waits for others.
    package let waiters: WorkPool
    /// Look-ups of single books, which wait for services.
    package let lookUps: WorkPool

    /// - Parameter readers: Number of short reads that run at the same time.
    /// - Throws: `.temporary` if the process may not have as many threads.
    package init(readers: Int) throws(ETLError) {
        self.readers = WorkPool("readers", lanes: readers, waiting: 256)
        bulk = try WorkPool(yieldingLanes: 2, lanesPerClient: 1, waiting: 256)
        previews = try WorkPool(yieldingLanes: 2, lanesPerClient: 1, waiting: 64)
        writers = WorkPool("writers", lanes: 2, waiting: 256)
        waiters = WorkPool("waiters", lanes: 64, lanesPerClient: 32, waiting: 256)
        lookUps = WorkPool("look_ups", lanes: 16, lanesPerClient: 8, waiting: 64)
    }

    /// A pool by its name.
    package subscript(name: Name) -> WorkPool {
        switch name {
        case .readers: readers
        case .bulk: bulk
        case .previews: previews
        case .writers: writers
        case .waiters: waiters
        case .lookUps: lookUps
        }
    }

    /// The pools with their names in `/metrics`.
    package var named: [(name: String, pool: WorkPool)] {
        [
            ("readers", readers), ("bulk", bulk), ("previews", previews), ("writers", writers),
            ("waiters", waiters), ("look_ups", lookUps),
        ]
    }
}
