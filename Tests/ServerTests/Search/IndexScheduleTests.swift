import System
import Testing

@testable import Queries
@testable import Server

/// When the index is updated, and who waits for it. The timeout is 100.
@Suite struct IndexScheduleTests {
    private var schedule = IndexSchedule(timeout: 100, hasIndex: false)

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
            #expect(!starts && !schedule.isWorthWaiting(for: version))
        }
    }

    @Test mutating func `a quick update is waited for and starts at once`() {
        update(to: 7, from: 0, to: 100)
        #expect(schedule.isWorthWaiting(for: 8))
        update(to: 8, from: 100, to: 110)
    }

    @Test mutating func `a slow update is not waited for, and the next one starts after as long a pause`() {
        update(to: 7, from: 0, to: 1_000)
        #expect(!schedule.isWorthWaiting(for: 8))
        let startsEarly = schedule.start(8, now: 1_999)
        #expect(!startsEarly)
        update(to: 8, from: 2_000, to: 2_010)
        #expect(schedule.isWorthWaiting(for: 9))
    }

    @Test mutating func `without an index every search waits, however slow the update is`() {
        #expect(!schedule.hasIndex && schedule.isWorthWaiting(for: 1))
        let starts = [schedule.start(1, now: 0), schedule.start(2, now: 500_000)]
        #expect(starts == [true, false], "one at a time")
        #expect(schedule.isWorthWaiting(for: 1))
        schedule.end(.current, now: 1_000_000)
        #expect(schedule.hasIndex && !schedule.isWorthWaiting(for: 1))
    }

    @Test mutating func `an update of an older version does not cover a newer one`() {
        update(to: 1, from: 0, to: 1)
        #expect(schedule.isWorthWaiting(for: 2))
        update(to: 2, from: 1, to: 2)
    }

    @Test mutating func `after an update that failed there is a pause, and the index stays as it was`() {
        let failure = IndexUpdate.failed(ETLError(.inputOutput, "The disk is full."))
        var now: UInt64 = 0
        for result in [.inUse, failure] {
            let starts = schedule.start(1, now: now)
            schedule.end(result, now: now)
            let startsAgain = schedule.start(1, now: now + IndexSchedule.retryPause - 1)
            #expect(starts && !startsAgain && schedule.searchable == nil)
            now += IndexSchedule.retryPause
        }
        update(to: 1, from: now, to: now)
        let starts = schedule.start(2, now: now)
        schedule.end(failure, now: now)
        #expect(starts && schedule.searchable == 1, "searches find what was there before")
    }

    @Test mutating func `without a store there is nothing to update until there is one`() {
        let starts = schedule.start(1, now: 0)
        schedule.end(.noStore, now: 1)
        #expect(starts && !schedule.isWorthWaiting(for: 1))
        update(to: 2, from: 2, to: 3)
    }

    @Test mutating func `an index that was deleted is made again`() {
        update(to: 1, from: 0, to: 10)
        schedule.noteMissingIndex()
        #expect(schedule.searchable == nil && schedule.isWorthWaiting(for: 1))
        update(to: 1, from: 10, to: 20)
    }

    @Test func `the index of an earlier process is searched, but nobody knows how old it is`() {
        let schedule = IndexSchedule(timeout: 100, hasIndex: true)
        #expect(schedule.searchable == 0 && schedule.isWorthWaiting(for: 1))
    }
}
