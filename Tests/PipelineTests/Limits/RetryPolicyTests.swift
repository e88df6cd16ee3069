import Testing

@testable import Pipeline

@Suite struct RetryPolicyTests {
    private static let second: UInt64 = 1_000_000_000

    @Test func pausesGrowAsTheDocumentationSays() {
        let policy = RetryPolicy(attempts: 9)
        #expect(policy.pause(afterFailed: 1, jitter: 0) == Self.second / 2)
        #expect(policy.pause(afterFailed: 1, jitter: 1) == Self.second)
        #expect(policy.pause(afterFailed: 2, jitter: 0) == Self.second)
        #expect(policy.pause(afterFailed: 3, jitter: 1) == 4 * Self.second)
    }

    @Test func noPauseIsLongerThanTheCapHoweverOftenItFailed() {
        let policy = RetryPolicy(attempts: .max)
        for failed in [6, 10, 64, 1_000_000] {
            #expect(policy.pause(afterFailed: failed, jitter: 1) == 30 * Self.second)
        }
    }

    @Test func theLastAttemptHasNoPause() {
        #expect(RetryPolicy(attempts: 3).pause(afterFailed: 2, jitter: 0.5) != nil)
        #expect(RetryPolicy(attempts: 3).pause(afterFailed: 3, jitter: 0.5) == nil)
        #expect(RetryPolicy(attempts: 0).pause(afterFailed: 1, jitter: 0.5) == nil)
    }
}
