package import Store
package import Syntax

/// Writes the results of an import, for the import view and the csv view. Both have the fields of both, so that a client
/// finds its own at either address.
///
/// The order is counts, errors, books, each in input order. The caller may drain the JSON writer between two
/// elements.
package struct ImportResultsWriter {
    private let counts: JobCounts
    private var lists = StreamedLists("errors", "books")

    /// Opens the view.
    package init(_ counts: JobCounts, into out: inout JSONWriter) {
        self.counts = counts
        out.beginObject()
        counts.bookCounts(into: &out)
    }

    /// Writes a reject or a warning. All errors must come before the first book.
    package mutating func error(_ error: RecordError, into out: inout JSONWriter) {
        lists.add(error, to: 0, into: &out)
    }

    package mutating func book(_ book: BookDTO, into out: inout JSONWriter) {
        lists.add(ParsedBook(book), to: 1, into: &out)
    }

    /// Closes the view.
    ///
    /// - Parameters:
    ///   - timestamp: When the job ended, in milliseconds since 1970.
    ///   - quality: The figures of a completed job; nil for others.
    package consuming func end(
        timestamp: Int64, quality: QualityCounts? = nil, into out: inout JSONWriter
    ) {
        lists.end(into: &out)
        out.field("successRate", counts.successRate)
        out.field("timestamp", timestamp)
        out.field("quality", quality.map { QualityReport($0) })
        out.endObject()
    }
}

/// Writes the arrays of an object one after the other, in pieces, so that a result of a million books is
/// never in memory as a whole. Every array is written, even if it is empty.
struct StreamedLists {
    private let names: [StaticString]
    /// Number of arrays opened so far; all but the last of them are closed.
    private var begun = 0

    /// Takes the arrays' names in writing order.
    init(_ names: StaticString...) { self.names = names }

    /// Adds an element to an array and closes the arrays before it. Going back to a closed array is a
    /// programming error.
    mutating func add(_ element: some JSONWritable, to list: Int, into out: inout JSONWriter) {
        precondition(list >= begun - 1, "the array is closed already")
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

/// A reject, or a warning about an ISBN: an element of `errors`.
package struct RecordError: Sendable, Hashable {
    /// Record number, from 1. Header, blank and preamble records count, as in a spreadsheet; in a list of books to look up, there
    /// are none.
    package var row: Int
    /// The ISBN-13 that is meant; empty if there is none, because clients require the key.
    package var isbn: String
    /// The cell that the error is about, as the file has it, if it is about one.
    package var value: String?
    /// One sentence.
    package var error: String
    /// `NOT_FOUND` if no source has the book, `INVALID_ISBN` if the value is not an ISBN; nil for anything else.
    package var code: String?
    /// The file's name, if the job had several.
    package var file: String?
    /// Physical line of the record in its file, from 1; nil if unknown.
    package var lineNumber: Int?

    package init(
        row: Int, isbn: String = "", value: String? = nil, error: String, code: String? = nil,
        file: String? = nil, lineNumber: Int? = nil
    ) {
        self.lineNumber = lineNumber
        self.code = code
        self.row = row
        self.isbn = isbn
        self.value = value
        self.error = error
        self.file = file
    }
}

extension RecordError: ContractRecord {
    package static var example: RecordError { RecordError(row: 0, error: "") }
    package static var schemaName: String? { "RecordError" }

    package func fields(into table: inout some FieldTable) {
        table.field("row", row)
        table.field("isbn", isbn)
        table.field("error", error)
        table.field("code", code)
        table.field("value", value)
        table.field("file", file)
        table.field("details", lineNumber.map { ErrorPlace(lineNumber: $0) })
    }
}

/// Where an error is in its file, as in a message about a failed job.
struct ErrorPlace: Sendable, Hashable {
    /// Physical line, from 1.
    var lineNumber: Int
}

extension ErrorPlace: ContractRecord {
    static var example: ErrorPlace { ErrorPlace(lineNumber: 0) }

    func fields(into table: inout some FieldTable) { table.field("lineNumber", lineNumber) }
}
