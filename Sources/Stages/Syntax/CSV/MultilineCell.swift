/// A quoted cell that goes over ends of lines.
struct MultilineCell {
    /// Cells before it in its record.
    let column: Int
    /// Offset in the record behind its opening quote.
    let start: Int
    /// Where the line ends in which it is opened, and where the next begins.
    let lineEnd: (start: Int, next: Int)

    /// - Parameters:
    ///   - field: Where it stands in the record, without its opening quote.
    /// - Returns: Nil for one that stays in its line.
    init?(column: Int, _ field: Range<Int>, in record: UnsafeRawBufferPointer) {
        let isEnd = { (byte: UInt8) in byte == UInt8(ascii: "\n") || byte == UInt8(ascii: "\r") }
        guard let end = record[field].firstIndex(where: isEnd) else { return nil }
        let isPair =
            record[end] == UInt8(ascii: "\r") && end + 1 < record.count
            && record[end + 1] == UInt8(ascii: "\n")
        (self.column, start, lineEnd) = (column, field.lowerBound, (end, end + (isPair ? 2 : 1)))
    }

    /// Cells of the line in which it is opened, were its quote not there.
    func width(in record: UnsafeRawBufferPointer, _ parser: CSVParser) -> Int {
        column + 1 + record[start..<lineEnd.start].count { $0 == parser.delimiter }
    }

    /// Whether a quote closes it as it should.
    func isClosed(in record: UnsafeRawBufferPointer, _ parser: CSVParser) -> Bool {
        var quote = ClosingQuote(parser)
        return quote.isClosing(in: UnsafeRawBufferPointer(rebasing: record[start...]), isFinal: true) ?? false
    }
}
