package import Queries

/// When the index of a store is updated, and which searches wait for an update.
///
/// Updating a small library takes milliseconds, so a search waits and finds everything. After the end of a job it waits
/// longer: its client expects the job's books. Updating a large library takes minutes, so searches use the last state of
/// the index meanwhile, and at most half of the time is spent on updates.
///
/// Times are nanoseconds of a monotonic clock. Versions of the store grow with each change, from 1.
package struct IndexSchedule: Sendable {
    /// The pause after an update that failed.
    package static let retryPause: UInt64 = 1_000_000_000

    /// The pause after an update that another process kept from writing.
    package static let inUsePause: UInt64 = 100_000_000

    /// Number of updates in a row that are kept from writing after which no search waits for one that has not begun.
    package static let maxAttempts = 20

    /// How long a search waits at least if there is no index yet, or for the books of a job that has ended.
    package static let longTimeout: UInt64 = 2_000_000_000

    private let timeout: UInt64
    /// The version that the index covers; nil for the index of an earlier process.
    private var covered: UInt64?
    /// The update that runs.
    private var running: (version: UInt64, since: UInt64)?
    private var lastDuration: UInt64 = 0
    /// Number of updates in a row that another process kept from writing.
    private var attempts = 0
    /// No update starts before.
    package private(set) var notBefore: UInt64 = 0
    /// Whether there is an index to search, current or not. Without a store there is nothing to search.
    package private(set) var hasIndex: Bool

    /// - Parameters:
    ///   - timeout: How long a search waits for an update if there is an index.
    ///   - hasIndex: Whether an earlier process has left an index.
    package init(timeout: UInt64, hasIndex: Bool) {
        self.timeout = timeout
        self.hasIndex = hasIndex
    }

    /// Whether an update runs.
    package var isUpdating: Bool { running != nil }

    /// The version that a search finds; 0 if it is not known, nil if there is no index.
    package var searchable: UInt64? { hasIndex ? covered ?? 0 : nil }

    /// How long a search waits for an update that covers a version; nil if it does not wait, because the index covers
    /// the version, updates take too long or another process does not let them write.
    ///
    /// - Parameter end: The version that the last job has left; 0 if none has ended.
    package func timeout(for version: UInt64, since end: UInt64) -> UInt64? {
        guard !covers(version), isUpdating || attempts < Self.maxAttempts else { return nil }
        let limit = !hasIndex || end > 0 && !covers(end) ? max(timeout, Self.longTimeout) : timeout
        return !hasIndex || lastDuration <= limit ? limit : nil
    }

    /// Decides whether an update starts now.
    ///
    /// - Returns: True if the caller is to run it and to call ``end(_:now:)``.
    package mutating func start(_ version: UInt64, now: UInt64) -> Bool {
        guard running == nil, !covers(version), now >= notBefore else { return false }
        running = (version, now)
        return true
    }

    /// The update that runs has ended.
    package mutating func end(_ result: IndexUpdate, now: UInt64) {
        guard let update = running else { return }
        running = nil
        attempts = if case .inUse = result { min(attempts + 1, Self.maxAttempts) } else { 0 }
        switch result {
        case .current, .noStore:
            covered = update.version
            hasIndex = true
            lastDuration = now - update.since
            notBefore = lastDuration > timeout ? now + lastDuration : now
        case .inUse: notBefore = now + Self.inUsePause
        case .failed: notBefore = now + Self.retryPause
        }
    }

    /// Ends the pause that lasts until a time. The caller has slept until then, so this does not ask the clock.
    package mutating func endPause(until time: UInt64) {
        if notBefore == time { notBefore = 0 }
    }

    /// There is no index any more: it was deleted, or it was damaged and emptied.
    package mutating func noteMissingIndex() {
        covered = nil
        hasIndex = false
        notBefore = 0
    }

    private func covers(_ version: UInt64) -> Bool { covered.map { $0 >= version } ?? false }
}
