package import Books
package import Syntax

/// Writes the import view, the default of `etl results`: `/api/v2/imports/{jobId}/results` (contract.md
/// section 7, plan v3.2 appendix C).
///
/// Counts first, then errors, then books, each in input order; between two of them the owner of the JSON
/// writer may drain it.
package struct ImportResultsWriter {
    private var lists = StreamedLists("errors", "books")

    /// Opens the view.
    package init(_ counts: JobCounts, into out: inout JSONWriter) {
        out.beginObject()
        counts.writeBookCounts(into: &out)
    }

    /// Writes a reject or a warning. All errors come before the first book.
    package mutating func error(_ error: RecordError, into out: inout JSONWriter) {
        lists.add(error, to: 0, into: &out)
    }

    package mutating func book(_ book: BookDTO, into out: inout JSONWriter) {
        lists.add(book, to: 1, into: &out)
    }

    /// Closes the view.
    package consuming func end(into out: inout JSONWriter) {
        lists.end(into: &out)
        out.endObject()
    }
}
