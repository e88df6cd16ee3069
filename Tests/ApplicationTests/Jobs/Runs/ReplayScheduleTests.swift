import Testing

@testable import Jobs

@Suite struct ReplayScheduleTests {
    private static let second: UInt64 = 1_000_000_000

    @Test func `without new answers nothing is due`() {
        var schedule = ReplaySchedule(at: 0)
        #expect(schedule.dueAt == nil)
        schedule.note(answers: 3)
        schedule.replayed(from: Self.second, to: 2 * Self.second)
        #expect(schedule.dueAt == nil)
    }

    @Test func `the first answers are due after half a second`() {
        var schedule = ReplaySchedule(at: Self.second)
        schedule.note(answers: 1)
        #expect(schedule.dueAt == Self.second + ReplaySchedule.shortestWait)
    }

    @Test func `few new answers wait ten seconds, a twentieth of the known ones does not`() {
        var schedule = ReplaySchedule(at: 0)
        schedule.note(answers: 1_000)
        schedule.replayed(from: Self.second, to: Self.second)
        schedule.note(answers: 49)
        #expect(schedule.dueAt == 11 * Self.second)
        schedule.note(answers: 1)
        #expect(schedule.dueAt == Self.second + ReplaySchedule.shortestWait)
    }

    @Test func `a twentieth of the known books does not wait, however many other answers are known`() {
        var schedule = ReplaySchedule(at: 0)
        schedule.note(answers: 10_000, books: 1_000)
        schedule.replayed(from: 0, to: 0)
        schedule.note(answers: 49, books: 49)
        #expect(schedule.dueAt == ReplaySchedule.longestWait)
        schedule.note(answers: 1, books: 1)
        #expect(schedule.dueAt == ReplaySchedule.shortestWait)
    }

    @Test func `services are asked three times as long as a replay took`() {
        var schedule = ReplaySchedule(at: 0)
        schedule.note(answers: 10)
        schedule.replayed(from: 0, to: 4 * Self.second)
        schedule.note(answers: 10)
        #expect(schedule.dueAt == 16 * Self.second)
        schedule.replayed(from: 16 * Self.second, to: 16 * Self.second + 1)
        schedule.note(answers: 10)
        #expect(schedule.dueAt == 16 * Self.second + 1 + ReplaySchedule.shortestWait)
    }
}
