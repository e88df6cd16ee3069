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

/// The arrays of an object, written one after the other in pieces, so that an answer of a million books is
/// never in memory as a whole. Each array is there in the end, empty if nothing went into it.
struct StreamedLists {
    private let names: [StaticString]
    /// Arrays begun so far; all but the last of them are closed.
    private var begun = 0

    /// Takes the arrays' names in the order in which they are written.
    init(_ names: StaticString...) { self.names = names }

    /// Adds an element to an array. Those before it are closed: whoever goes back to one has made a mistake
    /// no input can make.
    mutating func add(_ element: some JSONWritable, to list: Int, into out: inout JSONWriter) {
        precondition(list >= begun - 1, "an array that is closed gets no more elements")
        begin(through: list, into: &out)
        element.write(into: &out)
    }

    /// Closes all arrays.
    mutating func end(into out: inout JSONWriter) {
        begin(through: names.count - 1, into: &out)
        out.endArray()
    }

    private mutating func begin(through list: Int, into out: inout JSONWriter) {
        while begun <= list {
            if begun > 0 { out.endArray() }
            out.key(names[begun])
            out.beginArray()
            begun += 1
        }
    }
}

/// A record that was turned away, or a warning about its ISBN: an entry of `errors`.
package struct RecordError: Sendable, Hashable {
    /// Record number, from 1, header, blank and preamble records counted, as a spreadsheet shows it.
    package var row: Int
    /// The ISBN as the file has it; empty where there is none, because clients require the key.
    package var isbn: String
    /// One sentence.
    package var error: String
    /// The file, where the job had several.
    package var file: String?

    package init(row: Int, isbn: String = "", error: String, file: String? = nil) {
        self.row = row
        self.isbn = isbn
        self.error = error
        self.file = file
    }
}

extension RecordError: JSONWritable {
    package func write(into out: inout JSONWriter) {
        out.object { out in
            out.field("row", row)
            out.field("isbn", isbn)
            out.field("error", error)
            out.field("file", file)
        }
    }
}
