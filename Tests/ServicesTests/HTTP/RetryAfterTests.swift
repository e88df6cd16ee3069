import Testing

@testable import Services

@Suite struct RetryAfterTests {
    /// Sun, 06 Nov 1994 08:49:37 GMT.
    private static let now: Int64 = 784_111_777_000

    @Test func `seconds and dates are parsed`() {
        #expect(RetryAfter.milliseconds("120", now: Self.now) == 120_000)
        #expect(RetryAfter.milliseconds(" 0 ", now: Self.now) == 0)
        #expect(RetryAfter.milliseconds("Sun, 06 Nov 1994 08:50:37 GMT", now: Self.now) == 60_000)
        #expect(RetryAfter.milliseconds("Sun, 06 Nov 1994 08:00:00 GMT", now: Self.now) == 0)
    }

    @Test(arguments: [
        "86400", "86401", "1000000000", "99999999999999999999", "Sun, 06 Nov 1999 08:49:37 GMT",
    ])
    func `a pause of more than a day counts as a day`(_ field: String) {
        #expect(RetryAfter.milliseconds(field, now: Self.now) == 86_400_000)
    }

    @Test(arguments: ["", "-5", "1e9", "soon", "Sun, 06 Foo 1994 08:49:37 GMT"])
    func `unusable values are ignored`(_ field: String) {
        #expect(RetryAfter.milliseconds(field, now: Self.now) == nil)
    }
}
