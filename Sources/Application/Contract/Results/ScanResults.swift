import Syntax

/// The scan view: `/v1/scan/results/{jobId}`. It is written at once, because a photo shows at most a hundred
/// books.
package struct ScanResults: Sendable, Hashable {
    package var totals: ScanTotals
    package var books: [DetectedBook]
    package var metadata: Metadata

    /// What read the photos, and when.
    package struct Metadata: Sendable, Hashable {
        /// Name of the model.
        package var modelUsed: String
        /// Duration of the scan in milliseconds.
        package var processingTime: Int64
        /// When the scan ended, in milliseconds since 1970.
        package var timestamp: Int64
    }

    package init(
        totals: ScanTotals, books: [DetectedBook], modelUsed: String, processingTime: Int64, timestamp: Int64
    ) {
        self.totals = totals
        self.books = books
        metadata = Metadata(modelUsed: modelUsed, processingTime: processingTime, timestamp: timestamp)
    }
}

extension ScanResults: ContractRecord {
    package static var example: ScanResults {
        ScanResults(
            totals: ScanTotals(totalDetected: 0, approved: 0, needsReview: 0), books: [], modelUsed: "",
            processingTime: 0, timestamp: 0)
    }
    package static var schemaName: String? { "ScanResults" }

    package func fields(into table: inout some FieldTable) {
        totals.fields(into: &table)
        table.field("books", books)
        table.field("metadata", metadata)
    }
}

extension ScanResults.Metadata: ContractRecord {
    package static var example: Self { Self(modelUsed: "", processingTime: 0, timestamp: 0) }

    package func fields(into table: inout some FieldTable) {
        table.field("modelUsed", modelUsed)
        table.field("processingTime", processingTime)
        table.field("timestamp", timestamp)
    }
}

/// A book that a scan found in a photo.
package struct DetectedBook: Sendable, Hashable {
    /// The three texts are empty if the photo does not show them, because clients require them.
    package var title: String
    package var author: String
    package var isbn: String
    /// 0–1.
    package var confidence: Double
    package var boundingBox: BoundingBox?
    package var enrichment: Enrichment
    /// Whether the library has the book already, or a photo shows it twice. Our addition.
    package var isDuplicate = false

    /// The result of looking the book up.
    package struct Enrichment: Sendable, Hashable {
        package var status: Status
        package var work: WorkDTO?
        package var editions: [EditionDTO]
        package var authors: [AuthorDTO]

        /// Whether the book was found; `error` if a service has not answered yet. Published clients only know `success`; the
        /// other two are our additions.
        package enum Status: String, Described, Sendable, CaseIterable {
            case success
            case notFound = "not_found"
            case error
        }

        package init(
            _ status: Status, work: WorkDTO? = nil, editions: [EditionDTO] = [], authors: [AuthorDTO] = []
        ) {
            self.status = status
            self.work = work
            self.editions = editions
            self.authors = authors
        }
    }

    package init(
        title: String, author: String, isbn: String = "", confidence: Double,
        boundingBox: BoundingBox? = nil, enrichment: Enrichment
    ) {
        self.title = title
        self.author = author
        self.isbn = isbn
        self.confidence = confidence
        self.boundingBox = boundingBox
        self.enrichment = enrichment
    }
}

extension DetectedBook: ContractRecord {
    package static var example: DetectedBook {
        DetectedBook(title: "", author: "", confidence: 0, enrichment: .init(.success))
    }
    package static var schemaName: String? { "DetectedBook" }

    package func fields(into table: inout some FieldTable) {
        table.field("title", title)
        table.field("author", author)
        table.field("isbn", isbn)
        table.field("confidence", confidence)
        table.field("boundingBox", boundingBox)
        table.field("enrichmentStatus", enrichment.status)
        table.field("enrichment", enrichment)
        table.field("duplicate", isDuplicate ? true : nil)
    }
}

extension DetectedBook.Enrichment: ContractRecord {
    package static var example: DetectedBook.Enrichment { .init(.success) }

    package func fields(into table: inout some FieldTable) {
        table.field("status", status)
        table.field("work", work)
        table.field("editions", editions)
        table.field("authors", authors)
    }
}

/// The counts of a scan.
package struct ScanTotals: Sendable, Hashable {
    package var totalDetected: Int
    /// Books that are certain enough to need no review.
    package var approved: Int
    package var needsReview: Int

    package init(totalDetected: Int, approved: Int, needsReview: Int) {
        self.totalDetected = totalDetected
        self.approved = approved
        self.needsReview = needsReview
    }

    func fields(into table: inout some FieldTable) {
        table.field("totalDetected", totalDetected)
        table.field("approved", approved)
        table.field("needsReview", needsReview)
    }
}
