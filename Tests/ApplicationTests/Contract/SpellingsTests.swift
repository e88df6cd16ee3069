import Books
import Contract
import Store
import Syntax
import Testing

/// Every JSON key and enum value that users see: renaming a property by accident fails here.
@Suite struct SpellingsTests {
    static let workRequired = [
        "title", "subjectTags", "goodreadsWorkIDs", "amazonASINs", "librarythingIDs", "googleBooksVolumeIDs",
        "isbndbQuality", "reviewStatus", "id",
    ]
    static let workOptional = [
        "originalTitle", "originalLanguage", "firstPublicationYear", "description", "coverImageURL",
        "synthetic",
        "primaryProvider",
        "openLibraryID", "openLibraryWorkID", "isbndbID", "googleBooksVolumeID", "goodreadsID",
        "lastISBNDBSync",
        "originalImagePath", "boundingBox", "firstPublishYear",
    ]
    static let editionRequired = [
        "isbns", "format", "amazonASINs", "googleBooksVolumeIDs", "librarythingIDs", "isbndbQuality", "id",
    ]
    static let editionOptional = [
        "isbn", "title", "publisher", "publicationDate", "pageCount", "coverImageURL", "editionTitle",
        "editionDescription", "language", "primaryProvider", "openLibraryID", "openLibraryEditionID",
        "isbndbID",
        "googleBooksVolumeID", "goodreadsID", "lastISBNDBSync", "numberOfPages", "physicalFormat", "workId",
    ]
    static let authorRequired = ["name", "gender"]
    static let authorOptional = [
        "culturalRegion", "nationality", "birthYear", "deathYear", "openLibraryID", "isbndbID",
        "googleBooksID",
        "goodreadsID", "bookCount", "key", "birthDate",
    ]
    static let bookRequired = ["isbn", "title", "authors", "categories"]
    static let bookOptional = [
        "isbn13", "publisher", "publishedDate", "description", "pageCount", "language", "coverUrl",
        "averageRating", "ratingsCount",
    ]

    @Test func `a full record has exactly the keys of the contract`() throws {
        // Optional arrays are always present.
        let workArrays = ["authorKeys", "contributors", "editionIds", "subjects"]
        let editionArrays = ["contributors", "publishers"]
        #expect(
            try Written(Sample.fullWork).keys()
                == (Self.workRequired + Self.workOptional + workArrays).sorted())
        #expect(
            try Written(Sample.fullEdition).keys()
                == (Self.editionRequired + Self.editionOptional + editionArrays).sorted())
        #expect(try Written(Sample.fullAuthor).keys() == (Self.authorRequired + Self.authorOptional).sorted())
        #expect(try Written(Sample.fullBook).keys() == (Self.bookRequired + Self.bookOptional).sorted())
        #expect(try Written(Sample.bareWork).keys() == (Self.workRequired + workArrays).sorted())
        #expect(try Written(Sample.bareEdition).keys() == (Self.editionRequired + editionArrays).sorted())
        #expect(try Written(AuthorDTO(name: "x")).keys() == Self.authorRequired.sorted())
        #expect(try Written(BookDTO(title: "x")).keys() == Self.bookRequired.sorted())
    }

    @Test func `the smaller objects have their keys`() throws {
        let full = BookSearchResponse(totalResults: 0)
        #expect(try Written(full).keys() == ["authors", "books", "editions", "totalResults", "works"])
        #expect(
            try Written(BoundingBox(x: 0, y: 0, width: 1, height: 1)).keys() == ["height", "width", "x", "y"])
        #expect(
            try Written(Sample.detectedBook).keys()
                == ["author", "boundingBox", "confidence", "enrichment", "enrichmentStatus", "isbn", "title"])
        #expect(
            try Written(Sample.detectedBook.enrichment).keys() == ["authors", "editions", "status", "work"])
        let book = EnrichedBook(work: Sample.bareWork, edition: Sample.bareEdition, authors: [])
        #expect(try Written(book).keys() == ["authors", "edition", "work"])
        #expect(try Written(RecordError(row: 1, error: "x")).keys() == ["error", "isbn", "row"])
        #expect(
            try Written(RecordError(row: 1, error: "x", file: "a.csv")).keys() == [
                "error", "file", "isbn", "row",
            ])
        #expect(
            try Written(RecordError(row: 1, error: "x", lineNumber: 2)).keys() == [
                "details", "error", "isbn", "row",
            ])
        let metadata = ResponseMetadata(timestamp: 0, processingTime: 1, provider: "isbndb", isCached: true)
        #expect(
            try Written(metadata).keys() == ["cached", "processingTime", "provider", "source", "timestamp"])
        let error = ResponseError.circuitOpen(ProviderFailure("isbndb", error: "down"), retryAfterMs: 1)
        #expect(
            try Written(error).keys() == [
                "code", "details", "message", "provider", "retryAfterMs", "retryable",
            ])
        let status = JobStatusDTO(
            jobId: "j", pipeline: .csvImport, state: .processing,
            progress: JobProgress(processedCount: 0, totalCount: 0))
        #expect(
            try Written(status).keys()
                == [
                    "jobId", "pending", "pipeline", "processedCount", "progress", "running", "status",
                    "totalCount",
                ])
    }

    @Test func `the details of a failure have their keys`() throws {
        func keys(_ details: ErrorDetails) throws -> [String] { try Written(details).keys() }
        #expect(try keys(.refused(parameter: "isbn", value: "123")) == ["isbn"])
        #expect(
            try keys(.unknownBook(isbn: "1", providersSearched: [.isbndb])) == ["isbn", "providersSearched"])
        #expect(try keys(.noResults(jobId: "j", of: .csv, hoursKept: 24)) == ["jobId", "resultsKey", "ttl"])
        #expect(
            try keys(.rateLimit(retryAfterSeconds: 45, limit: 100, window: "1 minute"))
                == ["limit", "retryAfter", "window"])
        #expect(
            try keys(.provider(ProviderFailure("isbndb", error: "server_error", status: 500))) == [
                "error", "provider", "status",
            ])
    }

    @Test func `enum values are spelled as in the contract`() {
        func spelled(_ values: [some JSONWritable]) -> String { Written(values).text }
        #expect(
            spelled(EditionFormat.allCases)
                == #"["Hardcover","Paperback","E-book","Audiobook","Mass Market"]"#)
        #expect(spelled(AuthorGender.allCases) == #"["Unknown","Female","Male","Non-binary","Other"]"#)
        #expect(
            spelled(CulturalRegion.allCases)
                == #"["Africa","Asia","Europe","North America","South America","Oceania","Middle East","#
                + #""Caribbean","Central Asia","Indigenous","International"]"#)
        #expect(spelled(ReviewStatus.allCases) == #"["verified","needsReview","userEdited"]"#)
        #expect(spelled(Provider.allCases) == #"["openlibrary","google-books","isbndb","gemini"]"#)
        #expect(spelled(JobPipeline.allCases) == #"["csv_import","batch_enrichment","ai_scan"]"#)
        #expect(
            spelled(JobState.allCases) == #"["initialized","processing","completed","failed","canceled"]"#)
        #expect(spelled(BatchPhoto.Status.allCases) == #"["queued","processing","complete","error"]"#)
        #expect(
            spelled(MessageType.allCases)
                == #"["job_started","job_progress","job_complete","error","ready","ready_ack","reconnected","#
                + #""batch-init","batch-progress","batch-complete","batch-canceling","#
                + #""ping","pong","cancel_batch"]"#
        )
    }

    /// The error codes of `docs/contract.md`.
    @Test(arguments: [
        (ErrorCode.invalidISBN, "INVALID_ISBN", 400, false), (.invalidQuery, "INVALID_QUERY", 400, false),
        (.invalidRequest, "INVALID_REQUEST", 400, false), (.unauthorized, "UNAUTHORIZED", 401, false),
        (.notFound, "NOT_FOUND", 404, false), (.payloadTooLarge, "PAYLOAD_TOO_LARGE", 413, false),
        (.rateLimitExceeded, "RATE_LIMIT_EXCEEDED", 429, true), (.internalError, "INTERNAL_ERROR", 500, true),
        (.providerError, "PROVIDER_ERROR", 502, true), (.circuitOpen, "CIRCUIT_OPEN", 503, true),
        (.providerTimeout, "PROVIDER_TIMEOUT", 504, true),
    ])
    func `an error code has its status and whether to retry`(
        code: ErrorCode, spelling: String, status: Int, retryable: Bool
    ) {
        #expect(code.rawValue == spelling)
        #expect(code.httpStatus == status)
        #expect(code.isRetryable == retryable)
    }

    @Test func `codes of messages have no status`() {
        let inMessagesOnly = ErrorCode.allCases.filter { $0.httpStatus == nil }.map(\.rawValue)
        #expect(!ErrorCode.jobCanceled.isRetryable)
        #expect(inMessagesOnly == ["E_CSV_PROCESSING_FAILED", "JOB_CANCELED", "BATCH_SCAN_ERROR"])
    }
}
