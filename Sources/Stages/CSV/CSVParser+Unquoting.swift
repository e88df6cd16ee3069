extension CSVParser {
    /// Writes what a quoted field means: without its quotes, doubled ones once, text after the closing
    /// quote kept.
    ///
    /// - Parameters:
    ///   - field: The field as it stands in the file, beginning with its quote.
    ///   - output: At least as long as the field.
    /// - Returns: Bytes written.
    func unquote(_ field: UnsafeRawBufferPointer, into output: UnsafeMutableRawBufferPointer) -> Int {
        var at = 1
        var end = 0
        while at < field.count {
            let byte = field[at]
            at += 1
            if byte == quote {
                guard at < field.count, field[at] == quote else { break }
                at += 1
            }
            output[end] = byte
            end += 1
        }
        // The closing quote is behind us: what is left stands for itself.
        while at < field.count {
            output[end] = field[at]
            at += 1
            end += 1
        }
        return end
    }
}
