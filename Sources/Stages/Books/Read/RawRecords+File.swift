package import Pipeline
package import Syntax

extension RawRecords {
    /// Writes all records of a file: of a structured format under its columns, else of delimited text from its
    /// first line on, whatever it is a table of.
    ///
    /// - Throws: What ``InputFile`` throws, what reading throws, and what `write` throws.
    package static func write(
        of path: String, to write: (UnsafeRawBufferPointer) throws(StageFailure) -> Void
    ) throws(StageFailure) -> Outcome {
        let file = try InputFile(path)
        let head = try file.head(count: 1 << 20)
        if let (format, _) = try LibraryFormats.structured(head: head, explicit: nil) {
            let stream = try format.records(of: file, index: 0, limits: .standard, from: .start)
            return try Self.write(stream, under: try format.columns(of: file), to: write)
        }
        let encoding = TextEncoding.sniff(head: head).encoding
        let dialect = Dialect.sniff(head: encoding.utf8(ofHead: head)).dialect
        return try Self.write(
            RecordReader(file.bytes(), dialect: dialect, encoding: encoding), to: write)
    }
}
