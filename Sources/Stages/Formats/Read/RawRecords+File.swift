package import Syntax
package import System

extension RawRecords {
    /// Writes all records of a file: for a structured format with its columns as header, for delimited text
    /// from the first line of the file, whatever it contains.
    ///
    /// - Parameter settings: Its file, and how its text is encoded and separated if that is not to be guessed.
    /// - Throws: Errors of ``InputFile``, of reading, and of `write`.
    package static func write(
        of settings: ReadSettings, to write: (UnsafeRawBufferPointer) throws(ETLError) -> Void
    ) throws(ETLError) -> Outcome {
        var file = try InputFile(settings.files[0])
        _ = try file.readableHead(settings)
        let head = try file.head(count: 1 << 20)
        if !file.isTable, let (format, _) = try LibraryFormats.structured(head: head, explicit: nil) {
            let stream = try format.records(of: file, index: 0, limits: .standard, from: .start)
            return try Self.write(stream, under: try format.columns(of: file), to: write)
        }
        let encoding = settings.text.encoding ?? TextEncoding.sniff(head: head).encoding
        let guess = Dialect.sniff(head: encoding.utf8(ofHead: head)).dialect
        let dialect = file.isTable ? .comma : settings.text.applied(to: guess)
        return try Self.write(
            RecordReader(file.bytes(), dialect: dialect, encoding: encoding), to: write)
    }
}
