/// When the index of a store is updated, and which searches wait for an update.
///
/// Updating a small library takes milliseconds, so a search waits and finds everything. Updating a large one takes
/// minutes, so searches use the last state of the index meanwhile, and at most half of the time is spent on updates.
///
/// Times are nanoseconds of a monotonic clock. Versions of the store grow with each change.
package struct IndexSchedule: Sendable {
    /// How long a search waits for an update.
    private let patience: UInt64
    /// The version that the index covers.
    private var covered: UInt64?
    /// The update that runs.
    private var running: (version: UInt64, since: UInt64)?
    private var lastDuration: UInt64 = 0
    private var endedAt: UInt64 = 0
    /// Whether there is an index to search, current or not.
    package private(set) var hasIndex: Bool

    /// - Parameters:
    ///   - patience: How long a search waits for an update.
    ///   - hasIndex: Whether an earlier process has left an index.
    package init(patience: UInt64, hasIndex: Bool) {
        self.patience = patience
        self.hasIndex = hasIndex
    }

    /// Whether an update runs.
    package var isUpdating: Bool { running != nil }

    /// Whether a search waits for an update that covers a version: if updates are quick, or if it cannot search
    /// without.
    package func isWorthWaiting(for version: UInt64) -> Bool {
        guard !covers(version) else { return false }
        return !hasIndex || lastDuration <= patience
    }

    /// Decides whether an update starts now.
    ///
    /// - Returns: True if the caller is to run it and to call ``end(_:now:)``.
    package mutating func start(_ version: UInt64, now: UInt64) -> Bool {
        guard running == nil, !covers(version) else { return false }
        let isSlow = lastDuration > patience
        if hasIndex, isSlow, now < endedAt + lastDuration { return false }
        running = (version, now)
        return true
    }

    /// The update that runs has ended.
    package mutating func end(_ outcome: Outcome, now: UInt64) {
        guard let update = running else { return }
        running = nil
        endedAt = now
        guard outcome != .inUse else { return }
        lastDuration = now - update.since
        covered = update.version
        if outcome == .ready { hasIndex = true }
    }

    private func covers(_ version: UInt64) -> Bool { covered.map { $0 >= version } ?? false }

    /// How an update ended.
    package enum Outcome: Sendable, Hashable {
        /// Searches find everything.
        case ready
        /// There is no store yet.
        case noStore
        /// Another process updates the index.
        case inUse
    }
}
