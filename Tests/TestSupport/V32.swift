import Foundation

/// Models of a client of contract version 3.2, transcribed from its Swift types.
enum V32 {
    struct BookDTO: Codable {
        let isbn: String
        let isbn13: String?
        let title: String
        let authors: [String]
        let publisher, publishedDate, description: String?
        let pageCount: Int?
        let categories: [String]?
        let language, coverUrl: String?
        let averageRating: Double?
        let ratingsCount: Int?
    }

    struct EnrichedBookDTO: Codable {
        let work: WorkDTO?
        let edition: EditionDTO?
        let authors: [AuthorDTO]?
    }

    struct WorkDTO: Codable {
        let id, title: String
        let subjects: [String]?
        let firstPublishYear: Int?
    }

    struct EditionDTO: Codable {
        let id: String
        let numberOfPages: Int?
        let physicalFormat: String?
        let publishers: [String]?
    }

    struct AuthorDTO: Codable {
        let name: String
        let key, birthDate: String?
    }

    struct ImportResults: Codable {
        let booksCreated, booksUpdated, duplicatesSkipped, enrichmentSucceeded, enrichmentFailed: Int
        let errors: [ImportError]
        let books: [BookDTO]

        struct ImportError: Codable, Equatable {
            let row: Int
            let isbn, error: String
        }
    }

    struct JobStatus: Codable {
        let jobId, status: String
        let progress: Double
        let totalCount, processedCount: Int
        let pipeline: String
    }

    struct SearchResponseDTO: Decodable { let books: [BookDTO] }

    struct EnrichBookRequest: Encodable { let barcode, idempotencyKey: String }

    struct BatchEnrichmentRequest: Encodable { let barcodes: [String] }

    struct BatchEnrichmentResponse: Decodable { let jobId, authToken: String }

    struct ImportJobResponse: Decodable { let jobId, authToken: String }

    struct JobCancellationResponse: Decodable { let jobId, status: String }

    /// Success and failure differ by `success`; the part it promises is required.
    struct ResponseEnvelope<T: Decodable>: Decodable {
        let success: Bool
        let data: T?
        let error: APIError?

        private enum CodingKeys: String, CodingKey { case success, data, error }

        init(from decoder: any Decoder) throws {
            let container = try decoder.container(keyedBy: CodingKeys.self)
            success = try container.decode(Bool.self, forKey: .success)
            data = success ? try container.decode(T.self, forKey: .data) : nil
            error = success ? nil : try container.decode(APIError.self, forKey: .error)
        }
    }

    enum APIError: Decodable, Equatable {
        case circuitOpen(provider: String, retryAfterMs: Int)
        case rateLimitExceeded(retryAfter: Int?)
        case notFound(message: String)
        case serverError(message: String)

        private enum CodingKeys: String, CodingKey { case code, message, retryAfterMs, provider }

        init(from decoder: any Decoder) throws {
            let container = try decoder.container(keyedBy: CodingKeys.self)
            let message = try container.decode(String.self, forKey: .message)
            switch try container.decode(String.self, forKey: .code) {
            case "CIRCUIT_OPEN":
                self = .circuitOpen(
                    provider: try container.decode(String.self, forKey: .provider),
                    retryAfterMs: try container.decode(Int.self, forKey: .retryAfterMs))
            case "RATE_LIMIT_EXCEEDED":
                self = .rateLimitExceeded(retryAfter: try? container.decode(Int.self, forKey: .retryAfterMs))
            case "NOT_FOUND": self = .notFound(message: message)
            default: self = .serverError(message: message)
            }
        }
    }

    struct JobCompletionSummary: Codable, Equatable {
        let totalProcessed, successCount, failureCount, duration: Int
        let resourceId: String?
    }

    struct AIScanSummary: Codable, Equatable {
        let totalProcessed, successCount, failureCount, duration: Int
        let resourceId: String?
        let totalDetected, approved, needsReview: Int?
    }

    struct CompletePayload<Summary: Codable>: Codable {
        let type, pipeline: String
        let summary: Summary
        let expiresAt: String
        /// As in version 2.1.
        let resultsUrl: String
    }

    /// The job view: the client of each pipeline reads its own array.
    struct JobResults: Decodable {
        let books: [V21.CSVResults.Book]?
        let errors: [ImportResults.ImportError]?
        let enrichedBooks: [EnrichedBookDTO]?
        let detectedBooks: [V21.ScannedBook]?
    }
}
