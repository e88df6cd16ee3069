package import Pipeline

/// Counts the records of a file without keeping any: the quick look before a run.
package enum RecordCounter {
    /// Records that are not blank, header and records over a limit included.
    ///
    /// The count is that of the records which ``RecordReader`` hands out, because it comes from the same
    /// parser.
    ///
    /// - Throws: `missing` if the file cannot be opened, `inputOutput` if it cannot be read.
    package static func count(
        file path: String, dialect: Dialect, encoding: TextEncoding, limits: RecordLimits = .standard
    ) throws(StageFailure) -> Int {
        var reader = try RecordReader(file: path, dialect: dialect, encoding: encoding, limits: limits)
        return try reader.countRest()
    }
}

extension RecordReader {
    /// Reads to the end of the input and counts the records that are not blank. ``position`` stays where it
    /// is.
    package mutating func countRest() throws(StageFailure) -> Int {
        var count = 0
        while try passOn(counting: &count, visiting: { _, _ in }) {}
        return count
    }

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
            window.consume(mark.next)
        case .overlong:
            count += 1
            var overlong = OverlongRecord(parser)
            while !overlong.isOver {
                window.consume(overlong.take(window.bytes, isFinal: window.isAtEnd))
                if !overlong.isOver { try window.refill() }
            }
        case .end: return false
        }
        return true
    }
}
