package import Queries

/// When the index of a store is updated, and which searches wait for an update.
///
/// Updating a small library takes milliseconds, so a search waits and finds everything. Updating a large one takes
/// minutes, so searches use the last state of the index meanwhile, and at most half of the time is spent on updates.
///
/// Times are nanoseconds of a monotonic clock. Versions of the store grow with each change, from 1.
package struct IndexSchedule: Sendable {
    /// The pause after an update that failed or was kept from writing.
    package static let retryPause: UInt64 = 1_000_000_000

    /// How long a search waits at least if there is no index yet.
    private static let firstTimeout: UInt64 = 2_000_000_000

    private let timeout: UInt64
    /// The version that the index covers; nil for the index of an earlier process.
    private var covered: UInt64?
    /// The update that runs.
    private var running: (version: UInt64, since: UInt64)?
    private var lastDuration: UInt64 = 0
    /// No update starts before.
    private var notBefore: UInt64 = 0
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

    /// How long a search waits for an update.
    package var waitingTime: UInt64 { hasIndex ? timeout : max(timeout, Self.firstTimeout) }

    /// Whether a search waits for an update that covers a version: if updates are quick, or if it cannot search
    /// without.
    package func isWorthWaiting(for version: UInt64) -> Bool {
        guard !covers(version) else { return false }
        return !hasIndex || lastDuration <= timeout
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
        switch result {
        case .current, .noStore:
            covered = update.version
            hasIndex = true
            lastDuration = now - update.since
            notBefore = lastDuration > timeout ? now + lastDuration : now
        case .inUse, .failed: notBefore = now + Self.retryPause
        }
    }

    /// There is no index any more: it was deleted, or it was damaged and emptied.
    package mutating func noteMissingIndex() {
        covered = nil
        hasIndex = false
        notBefore = 0
    }

    private func covers(_ version: UInt64) -> Bool { covered.map { $0 >= version } ?? false }
}
