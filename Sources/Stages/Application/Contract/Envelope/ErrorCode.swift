import Syntax

/// What went wrong, in the contract's words (contract.md section 2).
package enum ErrorCode: String, JSONWritable, Sendable, CaseIterable {
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
    /// In messages only: the import failed as a whole.
    case csvProcessingFailed = "E_CSV_PROCESSING_FAILED"
    /// In messages only: every photo of a batch failed.
    case batchScanError = "BATCH_SCAN_ERROR"

    /// The status of the response; nil for a code that occurs in messages only.
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
        case .csvProcessingFailed, .batchScanError: nil
        }
    }

    /// Whether the same request may succeed later; ``internalError`` is worth one more try only.
    package var isRetryable: Bool {
        switch self {
        case .invalidISBN, .invalidQuery, .invalidRequest, .unauthorized, .notFound, .payloadTooLarge: false
        case .rateLimitExceeded, .internalError, .providerError, .circuitOpen, .providerTimeout: true
        case .csvProcessingFailed, .batchScanError: true
        }
    }
}
