import Pipeline

/// What an answer means, from its status, its fields and its body: the rules of contract.md section 8 and
/// providers.md, without a network.
enum ResponseKind: Sendable, Hashable {
    /// A body to be read.
    case body
    case notFound
    /// Refused for what was asked: one of the keys may have spoiled the batch.
    case refusedRequest
    /// Too fast; the milliseconds the service asks for.
    case throttled(Int64?)
    /// The day's budget is spent.
    case quota
    /// We are not let in: a wrong key, no contact in the User-Agent. Asking again helps nobody.
    case blocked
    /// The service's own trouble.
    case failed
    /// An answer that is none: a captive page, a redirect to nowhere.
    case malformed

    /// - Parameter now: Milliseconds since 1970.
    init(_ response: HTTPResponse, now: Int64) {
        let pause = response.fields["retry-after"].flatMap { RetryAfter.milliseconds($0, now: now) }
        switch response.status {
        case 200:
            // A page for people, from a portal or a proxy.
            let type = response.fields["content-type"] ?? ""
            self = type.hasPrefix("text/html") ? .malformed : .body
        case 404, 410: self = .notFound
        case 400: self = Self.speaksOfTheKey(Self.words(response.body)) ? .blocked : .refusedRequest
        case 413, 414, 422: self = .refusedRequest
        case 401: self = .blocked
        case 403:
            let words = Self.words(response.body)
            self =
                Self.speaksOfTheDay(words)
                ? .quota : words.contains("limit") || words.contains("quota") ? .throttled(pause) : .blocked
        case 429: self = Self.speaksOfTheDay(Self.words(response.body)) ? .quota : .throttled(pause)
        case 408, 500...599: self = .failed
        default: self = .malformed
        }
    }

    private static func words(_ body: [UInt8]) -> String {
        String(decoding: body.prefix(4_096), as: UTF8.self).lowercased()
    }

    /// Google refuses a wrong key with a 400: `API key not valid`, `API_KEY_INVALID`, `keyInvalid`.
    private static func speaksOfTheKey(_ words: String) -> Bool {
        ["api key", "api_key", "keyinvalid"].contains { words.contains($0) }
    }

    /// Google's `dailyLimitExceeded` and `defaultPerDayPerProject`, ISBNdb's `Daily quota exceeded`.
    private static func speaksOfTheDay(_ words: String) -> Bool {
        ["perday", "per day", "daily"].contains { words.contains($0) }
    }
}
