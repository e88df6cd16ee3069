package import Syntax

/// Writes the job view: `/v1/jobs/{jobId}/results`.
///
/// The type of the entries decides the name of their array; the arrays of other pipelines are left out. The
/// order is entries, then errors, each in input order. The caller may drain the JSON writer between two
/// elements.
package struct JobResultsWriter<Entry: JobResultsEntry> {
    private var lists = StreamedLists(Entry.listName, "errors")

    /// Opens the view.
    package init(into out: inout JSONWriter) { out.beginObject() }

    /// Writes an entry. All entries must come before the first error.
    package mutating func entry(_ entry: Entry, into out: inout JSONWriter) {
        lists.add(entry, to: 0, into: &out)
    }

    package mutating func error(_ error: RecordError, into out: inout JSONWriter) {
        lists.add(error, to: 1, into: &out)
    }

    /// Closes the view.
    ///
    /// - Parameter quality: The figures of a completed job; nil for others.
    package consuming func end(quality: QualityCounts? = nil, into out: inout JSONWriter) {
        lists.end(into: &out)
        out.field("quality", quality.map { QualityReport($0) })
        out.endObject()
    }
}

/// Result of a record in a pipeline, as the job view shows it.
package protocol JobResultsEntry: JSONWritable {
    /// The key of the array.
    static var listName: StaticString { get }
}

extension ParsedBook: JobResultsEntry {
    package static var listName: StaticString { "books" }
}

extension EnrichedBook: JobResultsEntry {
    package static var listName: StaticString { "enrichedBooks" }
}

extension DetectedBook: JobResultsEntry {
    package static var listName: StaticString { "detectedBooks" }
}

/// A book of a job's results: `title`, `author` and `isbn` are single texts and always present. The
/// other fields of ``BookDTO`` follow.
package struct ParsedBook: Sendable, Hashable {
    package var book: BookDTO

    package init(_ book: BookDTO) { self.book = book }
}

extension ParsedBook: ContractRecord {
    package static var example: ParsedBook { ParsedBook(.example) }

    package func fields(into table: inout some FieldTable) {
        table.field("title", book.title)
        table.field("author", book.authors.first ?? "")
        table.field("isbn", book.isbn)
        book.details(into: &table)
    }
}
