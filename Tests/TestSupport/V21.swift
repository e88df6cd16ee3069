import Foundation

/// Models of a client of contract version 2.1, transcribed from its TypeScript types. Optional fields are
/// optional here, all others are required, and an unknown enum value fails.
enum V21 {
    enum ReviewStatus: String, Decodable { case verified, needsReview, userEdited }

    enum DataProvider: String, Decodable {
        case googleBooks = "google-books"
        case openlibrary, isbndb, gemini
    }

    enum EditionFormat: String, Decodable {
        case hardcover = "Hardcover"
        case paperback = "Paperback"
        case ebook = "E-book"
        case audiobook = "Audiobook"
        case massMarket = "Mass Market"
    }

    enum AuthorGender: String, Decodable {
        case female = "Female"
        case male = "Male"
        case nonBinary = "Non-binary"
        case other = "Other"
        case unknown = "Unknown"
    }

    enum CulturalRegion: String, Decodable {
        case africa = "Africa"
        case asia = "Asia"
        case europe = "Europe"
        case northAmerica = "North America"
        case southAmerica = "South America"
        case oceania = "Oceania"
        case middleEast = "Middle East"
        case caribbean = "Caribbean"
        case centralAsia = "Central Asia"
        case indigenous = "Indigenous"
        case international = "International"
    }

    struct BoundingBox: Decodable, Equatable { let x, y, width, height: Double }

    struct Work: Decodable {
        let title: String
        let subjectTags, goodreadsWorkIDs, amazonASINs, librarythingIDs, googleBooksVolumeIDs: [String]
        let isbndbQuality: Int
        let reviewStatus: ReviewStatus
        let originalLanguage: String?
        let firstPublicationYear: Int?
        let description, coverImageURL: String?
        let synthetic: Bool?
        let primaryProvider: DataProvider?
        let contributors: [DataProvider]?
        let openLibraryID, openLibraryWorkID, isbndbID, googleBooksVolumeID, goodreadsID: String?
        let lastISBNDBSync, originalImagePath: String?
        let boundingBox: BoundingBox?
    }

    struct Edition: Decodable {
        let isbns: [String]
        let format: EditionFormat
        let amazonASINs, googleBooksVolumeIDs, librarythingIDs: [String]
        let isbndbQuality: Int
        let isbn, title, publisher, publicationDate: String?
        let pageCount: Int?
        let coverImageURL, editionTitle, editionDescription, language: String?
        let primaryProvider: DataProvider?
        let contributors: [DataProvider]?
        let openLibraryID, openLibraryEditionID, isbndbID, googleBooksVolumeID, goodreadsID: String?
        let lastISBNDBSync: String?
    }

    struct Author: Decodable {
        let name: String
        let gender: AuthorGender
        let culturalRegion: CulturalRegion?
        let nationality: String?
        let birthYear, deathYear: Int?
        let openLibraryID, isbndbID, googleBooksID, goodreadsID: String?
        let bookCount: Int?
    }

    struct BookSearchResponse: Decodable {
        let works: [Work]
        let editions: [Edition]
        let authors: [Author]
        let totalResults: Int?
    }

    /// Success and failure differ by `error` alone.
    struct Envelope<Payload: Decodable, Details: Decodable>: Decodable {
        let data: Payload?
        let metadata: Metadata
        let error: Failure?

        struct Metadata: Decodable {
            let timestamp: String
            let processingTime: Int?
            let provider: String?
            let cached: Bool?
        }

        struct Failure: Decodable {
            let message: String
            let code: String?
            let details: Details?
        }
    }

    struct NoDetails: Decodable {}

    struct ScannedBook: Decodable {
        let title, author, isbn: String
        let confidence: Double
        let boundingBox: BoundingBox
        let enrichmentStatus: String
        let enrichment: Enrichment

        struct Enrichment: Decodable {
            let status: String
            let work: Work
            let editions: [Edition]
            let authors: [Author]
        }
    }

    struct ScanResults: Decodable {
        let totalDetected, approved, needsReview: Int
        let books: [ScannedBook]
        let metadata: Metadata

        struct Metadata: Decodable {
            let modelUsed: String
            let processingTime, timestamp: Int64
        }
    }

    struct CSVResults: Decodable {
        let books: [Book]
        let errors: [NoDetails]
        let successRate: String
        let timestamp: Int64

        struct Book: Decodable { let title, author, isbn: String }
    }

    enum MessageType: String, Decodable {
        case jobStarted = "job_started"
        case jobProgress = "job_progress"
        case jobComplete = "job_complete"
        case error, ready
        case readyAck = "ready_ack"
        case reconnected
        case batchInit = "batch-init"
        case batchProgress = "batch-progress"
        case batchComplete = "batch-complete"
        case batchCanceling = "batch-canceling"
        case ping, pong
    }

    enum Pipeline: String, Decodable {
        case batchEnrichment = "batch_enrichment"
        case csvImport = "csv_import"
        case aiScan = "ai_scan"
    }

    struct Message<Payload: Decodable>: Decodable {
        let type: MessageType
        let jobId: String
        let pipeline: Pipeline
        let timestamp: Int64
        let version: String
        let payload: Payload
    }

    struct Started: Decodable {
        let type: MessageType
        let totalItems, estimatedDuration: Int
    }

    struct Progress: Decodable {
        let type: MessageType
        let progress: Double
        let status: String
        let processedCount: Int
        let currentItem: String
    }

    struct Failed: Decodable {
        let type: MessageType
        let code, message: String
        let retryable: Bool
        let details: Details

        struct Details: Decodable { let lineNumber: Int? }
    }

    struct ReadyAck: Decodable {
        let type: MessageType
        let timestamp: Int64
    }

    struct Reconnected: Decodable {
        let type: MessageType
        let progress: Double
        let status: String
        let processedCount, totalCount: Int
        let lastUpdate: Int64
        let message: String
    }

    struct BatchMessage<Content: Decodable>: Decodable {
        let type: MessageType
        let jobId: String
        let timestamp: Int64
        let data: Content
    }

    struct BatchInit: Decodable {
        let type: MessageType
        let totalPhotos: Int
        let status: String
    }

    struct BatchProgress: Decodable {
        let type: MessageType
        let currentPhoto, totalPhotos: Int
        let photoStatus: String
        let booksFound, totalBooksFound: Int
        let photos: [Photo]

        struct Photo: Decodable, Equatable {
            let index: Int
            let status: String
            let booksFound: Int
            let error: String?
        }
    }

    struct BatchComplete: Decodable {
        let type: MessageType
        let totalBooks: Int
        let photoResults: [Result]
        let books: [ScannedBook]

        struct Result: Decodable, Equatable {
            let photoIndex, booksFound: Int
            let status: String
        }
    }

    struct TypeOnly: Decodable { let type: MessageType }
}
