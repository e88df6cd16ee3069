import System
import TestSupport
import Testing

@testable import Server

@Suite struct NightlyRunTests {
    private static let hour: Int64 = 3_600_000
    private static let day = 24 * hour
    /// Midnight of a day.
    private static let midnight = 20_000 * day

    private static func time(_ text: String = "03:30") throws -> TimeOfDay { try #require(TimeOfDay(text)) }

    /// A run as a server has it.
    private final class Held {
        var run: NightlyRun
        let time: TimeOfDay

        init(_ text: String = "03:30", now: Int64) throws {
            time = try NightlyRunTests.time(text)
            run = NightlyRun(time, now: now)
        }

        var next: Int64 { run.next(time) }

        func begin(at now: Int64) -> Bool { run.begin(time, at: now) }

        /// Begins a run and ends it at once.
        func pass(at now: Int64) -> Bool {
            guard begin(at: now) else { return false }
            run.endRefresh(.init(.completed, at: now), backsUp: false)
            return true
        }
    }

    @Test func `a run is due once a day, at its time`() throws {
        let held = try Held(now: Self.midnight)
        #expect(held.next == Self.midnight + 3 * Self.hour + Self.hour / 2)
        var begun: [Int64] = []
        for minute in 0..<(3 * 1_440) {
            let now = Self.midnight + Int64(minute) * 60_000
            if held.pass(at: now) { begun.append((now - Self.midnight) / 60_000) }
        }
        #expect(begun == [210, 210 + 1_440, 210 + 2_880])
    }

    @Test func `a server that is started for the first time after the time waits for the next day`() throws {
        let held = try Held(now: Self.midnight + 4 * Self.hour)
        #expect(!held.begin(at: Self.midnight + 4 * Self.hour))
        #expect(held.next == Self.midnight + Self.day + 7 * Self.hour / 2)
    }

    @Test func `days without a server are made up for by one run`() throws {
        let held = try Held(now: Self.midnight)
        let later = Self.midnight + 5 * Self.day
        #expect(held.pass(at: later) && !held.pass(at: later + 1))
        #expect(held.next == later + 7 * Self.hour / 2)
    }

    @Test func `a clock that is set back repeats nothing, unless it was far ahead`() throws {
        let held = try Held(now: Self.midnight)
        let due = held.next
        #expect(held.pass(at: due))
        for back in [1, 60_000, 5 * Self.hour] {
            #expect(!held.pass(at: due - back) && !held.pass(at: due + 1))
        }
        // The clock was years ahead.
        #expect(held.pass(at: due + 4_000 * Self.day))
        #expect(!held.pass(at: due + Self.hour))
        #expect(held.pass(at: due + Self.day))
    }

    @Test func `another time of day counts from the last run on`() throws {
        let held = try Held(now: Self.midnight)
        #expect(held.pass(at: Self.midnight + 4 * Self.hour))
        #expect(held.run.next(try Self.time("23:00")) == Self.midnight + 23 * Self.hour)
        #expect(held.run.next(try Self.time("01:00")) == Self.midnight + 25 * Self.hour)
    }

    @Test func `no run begins while one is under way`() throws {
        let held = try Held(now: Self.midnight)
        let due = held.next
        #expect(held.begin(at: due))
        #expect(!held.begin(at: due + Self.day), "the refresh is under way")
        held.run.endRefresh(.init(.failed, "No answer.", at: due), backsUp: true)
        #expect(!held.begin(at: due + Self.day) && held.run.phase == .backup && held.run.hasFailed)
        held.run.endBackup(.init(.completed, at: due + Self.hour), bytes: 7)
        #expect(
            held.run.savedAt == due + Self.hour && held.run.savedBytes == 7
                && held.run.backup?.result == .completed)
        #expect(held.begin(at: due + Self.day) && !held.run.hasFailed && held.run.backup == nil)
        #expect(held.run.savedAt == due + Self.hour, "the last good backup is remembered")
    }

    @Test(arguments: ["3:30", "03:60", "24:00", "0330", "03:30:00", "+3:30", "", "٠٣:٣٠", "aa:bb"])
    func `other texts are no times`(text: String) { #expect(TimeOfDay(text) == nil) }

    @Test func `the latest moment with a time is found before and after 1970`() throws {
        let time = try Self.time("23:59")
        let offset = 24 * Self.hour - 60_000
        #expect(time.minutes == 1_439)
        #expect(
            time.latest(notAfter: offset) == offset && time.latest(notAfter: offset - 1) == offset - Self.day)
        #expect(time.latest(notAfter: -1) == -60_000 && time.latest(notAfter: -60_001) == -60_000 - Self.day)
    }
}
