import Books
import System
import Testing

@testable import Services
@testable import Sources

/// Meaning of the services' own error texts.
@Suite struct ServiceRefusalTests {
    private static func kind(
        _ service: any Service, _ status: Int, _ body: String = "", _ fields: [String: String] = [:],
        to kind: ServiceKey.Kind = .isbn
    ) -> ResponseKind {
        let response = HTTPResponse(status: status, fields: fields, body: Array(body.utf8))
        return ResponseKind(response, to: kind, of: service, now: 0)
    }

    private static let services: [any Service] = ServiceDefinition.all.map(\.reader)

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

    @Test(arguments: [
        #"{"error":{"errors":[{"reason":"userRateLimitExceeded"}]}}"#, "Rate limit exceeded",
        #"{"reason":"ratelimitexceeded"}"#, #"{"error":{"errors":[{"reason":"quotaExceeded"}]}}"#,
        #"{"status":"RATE_LIMIT_EXCEEDED"}"#, "Your quota is used up.", "<p>over your rate</p>",
    ])
    func `a 403 that names a rate or quota is throttling`(body: String) {
        for service in Self.services { #expect(Self.kind(service, 403, body) == .throttled(nil)) }
        #expect(Self.kind(isbndb, 403, body, ["retry-after": "7"]) == .throttled(7_000))
    }

    @Test(arguments: [
        "Upgrade to our unlimited plan", "Access limited to members", "corporate network", "Grateful Inc.",
        "This book was rated 403 times", "", "<html>Forbidden</html>",
    ])
    func `a 403 that does not name them means rejected credentials`(body: String) {
        for service in Self.services { #expect(Self.kind(service, 403, body) == .blocked) }
    }

    @Test(arguments: [404, 410])
    func `only the address of a record says that there is no such record`(status: Int) {
        let openLibrary = OpenLibraryService(ServiceEndpoint("http://ol.test"), isIdentified: true)
        for kind in [ServiceKey.Kind.work, .author] {
            #expect(Self.kind(openLibrary, status, to: kind) == .notFound)
        }
        for service in Self.services {
            for kind in [ServiceKey.Kind.isbn, .title, .item, .authorItems, .nameItems] {
                #expect(Self.kind(service, status, to: kind) == .wrongAddress)
            }
        }
    }

    @Test func `an address that does not support the request is wrong`() {
        for kind in [ServiceKey.Kind.isbn, .title, .work, .author] {
            for service in Self.services {
                #expect(Self.kind(service, 405, to: kind) == .wrongAddress)
                #expect(Self.kind(service, 501, to: kind) == .wrongAddress)
            }
        }
    }

    @Test func `a pause is also respected with status 503`() {
        #expect(Self.kind(isbndb, 503, "", ["retry-after": "120"]) == .throttled(120_000))
        #expect(Self.kind(isbndb, 503, "", ["retry-after": "200000"]) == .throttled(86_400_000))
        #expect(Self.kind(isbndb, 503, "", ["retry-after": "soon"]) == .failed)
        #expect(Self.kind(isbndb, 503) == .failed)
        #expect(Self.kind(isbndb, 500, "", ["retry-after": "120"]) == .failed)
    }
}
