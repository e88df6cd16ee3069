import Pipeline

/// Records that are longer than any may be: what is not held is looked at ahead, where it has to be known.
extension RecordReader {
    /// The lone quote of the record at the window's head, if it is why the record is so long.
    mutating func loneQuoteOfLongRecord() throws(StageFailure) -> UnclosedQuote? {
        guard let quote = try loneQuote(from: 0, to: nil) else { return nil }
        guard quote.isOpenAtEnd else { return quote }
        return try isClosed(from: min(window.bytes.count, parser.limits.recordBytes)) ? nil : quote
    }

    /// Gets what is needed to pass on over a record: certainty about its open quote, or more bytes.
    mutating func goOn(with record: inout OversizedRecord) throws(StageFailure) {
        if record.isInDoubt {
            record.settle(isClosed: try isClosed(from: 0))
        } else if !record.isOver {
            try window.refill()
        }
    }

    /// Whether the quoted field that the window is within at an offset is closed as it should, however far behind. A look
    /// ends at the next quote, and none of another field begins before it: all together pass over the input but once.
    private func isClosed(from offset: Int) throws(StageFailure) -> Bool {
        var quote = ClosingQuote(parser)
        let held = UnsafeRawBufferPointer(rebasing: window.bytes[offset...])
        if let isClosed = quote.isClosing(in: held, isFinal: window.isAtEnd) { return isClosed }
        guard var ahead = try window.ahead() else { return false }
        while true {
            if stop?.isRaised == true {
                throw StageFailure(.temporary, "Looking for the end of a quoted field was given up.")
            }
            try ahead.refill()
            if let isClosed = quote.isClosing(in: ahead.bytes, isFinal: ahead.isAtEnd) { return isClosed }
            ahead.consume(ahead.bytes.count)
        }
    }
}
