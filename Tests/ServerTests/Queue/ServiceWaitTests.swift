import Testing

@testable import Server

@Suite struct ServiceWaitTests {
    private static let minute: Int64 = 60_000

    private static func wait(
        after previous: ServiceWait?, pending: Int = 9, resumeAt: Int64? = nil, now: Int64 = 0
    ) -> ServiceWait? {
        ServiceWait(after: previous, for: ["isbndb"], pending: pending, resumeAt: resumeAt, now: now)
    }

    @Test func `each pause without a new answer is twice as long, up to six hours`() throws {
        var pauses: [Int64] = []
        var wait: ServiceWait?
        for _ in 0..<11 {
            wait = Self.wait(after: wait)
            pauses.append((wait?.until ?? 0) / Self.minute)
        }
        #expect(pauses == [1, 2, 4, 8, 16, 32, 64, 128, 256, 360, 360])
        let answered = try #require(Self.wait(after: wait, pending: 8))
        #expect(answered.until == Self.minute, "an answer makes the pause short again")
    }

    @Test func `a service that says when it can be asked is not asked before, but within two days`() throws {
        let day = 24 * 60 * Self.minute
        #expect(try #require(Self.wait(after: nil, resumeAt: day)).until == day)
        #expect(try #require(Self.wait(after: nil, resumeAt: 5)).until == Self.minute)
        #expect(try #require(Self.wait(after: nil, resumeAt: .max)).until == 2 * day)
    }

    @Test func `after a week without a new answer the job has waited long enough`() throws {
        let week = 7 * 24 * 60 * Self.minute
        let first = try #require(Self.wait(after: nil))
        #expect(Self.wait(after: first, now: week - 1) != nil)
        #expect(Self.wait(after: first, now: week) == nil)
        #expect(Self.wait(after: first, pending: 8, now: week) != nil)
    }
}
