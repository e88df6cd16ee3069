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

    @Test(arguments: [
        (
            #"{"error":{"details":[{"@type":"type.googleapis.com/google.rpc.RetryInfo","retryDelay":"27s"}]}}"#,
            27_000
        ),
        (#""retryDelay" : "0.847655010s""#, 848), (#""retryDelay": "3.5s""#, 3_501),
        (#""retryDelay": "2.000s""#, 2_000), (#""retryDelay": "999999999999s""#, 86_400_000),
        (#""retryDelay": "soon""#, nil), (#""retryDelay": "-3s""#, nil), (#""retryDelay": 27"#, nil),
        ("retryDelay 27s", nil), ("", nil),
    ])
    func `Google's errors name the pause in their body`(body: String, pause: Int64?) {
        #expect(RetryAfter.milliseconds(inError: body) == pause)
    }
}
