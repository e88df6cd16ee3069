import System
import Testing

@testable import Queries
@testable import Server

/// When the index is updated, and who waits for it. The timeout is 100.
@Suite struct IndexScheduleTests {
    private var schedule = IndexSchedule(timeout: 100, hasIndex: false)

    /// Whether a search waits that no job has just ended before.
    private func waits(for version: UInt64) -> Bool { schedule.timeout(for: version, since: 0) != nil }

    /// Runs an update.
    private mutating func update(to version: UInt64, from start: UInt64, to end: UInt64) {
        let starts = schedule.start(version, now: start)
        #expect(starts && schedule.isUpdating)
        schedule.end(.current, now: end)
        #expect(!schedule.isUpdating)
    }

    @Test mutating func `a current index is searched at once`() {
        update(to: 7, from: 0, to: 10)
        for version in [6, 7] as [UInt64] {
            let starts = schedule.start(version, now: 20)
            #expect(!starts && !waits(for: version))
        }
    }

    @Test mutating func `a quick update is waited for and starts at once`() {
        update(to: 7, from: 0, to: 100)
        #expect(waits(for: 8))
        update(to: 8, from: 100, to: 110)
    }

    @Test mutating func `a slow update is not waited for, and the next one starts after as long a pause`() {
        update(to: 7, from: 0, to: 1_000)
        #expect(!waits(for: 8))
        let startsEarly = schedule.start(8, now: 1_999)
        #expect(!startsEarly)
        update(to: 8, from: 2_000, to: 2_010)
        #expect(waits(for: 9))
    }

    @Test mutating func `without an index every search waits, however slow the update is`() {
        #expect(!schedule.hasIndex && waits(for: 1))
        let starts = [schedule.start(1, now: 0), schedule.start(2, now: 500_000)]
        #expect(starts == [true, false], "one at a time")
        #expect(waits(for: 1))
        schedule.end(.current, now: 1_000_000)
        #expect(schedule.hasIndex && !waits(for: 1))
    }

    @Test mutating func `an update of an older version does not cover a newer one`() {
        update(to: 1, from: 0, to: 1)
        #expect(waits(for: 2))
        update(to: 2, from: 1, to: 2)
    }

    @Test mutating func `after an update that failed there is a pause, and the index stays as it was`() {
        let failure = IndexUpdate.failed(ETLError(.inputOutput, "The disk is full."))
        var now: UInt64 = 0
        for result in [.inUse, failure] {
            let starts = schedule.start(1, now: now)
            schedule.end(result, now: now)
            let pause = if case .inUse = result { IndexSchedule.inUsePause } else { IndexSchedule.retryPause }
            let startsAgain = schedule.start(1, now: now + pause - 1)
            #expect(starts && !startsAgain && schedule.searchable == nil)
            now += pause
        }
        update(to: 1, from: now, to: now)
        let starts = schedule.start(2, now: now)
        schedule.end(failure, now: now)
        #expect(starts && schedule.searchable == 1, "searches find what was there before")
    }

    @Test mutating func `no search waits for an index that another process keeps in use`() {
        update(to: 1, from: 0, to: 1)
        for attempt in 0..<IndexSchedule.maxAttempts {
            #expect(waits(for: 2), "\(attempt)")
            let starts = schedule.start(2, now: 1)
            schedule.end(.inUse, now: 1)
            schedule.endPause(until: 1)
            let startsEarly = schedule.start(2, now: 1)
            #expect(starts && !startsEarly, "another pause has begun")
            schedule.endPause(until: 1 + IndexSchedule.inUsePause)
        }
        #expect(!waits(for: 2) && schedule.searchable == 1)
        let starts = schedule.start(2, now: 2)
        #expect(starts && waits(for: 2))
        schedule.end(.current, now: 2)
        #expect(waits(for: 3))
    }

    @Test mutating func `without a store there is nothing to update until there is one`() {
        let starts = schedule.start(1, now: 0)
        schedule.end(.noStore, now: 1)
        #expect(starts && !waits(for: 1))
        update(to: 2, from: 2, to: 3)
    }

    @Test mutating func `an index that was deleted is made again`() {
        update(to: 1, from: 0, to: 10)
        schedule.noteMissingIndex()
        #expect(schedule.searchable == nil && waits(for: 1))
        update(to: 1, from: 10, to: 20)
    }

    @Test func `the index of an earlier process is searched, but nobody knows how old it is`() {
        let schedule = IndexSchedule(timeout: 100, hasIndex: true)
        #expect(schedule.searchable == 0 && schedule.timeout(for: 1, since: 0) == 100)
    }

    @Test
    mutating func `after the end of a job a search waits longer, but not for updates that take longer still`()
    {
        update(to: 7, from: 0, to: 1_000)
        #expect(schedule.timeout(for: 9, since: 8) == IndexSchedule.longTimeout)
        #expect(schedule.timeout(for: 9, since: 7) == nil, "its books can be found already")
        update(to: 9, from: 10_000, to: 10_001 + IndexSchedule.longTimeout)
        #expect(schedule.timeout(for: 11, since: 10) == nil)
    }
}
