import Testing

@testable import Jobs

@Suite struct ReplayPacingTests {
    private static let second: UInt64 = 1_000_000_000

    @Test func `without new answers nothing is due`() {
        var pacing = ReplayPacing(at: 0)
        #expect(pacing.dueAt == nil)
        pacing.note(answers: 3)
        pacing.replayed(from: Self.second, to: 2 * Self.second)
        #expect(pacing.dueAt == nil)
    }

    @Test func `the first answers are due after half a second`() {
        var pacing = ReplayPacing(at: Self.second)
        pacing.note(answers: 1)
        #expect(pacing.dueAt == Self.second + ReplayPacing.shortestWait)
    }

    @Test func `few new answers wait ten seconds, a twentieth of the known ones does not`() {
        var pacing = ReplayPacing(at: 0)
        pacing.note(answers: 1_000)
        pacing.replayed(from: Self.second, to: Self.second)
        pacing.note(answers: 49)
        #expect(pacing.dueAt == 11 * Self.second)
        pacing.note(answers: 1)
        #expect(pacing.dueAt == Self.second + ReplayPacing.shortestWait)
    }

    @Test func `a twentieth of the known books does not wait, however many other answers are known`() {
        var pacing = ReplayPacing(at: 0)
        pacing.note(answers: 10_000, books: 1_000)
        pacing.replayed(from: 0, to: 0)
        pacing.note(answers: 49, books: 49)
        #expect(pacing.dueAt == ReplayPacing.longestWait)
        pacing.note(answers: 1, books: 1)
        #expect(pacing.dueAt == ReplayPacing.shortestWait)
    }

    @Test func `services are asked three times as long as a replay took`() {
        var pacing = ReplayPacing(at: 0)
        pacing.note(answers: 10)
        pacing.replayed(from: 0, to: 4 * Self.second)
        pacing.note(answers: 10)
        #expect(pacing.dueAt == 16 * Self.second)
        pacing.replayed(from: 16 * Self.second, to: 16 * Self.second + 1)
        pacing.note(answers: 10)
        #expect(pacing.dueAt == 16 * Self.second + 1 + ReplayPacing.shortestWait)
    }
}
