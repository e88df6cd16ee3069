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
