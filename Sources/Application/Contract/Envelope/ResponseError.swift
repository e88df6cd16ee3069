package import Books
import Store
package import Syntax

/// The `error` of a failure envelope. Only the functions below make one, so that each code comes with the
/// fields that clients' decoders require for it.
package struct ResponseError: Error, Sendable, Hashable {
    package let code: ErrorCode
    /// One sentence for people.
    package let message: String
    /// Time to wait before the next try, in milliseconds.
    package let retryAfterMs: Int64?
    /// The provider whose response failed, as the contract spells it. It can also be Wikidata, which is not a
    /// provider of books.
    package let provider: String?
    package let details: ErrorDetails?
    /// Whether the same request may succeed later.
    package let isRetryable: Bool

    private init(
        _ code: ErrorCode, _ message: String, retryAfterMs: Int64? = nil, provider: String? = nil,
        details: ErrorDetails? = nil, isRetryable: Bool? = nil
    ) {
        self.isRetryable = isRetryable ?? code.isRetryable
        self.code = code
        self.message = message
        self.retryAfterMs = retryAfterMs
        self.provider = provider
        self.details = details
    }

    /// A text is not an ISBN.
    package static func invalidISBN(_ value: String) -> ResponseError {
        ResponseError(
            .invalidISBN, "Invalid ISBN format. Must be valid ISBN-10 or ISBN-13",
            details: .refused(parameter: "isbn", value: value))
    }

    /// A query parameter is missing or cannot be used; `reason` is a sentence.
    package static func invalidQuery(_ parameter: String, value: String, reason: String) -> ResponseError {
        ResponseError(.invalidQuery, reason, details: .refused(parameter: parameter, value: value))
    }

    /// A body, path or option cannot be used; `reason` is a sentence.
    package static func invalidRequest(_ field: String, value: String, reason: String) -> ResponseError {
        ResponseError(.invalidRequest, reason, details: .refused(parameter: field, value: value))
    }

    /// Something that this server does not do, because it is not configured for it.
    package static func notConfigured(_ message: String) -> ResponseError {
        ResponseError(
            .invalidRequest, message, details: .refused(parameter: "reason", value: "not_configured"))
    }

    /// The token is missing, wrong or expired.
    ///
    /// - Parameter reason: What is wrong, as a sentence for the token's holder. Without it the message does not say which.
    package static func unauthorized(_ reason: String? = nil) -> ResponseError {
        ResponseError(.unauthorized, reason ?? "Missing, wrong or expired job token")
    }

    package static func notFound(_ message: String, details: ErrorDetails? = nil) -> ResponseError {
        ResponseError(.notFound, message, details: details)
    }

    /// There is no such job, or its results have expired.
    ///
    /// - Parameter view: The requested view; nil for the job view.
    package static func noResults(
        jobId: String, of view: ResultsView? = nil, hoursKept: Int
    ) -> ResponseError {
        ResponseError(
            .notFound,
            "Results not found or expired. They are kept for \(hoursKept) hours after a job's completion.",
            details: .noResults(jobId: jobId, of: view ?? .job, hoursKept: hoursKept))
    }

    /// An upload is too large.
    ///
    /// - Parameter reason: Sentence that says which limit it is; nil for the usual one.
    package static func payloadTooLarge(limitBytes: Int, _ reason: String? = nil) -> ResponseError {
        ResponseError(.payloadTooLarge, reason ?? "The upload exceeds the limit of \(limitBytes) bytes")
    }

    /// A client sends too many requests. `window` names the period that `limit` applies to, such as `1
    /// minute`.
    ///
    /// - Parameter reason: Sentence that says which limit it is; nil for the usual one.
    package static func rateLimited(
        retryAfterSeconds: Int, limit: Int, window: String, _ reason: String? = nil
    ) -> ResponseError {
        ResponseError(
            .rateLimitExceeded,
            reason ?? "Rate limit exceeded. Try again in \(retryAfterSeconds) seconds.",
            retryAfterMs: Int64(retryAfterSeconds) * 1_000,
            details: .rateLimit(retryAfterSeconds: retryAfterSeconds, limit: limit, window: window))
    }

    /// Something went wrong that the caller did not cause.
    package static func internalError(_ message: String = "Internal error") -> ResponseError {
        ResponseError(.internalError, message)
    }

    /// The server cannot do it now; the message says why.
    package static func overloaded(_ message: String, retryAfterSeconds: Int = 2) -> ResponseError {
        ResponseError(.internalError, message, retryAfterMs: Int64(retryAfterSeconds) * 1_000)
    }

    /// No provider has the book with an ISBN.
    package static func unknownBook(isbn: String, searched: [Provider]) -> ResponseError {
        ResponseError(
            .notFound, "Book not found for ISBN \(isbn)",
            details: .unknownBook(isbn: isbn, providersSearched: searched))
    }

    /// A provider returned an unusable response, or refuses all requests.
    ///
    /// - Parameter wait: Time to wait before the next try, in milliseconds; nil if unknown.
    package static func providerError(
        _ failure: ProviderFailure, reason: String, retryAfterMs wait: Int64? = nil
    ) -> ResponseError {
        ResponseError(
            .providerError, reason, retryAfterMs: wait, provider: failure.provider,
            details: .provider(failure))
    }

    /// Photos cannot be read: no provider for that is configured.
    package static func scanUnavailable() -> ResponseError {
        ResponseError(
            .providerError, "This server does not read photos.", provider: Provider.gemini.contractName,
            isRetryable: false)
    }

    /// A provider's circuit breaker is open. Clients require both values.
    package static func circuitOpen(_ failure: ProviderFailure, retryAfterMs: Int64) -> ResponseError {
        ResponseError(
            .circuitOpen, "Provider \(failure.provider) temporarily unavailable", retryAfterMs: retryAfterMs,
            provider: failure.provider, details: .provider(failure))
    }

    /// A provider did not answer in time.
    package static func providerTimeout(_ failure: ProviderFailure) -> ResponseError {
        ResponseError(
            .providerTimeout, "Provider \(failure.provider) did not answer in time",
            provider: failure.provider, details: .provider(failure))
    }
}

extension ResponseError: ContractRecord {
    package static var example: ResponseError { internalError() }

    package func fields(into table: inout some FieldTable) {
        table.field("message", message)
        table.field("code", code)
        table.field("retryable", isRetryable)
        table.field("retryAfterMs", retryAfterMs)
        table.field("provider", provider)
        table.field("details", details)
    }
}

/// Why a provider has not answered, for logs of clients.
package struct ProviderFailure: Sendable, Hashable {
    /// Its name, as the contract spells it.
    package var provider: String
    /// The reason in a word: `timeout`, `quota`, `server_error` (the names of ``LookupOutcome``).
    package var error: String
    /// The HTTP status of its last response of that kind; nil without one.
    package var status: Int?

    package init(_ provider: String, error: String, status: Int? = nil) {
        self.provider = provider
        self.error = error
        self.status = status
    }
}

/// Further fields of a failure. A closed list, so that its keys are defined in one place.
package enum ErrorDetails: Sendable, Hashable {
    /// The parameter and the rejected value: `{"isbn":"123"}`.
    case refused(parameter: String, value: String)
    /// No provider has the book: `{"isbn":…,"providersSearched":[…]}`.
    case unknownBook(isbn: String, providersSearched: [Provider])
    /// A provider has not answered: `{"provider":…,"error":…,"status":…}`.
    case provider(ProviderFailure)
    /// The job's results have expired, or there was no such job.
    case noResults(jobId: String, of: ResultsView, hoursKept: Int)
    /// The client's limit: the number of requests in a window such as `1 minute`.
    case rateLimit(retryAfterSeconds: Int, limit: Int, window: String)
}

extension ErrorDetails: JSONObject, Described {
    package static var schema: Schema { .object([]) }

    package func writeFields(into out: inout JSONWriter) {
        switch self {
        case .refused(let parameter, let value):
            out.key(parameter)
            out.string(value)
        case .unknownBook(let isbn, let providers):
            out.field("isbn", isbn)
            out.field("providersSearched", providers)
        case .provider(let failure):
            out.field("provider", failure.provider)
            out.field("error", failure.error)
            out.field("status", failure.status)
        case .noResults(let jobId, let view, let hours):
            out.field("jobId", jobId)
            out.field("resultsKey", view.key(jobId: jobId))
            out.field("ttl", "\(hours) hours")
        case .rateLimit(let seconds, let limit, let window):
            out.field("retryAfter", seconds)
            out.field("limit", limit)
            out.field("window", window)
        }
    }
}

/// The contract's error codes (`docs/contract.md`).
package enum ErrorCode: String, Described, Sendable, CaseIterable {
    case invalidISBN = "INVALID_ISBN"
    case invalidQuery = "INVALID_QUERY"
    case invalidRequest = "INVALID_REQUEST"
    case unauthorized = "UNAUTHORIZED"
    case notFound = "NOT_FOUND"
    case payloadTooLarge = "PAYLOAD_TOO_LARGE"
    case rateLimitExceeded = "RATE_LIMIT_EXCEEDED"
    case internalError = "INTERNAL_ERROR"
    case providerError = "PROVIDER_ERROR"
    case circuitOpen = "CIRCUIT_OPEN"
    case providerTimeout = "PROVIDER_TIMEOUT"
    /// In messages only: the import failed.
    case csvProcessingFailed = "E_CSV_PROCESSING_FAILED"
    /// In messages only: the job was canceled.
    case jobCanceled = "JOB_CANCELED"
    /// In messages only: every photo of a batch failed.
    case batchScanError = "BATCH_SCAN_ERROR"

    /// The codes of responses.
    package static var schema: Schema { .names(allCases.filter { $0.httpStatus != nil }.map(\.rawValue)) }

    /// The HTTP status of the response; nil for a code that is only used in messages.
    package var httpStatus: Int? {
        switch self {
        case .invalidISBN, .invalidQuery, .invalidRequest: 400
        case .unauthorized: 401
        case .notFound: 404
        case .payloadTooLarge: 413
        case .rateLimitExceeded: 429
        case .internalError: 500
        case .providerError: 502
        case .circuitOpen: 503
        case .providerTimeout: 504
        case .csvProcessingFailed, .jobCanceled, .batchScanError: nil
        }
    }

    /// Whether the same request may succeed later. Retry ``internalError`` once only.
    package var isRetryable: Bool {
        switch self {
        case .invalidISBN, .invalidQuery, .invalidRequest, .unauthorized, .notFound, .payloadTooLarge,
            .jobCanceled:
            false
        case .rateLimitExceeded, .internalError, .providerError, .circuitOpen, .providerTimeout: true
        case .csvProcessingFailed, .batchScanError: true
        }
    }
}
