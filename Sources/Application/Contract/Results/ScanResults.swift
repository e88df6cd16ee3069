package import Syntax

/// The scan view: `/v1/scan/results/{jobId}`. It is written at once, because a photo shows at most a hundred
/// books.
package struct ScanResults: Sendable, Hashable {
    package var totals: ScanTotals
    package var books: [DetectedBook]
    /// Name of the model that analyzed the photo.
    package var modelUsed: String
    /// Duration of the scan in milliseconds.
    package var processingTime: Int64
    /// When the scan ended, in milliseconds since 1970.
    package var timestamp: Int64

    package init(
        totals: ScanTotals, books: [DetectedBook], modelUsed: String, processingTime: Int64, timestamp: Int64
    ) {
        self.totals = totals
        self.books = books
        self.modelUsed = modelUsed
        self.processingTime = processingTime
        self.timestamp = timestamp
    }
}

extension ScanResults: JSONObject {
    package func writeFields(into out: inout JSONWriter) {
        totals.writeFields(into: &out)
        out.field("books", books)
        out.field("metadata") { out in
            out.field("modelUsed", modelUsed)
            out.field("processingTime", processingTime)
            out.field("timestamp", timestamp)
        }
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

    /// The result of looking the book up.
    package struct Enrichment: Sendable, Hashable {
        package var status: Status
        package var work: WorkDTO?
        package var editions: [EditionDTO]
        package var authors: [AuthorDTO]

        /// Whether the book was found. Published clients only know `success`; the other two are our
        /// additions.
        package enum Status: String, JSONWritable, Sendable, CaseIterable {
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

extension DetectedBook: JSONObject {
    package func writeFields(into out: inout JSONWriter) {
        out.field("title", title)
        out.field("author", author)
        out.field("isbn", isbn)
        out.field("confidence", confidence)
        out.field("boundingBox", boundingBox)
        out.field("enrichmentStatus", enrichment.status)
        out.field("enrichment", enrichment)
    }
}

extension DetectedBook.Enrichment: JSONObject {
    package func writeFields(into out: inout JSONWriter) {
        out.field("status", status)
        out.field("work", work)
        out.field("editions", editions)
        out.field("authors", authors)
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

    func writeFields(into out: inout JSONWriter) {
        out.field("totalDetected", totalDetected)
        out.field("approved", approved)
        out.field("needsReview", needsReview)
    }
}
