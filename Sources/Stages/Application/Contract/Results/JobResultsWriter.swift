package import Syntax

/// Writes the job view: `/v1/jobs/{jobId}/results` (contract.md section 7, WEBSOCKET_V2_MIGRATION step 4).
///
/// What the entries are decides under which name they stand; the names of other pipelines are left out.
/// Entries first, then errors, each in input order; between two of them the owner of the JSON writer may
/// drain it.
package struct JobResultsWriter<Entry: JobResultsEntry> {
    private var lists = StreamedLists(Entry.listName, "errors")

    /// Opens the view.
    package init(into out: inout JSONWriter) { out.beginObject() }

    /// Writes an entry. All entries come before the first error.
    package mutating func entry(_ entry: Entry, into out: inout JSONWriter) {
        lists.add(entry, to: 0, into: &out)
    }

    package mutating func error(_ error: RecordError, into out: inout JSONWriter) {
        lists.add(error, to: 1, into: &out)
    }

    /// Closes the view.
    package consuming func end(into out: inout JSONWriter) {
        lists.end(into: &out)
        out.endObject()
    }
}

/// What a pipeline makes of a record, as the job view shows it.
package protocol JobResultsEntry: JSONWritable {
    /// The key of the array it stands in.
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

/// A book as the views of before v3.2 show it: `title`, `author` and `isbn` as single texts, always there.
/// What ``BookDTO`` knows beyond them follows.
package struct ParsedBook: Sendable, Hashable {
    package var book: BookDTO

    package init(_ book: BookDTO) { self.book = book }
}

extension ParsedBook: JSONWritable {
    package func write(into out: inout JSONWriter) {
        out.object { out in
            out.field("title", book.title)
            out.field("author", book.authors.first ?? "")
            out.field("isbn", book.isbn)
            book.writeDetails(into: &out)
        }
    }
}
