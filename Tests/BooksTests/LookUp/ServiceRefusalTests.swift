import Pipeline
import Testing

@testable import Books
@testable import Services

/// What the services' own error texts mean.
@Suite struct ServiceRefusalTests {
    private static func kind(_ service: any Service, _ status: Int, _ body: String) -> ResponseKind {
        ResponseKind(HTTPResponse(status: status, body: Array(body.utf8)), of: service, now: 0)
    }

    private let google = GoogleBooksService(ServiceEndpoint("http://google.test", key: "k"))
    private let isbndb = ISBNdbService(ServiceEndpoint("http://isbndb.test", key: "k"))

    @Test(arguments: [
        #"{"error":{"code":400,"message":"API key not valid. Please pass a valid API key."}}"#,
        #"{"error":{"details":[{"reason":"API_KEY_INVALID"}]}}"#,
        #"{"error":{"errors":[{"reason":"keyInvalid"}]}}"#,
    ])
    func `Google rejects a key with status 400`(body: String) {
        #expect(Self.kind(google, 400, body) == .blocked)
        #expect(Self.kind(isbndb, 400, body) == .refusedRequest)
    }

    @Test(arguments: [
        #"{"error":{"errors":[{"reason":"dailyLimitExceeded"}]}}"#,
        #"{"error":{"details":[{"quota_limit":"defaultPerDayPerProject"}]}}"#,
        #"{"error":{"message":"Quota exceeded for 'Queries per day'"}}"#,
    ])
    func `Google reports a spent quota with status 403 or 429`(body: String) {
        #expect(Self.kind(google, 403, body) == .quota)
        #expect(Self.kind(google, 429, body) == .quota)
    }

    @Test func `Google reports too many requests per minute with the same statuses`() {
        let body = #"{"error":{"errors":[{"reason":"rateLimitExceeded"}]}}"#
        #expect(Self.kind(google, 403, body) == .throttled(nil))
        #expect(Self.kind(google, 429, body) == .throttled(nil))
    }

    @Test func `ISBNdb calls a spent quota daily`() {
        #expect(Self.kind(isbndb, 403, #"{"message":"Daily quota exceeded"}"#) == .quota)
        #expect(Self.kind(isbndb, 429, #"{"message":"Daily quota exceeded"}"#) == .quota)
        #expect(Self.kind(isbndb, 403, #"{"message":"Forbidden"}"#) == .blocked)
        #expect(Self.kind(isbndb, 429, #"{"message":"Too many requests"}"#) == .throttled(nil))
    }
}
