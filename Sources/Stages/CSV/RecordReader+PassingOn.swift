import Pipeline

extension RecordReader {
    /// Passes over the records of one look at the input. ``position`` stays where it is.
    ///
    /// - Parameters:
    ///   - count: Raised by the records that are not blank.
    ///   - visit: Given the cells of each of them that is within the limits, as they stand in the bytes beside them.
    /// - Returns: false at the end of the input.
    mutating func passOn(
        counting count: inout Int,
        visiting visit: (Slice<UnsafeBufferPointer<Text>>, UnsafeRawBufferPointer) -> Void
    ) throws(StageFailure) -> Bool {
        let bytes = window.bytes
        let ending = parser.parse(bytes, isFinal: window.isAtEnd, into: &run)
        let quote = ending == .end ? takeOutLoneQuote() : nil
        var first = 0
        for mark in run.marks {
            if !mark.isBlank {
                count += 1
                visit(run.cells[first..<mark.cellsEnd], bytes)
            }
            first = mark.cellsEnd
        }
        window.consume(run.consumed)
        switch ending {
        case .needsInput, .full: try window.refill()
        case .overLimit(let mark):
            count += 1
            window.consume((loneQuote(ofLength: mark.end)?.mark ?? mark).next)
        case .overlong:
            count += 1
            if let quote = loneQuote(ofLength: nil) {
                window.consume(quote.mark.next)
                break
            }
            var overlong = OverlongRecord(parser)
            while !overlong.isOver {
                window.consume(overlong.take(window.bytes, isFinal: window.isAtEnd))
                if !overlong.isOver { try window.refill() }
            }
        case .end:
            guard let quote else { return false }
            count += 1
            window.consume(quote.mark.next)
        }
        return true
    }
}
