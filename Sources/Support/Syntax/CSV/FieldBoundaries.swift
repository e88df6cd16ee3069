import Bytes
import CScan

/// Ends of the fields in a stretch of bytes. ``CSVParser`` examines these instead of the bytes, one stretch
/// at a time.
///
/// A stretch is a few KiB, so that these results are read from the nearest cache. Indexing a whole block of
/// the file was slower.
struct FieldBoundaries: ~Copyable {
    /// Length of a stretch in bytes.
    static let stretchBytes = Int(SCAN_STRETCH)
    /// Maximum number of extra cells written after the requested ones, plus the cell that ends with the
    /// input.
    static let cellsAhead = 8

    private var stretch = scan_csv_stretch()
    /// For each field the offset in the stretch of the byte that ends it. Index -1 is allocated too.
    private let ends: UnsafeMutablePointer<UInt16>
    private let flags: UnsafeMutablePointer<UInt8>
    private let noteStorage: UnsafeMutablePointer<UInt16>
    private let places: UnsafeMutablePointer<UInt16>
    /// Start of the stretch. `firstStart` is the start of the first field that ends in it.
    private var from = 0
    private var firstStart = 0

    init() {
        let capacity = Self.stretchBytes + Int(SCAN_AHEAD)
        let endStorage = UnsafeMutablePointer<UInt16>.allocate(capacity: 1 + capacity)
        endStorage.initialize(repeating: 0, count: 1 + capacity)
        ends = endStorage + 1
        flags = .allocate(capacity: capacity)
        flags.initialize(repeating: 0, count: capacity)
        noteStorage = .allocate(capacity: capacity)
        noteStorage.initialize(repeating: 0, count: capacity)
        places = Self.placesOfBits()
    }

    deinit {
        (ends - 1).deallocate()
        flags.deallocate()
        noteStorage.deallocate()
        places.deallocate()
    }

    /// For each byte the positions of its set bits, in eight lanes.
    private static func placesOfBits() -> UnsafeMutablePointer<UInt16> {
        let places = UnsafeMutablePointer<UInt16>.allocate(capacity: 256 * 8)
        places.initialize(repeating: 0, count: 256 * 8)
        for byte in 0..<256 {
            var lane = 8 * byte
            for place in 0..<8 where byte >> place & 1 == 1 {
                places[lane] = UInt16(place)
                lane += 1
            }
        }
        return places
    }

    /// Number of fields that end in the stretch.
    var count: Int { Int(stretch.ends) }
    /// Indices of the fields that have flags other than being enclosed in quotes.
    var notes: UnsafeBufferPointer<UInt16> {
        UnsafeBufferPointer(start: noteStorage, count: Int(stretch.notes))
    }
    /// Whether a line end directly follows another, as in CRLF.
    var hasAdjoiningLineEnds: Bool { stretch.adjoining_ends != 0 }
    /// The blocks of 64 bytes that contain NULs or bytes above 0x7F, one bit each.
    var odd: UInt64 { stretch.odd }
    /// The blocks in which a line ends within quotes.
    var quotedLineEnds: UInt64 { stretch.quoted_line_ends }
    /// Start of the field that continues after the stretch.
    var open: Int { start(of: count) }

    /// Starts over with a record at byte 0.
    mutating func start() {
        stretch = scan_csv_stretch()
        stretch.after_field = 1
        firstStart = 0
        from = 0
    }

    /// Scans the next stretch.
    @inline(__always)
    mutating func scan(_ text: UnsafePointer<UInt8>, from: Int, count: Int, _ parser: borrowing CSVParser) {
        firstStart = open
        self.from = from
        var fields = scan_csv_fields(ends: ends, flags: flags, notes: noteStorage, places: places)
        scan_csv_ends(
            text + from, count, parser.delimiter, parser.quote, parser.quote == parser.delimiter ? 0 : ~0,
            &stretch, &fields)
    }

    /// The range of a field, including its quotes.
    @inline(__always)
    subscript(_ index: Int) -> Range<Int> {
        start(of: index)..<end(of: index)
    }

    /// The offset of the byte that ends a field.
    @inline(__always)
    func end(of index: Int) -> Int { from &+ Int(ends[index]) }

    /// The flags of a field.
    @inline(__always)
    func flags(of index: Int) -> Int32 { Int32(flags[index]) }

    @inline(__always)
    private func start(of index: Int) -> Int { index == 0 ? firstStart : end(of: index &- 1) &+ 1 }

    /// Writes the cells of fields. Up to seven further cells are written whose contents are meaningless.
    @inline(__always)
    package func write(_ fields: Range<Int>, textOffset: Int, to cells: UnsafeMutablePointer<Text>) {
        scan_csv_cells(
            ends + fields.lowerBound, flags + fields.lowerBound, fields.count,
            UInt32(truncatingIfNeeded: textOffset &+ from), cells)
        if fields.lowerBound == 0, !fields.isEmpty {
            // The first field may have begun in an earlier stretch.
            let enclosed = flags(of: 0) & SCAN_ENCLOSED == 0 ? 0 : 1
            let bytes = self[0]
            let length = bytes.count &- 2 &* enclosed
            cells[0] =
                length == 0
                ? .none
                : Text(
                    offset: UInt32(truncatingIfNeeded: textOffset &+ bytes.lowerBound &+ enclosed),
                    length: UInt32(truncatingIfNeeded: length))
        }
    }
}

/// The record that ``CSVParser`` is parsing.
struct PartialRecord {
    let start: Int
    let firstCell: Int
    let firstRewrite: Int
    /// Number of cells so far.
    var columns = 0
    var flags: RecordFlags = []
    /// The blocks with its NULs and bytes above 0x7F.
    var odd = BlockRange()
    /// The blocks with its line ends within quotes.
    var quotedLineEnds = BlockRange()

    init(start: Int, firstCell: Int, firstRewrite: Int) {
        self.start = start
        self.firstCell = firstCell
        self.firstRewrite = firstRewrite
    }

    /// Adds the flagged blocks of its part of a stretch.
    ///
    /// - Parameters:
    ///   - stretch: Start of the stretch.
    ///   - end: End of the record's part of the stretch.
    @inline(__always)
    mutating func take(_ fields: borrowing FieldBoundaries, from stretch: Int, to end: Int) {
        // A record may begin after the stretch; then none of the blocks belongs to it.
        let first = UInt64.max << max(0, (start &- stretch) &>> 6)
        let blocks = first & .max &>> UInt64(truncatingIfNeeded: 63 &- min(63, (end &- stretch) &>> 6))
        guard (fields.odd | fields.quotedLineEnds) & blocks != 0 else { return }
        odd.insert(fields.odd & blocks, from: stretch)
        quotedLineEnds.insert(fields.quotedLineEnds & blocks, from: stretch)
    }
}

/// The range from the first to the last block of 64 bytes that needs a closer look.
struct BlockRange {
    private var start = Int.max
    private var end = 0

    @inline(__always) package var isEmpty: Bool { end == 0 }

    /// Adds blocks of a stretch, one bit each.
    @inline(__always)
    mutating func insert(_ blocks: UInt64, from stretch: Int) {
        if blocks != 0 {
            start = min(start, stretch + 64 * blocks.trailingZeroBitCount)
            end = stretch + 64 * (64 - blocks.leadingZeroBitCount)
        }
    }

    /// The bytes of a record that need a closer look.
    func bytes(of record: Range<Int>, in text: UnsafePointer<UInt8>) -> UnsafeBufferPointer<UInt8> {
        let range = (min(start, end)..<end).clamped(to: record)
        return UnsafeBufferPointer(start: text + range.lowerBound, count: range.count)
    }
}
