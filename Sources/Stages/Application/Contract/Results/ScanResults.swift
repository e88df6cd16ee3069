package import Syntax

/// The scan view: `/v1/scan/results/{jobId}` (API contract v2.1 section 6.2). A photo shows a hundred books
/// at the most, so it is written in one go.
package struct ScanResults: Sendable, Hashable {
    package var totals: ScanTotals
    package var books: [DetectedBook]
    /// Name of the model that read the photo.
    package var modelUsed: String
    /// What the scan took, in milliseconds.
    package var processingTime: Int64
    /// When it ended, in milliseconds since 1970.
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

extension ScanResults: JSONWritable {
    package func write(into out: inout JSONWriter) {
        out.object { out in
            totals.writeFields(into: &out)
            out.field("books", books)
            out.field("metadata") { out in
                out.field("modelUsed", modelUsed)
                out.field("processingTime", processingTime)
                out.field("timestamp", timestamp)
            }
        }
    }
}

/// A book a scan found in a photo (API contract v2.1 sections 6.2 and 7.6).
package struct DetectedBook: Sendable, Hashable {
    /// Empty where the photo does not show it: clients take the three texts as always there.
    package var title: String
    package var author: String
    package var isbn: String
    /// 0–1.
    package var confidence: Double
    package var boundingBox: BoundingBox?
    package var enrichment: Enrichment

    /// What looking the book up came to.
    package struct Enrichment: Sendable, Hashable {
        package var status: Status
        package var work: WorkDTO?
        package var editions: [EditionDTO]
        package var authors: [AuthorDTO]

        /// The documents show `success` only; the others are ours.
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

extension DetectedBook: JSONWritable {
    package func write(into out: inout JSONWriter) {
        out.object { out in
            out.field("title", title)
            out.field("author", author)
            out.field("isbn", isbn)
            out.field("confidence", confidence)
            out.field("boundingBox", boundingBox)
            out.field("enrichmentStatus", enrichment.status)
            out.field("enrichment", enrichment)
        }
    }
}

extension DetectedBook.Enrichment: JSONWritable {
    package func write(into out: inout JSONWriter) {
        out.object { out in
            out.field("status", status)
            out.field("work", work)
            out.field("editions", editions)
            out.field("authors", authors)
        }
    }
}

/// What a scan came to, in numbers.
package struct ScanTotals: Sendable, Hashable {
    package var totalDetected: Int
    /// Sure enough to be taken as they are.
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
