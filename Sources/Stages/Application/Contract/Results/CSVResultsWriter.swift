package import Books
package import Syntax

/// Writes the csv view: `/v1/csv/results/{jobId}` (contract.md section 7, API contract v2.1 section 6.2).
///
/// Books first, then errors, each in input order; between two of them the owner of the JSON writer may drain
/// it.
package struct CSVResultsWriter {
    private var lists = StreamedLists("books", "errors")

    /// Opens the view.
    package init(into out: inout JSONWriter) { out.beginObject() }

    /// Writes a book. All books come before the first error.
    package mutating func book(_ book: BookDTO, into out: inout JSONWriter) {
        lists.add(ParsedBook(book), to: 0, into: &out)
    }

    package mutating func error(_ error: RecordError, into out: inout JSONWriter) {
        lists.add(error, to: 1, into: &out)
    }

    /// Closes the view.
    /// - Parameter timestamp: when the job ended, in milliseconds since 1970.
    package consuming func end(_ counts: JobCounts, timestamp: Int64, into out: inout JSONWriter) {
        lists.end(into: &out)
        out.field("successRate", counts.successRate)
        out.field("timestamp", timestamp)
        out.endObject()
    }
}
