package import Syntax

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
