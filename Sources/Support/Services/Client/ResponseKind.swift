import System

/// Meaning of a response. Decided from its status, header fields and body, and from the service's words.
enum ResponseKind: Sendable, Hashable {
    /// A body to parse.
    case body
    /// The service does not have the record whose address was requested.
    case notFound
    /// The request was refused because of its content. One of the keys may have made the batch fail.
    case refusedRequest
    /// Nothing at this address does what was requested: the address is wrong, or the service has changed.
    /// This says nothing about the keys.
    case wrongAddress
    /// Too many requests, or an overloaded service that says when to come back. The value is the pause the
    /// service asks for, in milliseconds.
    case throttled(Int64?)
    /// The daily budget is spent.
    case quota
    /// Our credentials were rejected: a wrong key, or no contact in the User-Agent. Retrying does not help.
    case blocked
    /// An error of the service, or a status that no service should send, such as a redirect without a target.
    case failed
    /// A web page of a portal or a proxy.
    case webPage

    /// - Parameters:
    ///   - kind: The kind of the keys that were asked for.
    ///   - now: Milliseconds since 1970.
    init(_ response: HTTPResponse, to kind: ServiceKey.Kind, of service: any Service, now: Int64) {
        let text = Self.text(response)
        switch service.refusal(status: response.status, text: text.lowercased()) {
        case .credentials: self = .blocked
        case .dailyBudget: self = .quota
        case nil:
            self.init(
                response, text, hasRecords: service.hasRecordAddresses(of: kind),
                isAnonymous: service.isAnonymous,
                now: now)
        }
    }

    /// - Parameters:
    ///   - text: The beginning of the body.
    ///   - hasRecords: Whether the request was for the address of one record.
    ///   - isAnonymous: Whether the service gets no credentials, so that it can only forbid the address.
    private init(
        _ response: HTTPResponse, _ text: String, hasRecords: Bool, isAnonymous: Bool, now: Int64
    ) {
        // Most errors name none, so bodies are searched only where a pause counts.
        var pause: Int64? {
            response.fields["retry-after"].flatMap { RetryAfter.milliseconds($0, now: now) }
                ?? RetryAfter.milliseconds(inError: text)
        }
        let forbidden: Self = isAnonymous ? .notFound : .blocked
        switch response.status {
        case 200:
            let type = response.fields["content-type"] ?? ""
            self = type.hasPrefix("text/html") ? .webPage : .body
        case 404, 410: self = hasRecords ? .notFound : .wrongAddress
        case 405, 501: self = .wrongAddress
        case 400, 413, 414, 422: self = .refusedRequest
        case 401: self = forbidden
        case 403:
            self = Self.namesLimit(text) ? .throttled(pause) : forbidden
        case 429: self = .throttled(pause)
        case 503: self = pause.map { .throttled($0) } ?? .failed
        default: self = .failed
        }
    }

    /// The beginning of an error's body.
    private static func text(_ response: HTTPResponse) -> String {
        response.status == 200 ? "" : String(decoding: response.body.prefix(4_096), as: UTF8.self)
    }

    /// Whether a text has the word "rate" or "quota": `Rate limit exceeded`, `rateLimitExceeded`,
    /// `QUOTA_EXCEEDED`. "Unlimited" and "corporate" do not count.
    private static func namesLimit(_ text: String) -> Bool {
        words(text).contains {
            ["rate", "rates", "quota", "quotas"].contains($0) || $0.contains("ratelimit")
                || $0.contains("quotaexceeded")
        }
    }

    /// The words of a text in lower case. Names of errors are several words: `userRateLimitExceeded`.
    private static func words(_ text: String) -> [String] {
        var words: [String] = []
        var word = ""
        var isAfterSmallLetter = false
        for character in text {
            if !character.isLetter || character.isUppercase && isAfterSmallLetter {
                if !word.isEmpty { words.append(word) }
                word = ""
            }
            if character.isLetter { word += character.lowercased() }
            isAfterSmallLetter = character.isLowercase
        }
        return word.isEmpty ? words : words + [word]
    }
}
