import Books

/// The named schemas of the contract's objects. Tests hold what is written against them.
package enum ContractSchemas {
    /// All of them, by name.
    package static let all: [(name: String, schema: Schema)] = [
        ("Metadata", metadata), ("Failure", failure), ("Work", work), ("Edition", edition),
        ("Author", author),
        ("Book", book), ("SearchResponse", searchResponse), ("Books", .object([.required("books", books)])),
        ("EnrichedBook", enrichedBook), ("AcceptedJob", acceptedJob), ("JobStatus", jobStatus),
        ("CanceledJob", canceledJob), ("RecordError", recordError), ("ImportResults", importResults),
        ("CSVResults", csvResults), ("JobResults", jobResults), ("ListedError", listedError),
        ("RequestedBooks", requestedBooks), ("BarcodeRequest", barcodeRequest), ("Health", health),
    ]

    private static let providers = Schema.names(Provider.allCases.map(\.contractName))
    private static let books = Schema.array(.reference("Book"))

    private static let metadata = Schema.object([
        .required("timestamp", .formatted("date-time")), .optional("processingTime", .integer),
        .optional("provider", .string), .optional("cached", .boolean), .optional("source", .string),
    ])

    private static let failure = Schema.object([
        .required("success", .boolean), .required("data", .null),
        .required("metadata", .reference("Metadata")),
        .required(
            "error",
            .object([
                .required("message", .string),
                .required("code", .names(ErrorCode.allCases.filter { $0.httpStatus != nil }.map(\.rawValue))),
                .required("retryable", .boolean), .optional("retryAfterMs", .integer),
                .optional("provider", .string), .optional("details", .object([])),
            ])),
    ])

    private static let work = Schema.object([
        .required("id", .string), .required("title", .string), .required("subjectTags", .strings),
        .required("goodreadsWorkIDs", .strings), .required("amazonASINs", .strings),
        .required("librarythingIDs", .strings), .required("googleBooksVolumeIDs", .strings),
        .required("isbndbQuality", .integer),
        .required("reviewStatus", .names(ReviewStatus.allCases.map(\.contractName))),
        .required("contributors", .array(providers)), .required("subjects", .strings),
        .optional("originalLanguage", .string), .optional("firstPublicationYear", .integer),
        .optional("firstPublishYear", .integer), .optional("description", .string),
        .optional("coverImageURL", .string), .optional("synthetic", .boolean),
        .optional("primaryProvider", providers), .optional("openLibraryID", .string),
        .optional("openLibraryWorkID", .string), .optional("isbndbID", .string),
        .optional("googleBooksVolumeID", .string), .optional("goodreadsID", .string),
    ])

    private static let edition = Schema.object([
        .required("id", .string), .required("isbns", .strings),
        .required("format", .names(EditionFormat.allCases.map(\.contractName))),
        .required("amazonASINs", .strings), .required("googleBooksVolumeIDs", .strings),
        .required("librarythingIDs", .strings), .required("isbndbQuality", .integer),
        .required("contributors", .array(providers)), .required("publishers", .strings),
        .optional("isbn", .string), .optional("title", .string), .optional("publisher", .string),
        .optional("publicationDate", .string), .optional("pageCount", .integer),
        .optional("numberOfPages", .integer), .optional("physicalFormat", .string),
        .optional("coverImageURL", .string), .optional("editionDescription", .string),
        .optional("language", .string), .optional("primaryProvider", providers),
        .optional("openLibraryID", .string), .optional("openLibraryEditionID", .string),
        .optional("isbndbID", .string), .optional("googleBooksVolumeID", .string),
        .optional("goodreadsID", .string),
    ])

    private static let author = Schema.object([
        .required("name", .string), .required("gender", .names(AuthorGender.allCases.map(\.contractName))),
        .optional("key", .string),
        .optional("culturalRegion", .names(CulturalRegion.allCases.map(\.contractName))),
        .optional("nationality", .string), .optional("birthYear", .integer), .optional("deathYear", .integer),
        .optional("birthDate", .string), .optional("openLibraryID", .string),
        .optional("goodreadsID", .string),
    ])

    private static let bookFields: [Schema.Field] = [
        .optional("isbn13", .string), .optional("publisher", .string), .optional("publishedDate", .string),
        .optional("description", .string), .optional("pageCount", .integer), .optional("language", .string),
        .optional("coverUrl", .string), .optional("averageRating", .number),
        .optional("ratingsCount", .integer),
        .optional("categories", .strings), .optional("authors", .strings),
    ]

    private static let book = Schema.object(
        [
            .required("isbn", .string), .required("title", .string), .required("authors", .strings),
            .required("categories", .strings),
        ] + bookFields.dropLast(2))

    private static let parsedBook = Schema.object(
        [.required("title", .string), .required("author", .string), .required("isbn", .string)] + bookFields)

    private static let searchResponse = Schema.object([
        .required("works", .array(.reference("Work"))), .required("editions", .array(.reference("Edition"))),
        .required("authors", .array(.reference("Author"))), .optional("totalResults", .integer),
        .required("books", books),
    ])

    private static let enrichedBook = Schema.object([
        .optional("work", .reference("Work")), .optional("edition", .reference("Edition")),
        .optional("authors", .array(.reference("Author"))),
    ])

    private static let acceptedJob = Schema.object([
        .required("jobId", .string), .required("token", .string), .required("authToken", .string),
        .required("expiresAt", .formatted("date-time")), .required("statusUrl", .string),
        .required("streamUrl", .string), .required("websocketUrl", .string), .required("resultsUrl", .string),
    ])

    private static let jobStates = Schema.names(JobState.allCases.map(\.rawValue))

    private static let jobStatus = Schema.object([
        .required("jobId", .string), .required("status", jobStates), .required("progress", .number),
        .required("totalCount", .integer), .required("processedCount", .integer),
        .required("pipeline", .names(JobPipeline.allCases.map(\.rawValue))),
        .required("running", .boolean), .required("pending", .integer), .optional("secondsLeft", .integer),
        .optional("resumeAt", .formatted("date-time")),
    ])

    private static let canceledJob = Schema.object([
        .required("jobId", .string), .required("status", .names([JobState.canceled.rawValue])),
    ])

    private static let recordError = Schema.object([
        .required("row", .integer), .required("isbn", .string), .required("error", .string),
        .optional("value", .string), .optional("file", .string),
    ])

    private static let errors = Schema.array(.reference("RecordError"))

    private static let importResults = Schema.object([
        .required("booksCreated", .integer), .required("booksUpdated", .integer),
        .required("duplicatesSkipped", .integer), .required("enrichmentSucceeded", .integer),
        .required("enrichmentFailed", .integer), .required("errors", errors), .required("books", books),
    ])

    private static let csvResults = Schema.object([
        .required("books", .array(parsedBook)), .required("errors", errors),
        .required("successRate", .string),
        .required("timestamp", .integer),
    ])

    private static let jobResults = Schema.object([
        .optional("books", .array(parsedBook)),
        .optional("enrichedBooks", .array(.reference("EnrichedBook"))),
        .required("errors", errors),
    ])

    private static let listedError = Schema.object([
        .required("kind", .names(["reject", "warning"])), .required("row", .integer),
        .required("line", .integer),
        .optional("byte", .integer), .optional("file", .string), .optional("stage", .string),
        .optional("field", .string), .optional("value", .string), .required("code", .string),
        .required("reason", .string), .optional("raw", .string), .optional("rawLength", .integer),
    ])

    private static let requestedBooks = Schema.object([
        .optional(
            "books",
            .array(
                .object([
                    .optional("isbn", .string), .optional("title", .string), .optional("author", .string),
                ]))),
        .optional("barcodes", .strings),
    ])

    private static let barcodeRequest = Schema.object([
        .required("barcode", .string), .optional("idempotencyKey", .string),
        .optional("preferProvider", providers),
    ])

    private static let health = Schema.object([
        .required("status", .names(ServerHealth.Status.allCases.map(\.rawValue))),
        .required("version", .string),
    ])
}
