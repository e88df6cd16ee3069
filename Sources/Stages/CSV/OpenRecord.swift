/// The record that ``CSVParser`` is in the middle of.
struct OpenRecord {
    let start: Int
    let firstCell: Int
    let firstRewrite: Int
    var flags: RecordFlags = []
    /// Not 0 if a line end stands within quotes.
    var quotedLineEnds: UInt64 = 0
    /// 0 if the record holds neither NUL nor bytes above 0x7F. It may be set by a neighbour in the same 64
    /// bytes.
    var odd: UInt64 = 0

    init(start: Int, firstCell: Int, firstRewrite: Int) {
        self.start = start
        self.firstCell = firstCell
        self.firstRewrite = firstRewrite
    }
}
