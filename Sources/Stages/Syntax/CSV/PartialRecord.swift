/// The record that ``CSVParser`` is in the middle of.
struct PartialRecord {
    let start: Int
    let firstCell: Int
    let firstRewrite: Int
    /// Cells so far.
    var columns = 0
    var flags: RecordFlags = []
    /// Where all its NULs and bytes above 0x7F are.
    var odd = BlockRange()
    /// Where all its line ends within quotes are.
    var quotedLineEnds = BlockRange()

    init(start: Int, firstCell: Int, firstRewrite: Int) {
        self.start = start
        self.firstCell = firstCell
        self.firstRewrite = firstRewrite
    }

    /// Takes in what is in its part of a stretch.
    ///
    /// - Parameters:
    ///   - stretch: Where the stretch begins.
    ///   - end: Where the record's part of it ends.
    @inline(__always)
    mutating func take(_ fields: borrowing FieldBoundaries, from stretch: Int, to end: Int) {
        // A record may begin behind the stretch: no block is its own then.
        let first = UInt64.max << max(0, (start &- stretch) &>> 6)
        let blocks = first & .max &>> UInt64(truncatingIfNeeded: 63 &- min(63, (end &- stretch) &>> 6))
        guard (fields.odd | fields.quotedLineEnds) & blocks != 0 else { return }
        odd.insert(fields.odd & blocks, from: stretch)
        quotedLineEnds.insert(fields.quotedLineEnds & blocks, from: stretch)
    }
}
