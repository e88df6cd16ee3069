package import Bytes
package import Pipeline

extension RecordReader {
    /// Passes over the records of one look at the input. ``position`` stays where it is.
    ///
    /// - Parameters:
    ///   - passed: What has been passed over, and is now.
    ///   - visit: Given the cells of each of them that is within the limits, as they stand in the bytes beside them.
    /// - Returns: false at the end of the input.
    package mutating func passOn(
        counting passed: inout SkippedRecords,
        visiting visit: (Slice<UnsafeBufferPointer<Text>>, UnsafeRawBufferPointer) -> Void
    ) throws(StageFailure) -> Bool {
        let ending = parser.parse(window.bytes, isFinal: window.isAtEnd, into: &run)
        let quote = try takeOutLoneQuote(ending)
        let bytes = window.bytes
        // The input may end with the last of them.
        let isLast = ending == .end || ending == .acrossLines
        var first = 0
        for mark in run.marks {
            if !mark.isBlank {
                passed.count += 1
                visit(run.cells[first..<mark.cellsEnd], bytes)
                let cells = mark.cellsEnd - first
                if isLast, isCutOff(mark, cells: cells, after: passed) {
                    passed.cutOff = (passed.records, passed.lines)
                }
                passed.width = max(passed.width, cells)
            }
            passed.records += 1
            passed.lines += mark.lineEnds
            first = mark.cellsEnd
        }
        window.consume(run.consumed)
        switch ending {
        case .needsInput, .full: try window.refill()
        case .acrossLines:
            if let quote { pass(quote.mark, counting: &passed) }
        case .overLimit(let mark): pass(try loneQuote(of: mark)?.mark ?? mark, counting: &passed)
        case .overlong:
            if let quote = try loneQuoteOfLongRecord() {
                pass(quote.mark, counting: &passed)
                break
            }
            var overlong = OversizedRecord(parser)
            while !overlong.isOver {
                window.consume(overlong.take(window.bytes, isFinal: window.isAtEnd))
                try goOn(with: &overlong)
            }
            passed.count += 1
            passed.records += 1
            passed.lines += overlong.lineEnds
        case .end:
            guard let quote else {
                // Of the record that would come next.
                if window.endsInHalfCharacter, passed.cutOff == nil {
                    passed.cutOff = (passed.records, passed.lines)
                }
                return false
            }
            pass(quote.mark, counting: &passed)
        }
        return true
    }

    /// Passes over a record at the window's head that has no cells.
    private mutating func pass(_ mark: ParsedRecords.Mark, counting passed: inout SkippedRecords) {
        passed.count += 1
        passed.records += 1
        passed.lines += mark.lineEnds
        window.consume(mark.next)
    }

    /// Whether the input ends within a record: within quotes, within a character, or before all the cells that others have.
    /// The last line of a sound file may lack its line end.
    private func isCutOff(_ mark: ParsedRecords.Mark, cells: Int, after passed: SkippedRecords) -> Bool {
        let width = passed.width == 0 ? parser.columns ?? 0 : min(passed.width, parser.columns ?? 0)
        return mark.flags.contains(.unterminatedQuote)
            || mark.next == mark.end && (cells < width || window.endsInHalfCharacter)
    }
}
