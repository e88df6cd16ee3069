public import Foundation

/// Why a method has no answer.
public enum BooksTrackError: Error, Sendable, Hashable {
    /// The service refused or failed.
    case service(ServiceError)
    /// The service closed a WebSocket before the job's last event.
    case closed(CloseCode)
    /// There is no connection, or it broke.
    case unreachable(String)
    /// There was no answer by the deadline.
    case timedOut
    /// The task was canceled.
    case canceled
    /// The answer violates the contract.
    case malformed(String)
    /// A file of the device cannot be read.
    case unreadable(String)

    /// Whether the same request may succeed later.
    public var isRetryable: Bool {
        switch self {
        case .service(let error): error.isRetryable
        case .closed(let code): code.isRetryable
        case .unreachable, .timedOut: true
        case .canceled, .malformed, .unreadable: false
        }
    }

    /// Whether the service has certainly not processed the request.
    var wasNotProcessed: Bool {
        guard case .service(let error) = self else { return false }
        return error.status == 429 || error.status == 503
    }
}

extension BooksTrackError: LocalizedError {
    /// One sentence for people.
    public var errorDescription: String? {
        switch self {
        case .service(let error): error.message
        case .closed: "The connection to the service was closed."
        case .unreachable: "The service cannot be reached."
        case .timedOut: "The service did not answer in time."
        case .canceled: "The request was canceled."
        case .malformed: "The service's answer cannot be read."
        case .unreadable(let reason): "The file cannot be read: \(reason)"
        }
    }

    /// The cause for a log; nil if the description says it all.
    public var failureReason: String? {
        switch self {
        case .unreachable(let reason), .malformed(let reason): reason
        case .closed(let code): "\(code)"
        case .service, .timedOut, .canceled, .unreadable: nil
        }
    }

    /// What a person can do; nil if there is nothing.
    public var recoverySuggestion: String? {
        switch self {
        case .service(let error):
            if let pause = error.retryAfter {
                "Try again in \(max(1, pause.components.seconds)) seconds."
            } else {
                error.isRetryable ? "Try again later." : nil
            }
        case .closed(let code): code.isRetryable ? "Try again later." : nil
        case .unreachable, .timedOut: "Check the network, and whether the server runs."
        case .malformed: "Check the server's address and version."
        case .canceled, .unreadable: nil
        }
    }
}

/// The `error` of an answer.
public struct ServiceError: Sendable, Hashable {
    /// The contract's error codes.
    public enum Code: String, Sendable, Hashable, CaseIterable {
        /// The text is not an ISBN.
        case invalidISBN = "INVALID_ISBN"
        /// A search text cannot be used.
        case invalidQuery = "INVALID_QUERY"
        /// A body, path or option cannot be used.
        case invalidRequest = "INVALID_REQUEST"
        /// The token is missing, wrong or expired.
        case unauthorized = "UNAUTHORIZED"
        /// There is no such thing.
        case notFound = "NOT_FOUND"
        /// An upload is too large.
        case payloadTooLarge = "PAYLOAD_TOO_LARGE"
        /// Too many requests.
        case rateLimitExceeded = "RATE_LIMIT_EXCEEDED"
        /// A provider failed.
        case providerError = "PROVIDER_ERROR"
        /// A provider did not answer.
        case providerTimeout = "PROVIDER_TIMEOUT"
        /// A provider is not asked for a while.
        case circuitOpen = "CIRCUIT_OPEN"
        /// The import failed.
        case csvProcessingFailed = "E_CSV_PROCESSING_FAILED"
        /// The job was canceled.
        case jobCanceled = "JOB_CANCELED"
        /// Reading photos failed.
        case batchScanError = "BATCH_SCAN_ERROR"
        /// The server is busy or has a bug.
        case internalError = "INTERNAL_ERROR"
        /// Another site's page may not use the service.
        case corsBlocked = "CORS_BLOCKED"
        /// A code that this client does not know.
        case unknown = ""
    }

    /// The HTTP status; 0 for an error in an event.
    public var status: Int
    /// The reason.
    public var code: Code
    /// The reason as the service spells it; empty if the answer has none.
    public var rawCode = ""
    /// One sentence for people.
    public var message: String
    /// Whether the same request may succeed later.
    public var isRetryable: Bool
    /// Time to wait first.
    public var retryAfter: Duration?
    /// Details of the error, by name, such as `field` and `value` of a request that cannot be used.
    public var details: [String: String] = [:]
    /// Provider whose response failed.
    public var provider: Provider?

    /// The error of an answer that is no success, also of the answer to the handshake of a WebSocket. An answer of another
    /// program, such as a proxy, is judged by its status.
    ///
    /// - Parameters:
    ///   - status: The HTTP status.
    ///   - fields: The header's fields, their names in lower case.
    ///   - body: The whole body; empty if it is unknown.
    public init(status: Int, fields: [String: String], body: Data) {
        let envelope = try? JSONDecoder().decode(FailureEnvelope.self, from: body)
        let error = envelope?.error
        self.status = status
        // The service says it in a field of its own.
        let isBlocked = fields["x-custom-error"] == Code.corsBlocked.rawValue
        code =
            isBlocked
            ? .corsBlocked
            : error.flatMap { Code(rawValue: $0.code) } ?? (status == 404 ? .notFound : .unknown)
        rawCode = error?.code ?? ""
        message = error?.message ?? "The server answered with status \(status)."
        let mayPass = error?.retryable ?? (status == 429 || status >= 500)
        isRetryable = mayPass && !Self.finalStatuses.contains(status)
        details = error?.details?.mapValues(\.text) ?? [:]
        provider = error?.provider.map { Provider(rawValue: $0) }
        let header = fields["retry-after"].flatMap { Int64($0) }.map { Duration.seconds($0) }
        retryAfter = error?.retryAfterMs.map { .milliseconds($0) } ?? header
    }

    /// The error of an answer that is no success.
    init(_ answer: TransportAnswer) {
        self.init(status: answer.status, fields: answer.fields, body: answer.body)
    }

    /// An error that is in no answer.
    init(code: Code, message: String, isRetryable: Bool, details: [String: String] = [:]) {
        status = 0
        self.code = code
        rawCode = code.rawValue
        self.message = message
        self.isRetryable = isRetryable
        self.details = details
    }

    /// Statuses after which the contract forbids sending the same request again.
    private static let finalStatuses: Set = [400, 401, 404]
}

/// A value of `details`, as a text.
struct DetailValue: Decodable, Sendable, Hashable {
    var text: String

    init(from decoder: any Decoder) throws {
        let value = try decoder.singleValueContainer()
        if let text = try? value.decode(String.self) {
            self.text = text
        } else if let number = try? value.decode(Int64.self) {
            text = "\(number)"
        } else if let number = try? value.decode(Double.self) {
            text = "\(number)"
        } else if let isTrue = try? value.decode(Bool.self) {
            text = "\(isTrue)"
        } else {
            // Lists and objects have no meaning for a client.
            text = ""
        }
    }
}

private struct FailureEnvelope: Decodable {
    struct Details: Decodable {
        var code: String
        var message: String
        var retryable: Bool
        var retryAfterMs: Int64?
        var provider: String?
        var details: [String: DetailValue]?
    }
    var error: Details
}
