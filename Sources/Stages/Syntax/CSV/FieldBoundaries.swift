import Bytes
import CScan

/// Where the fields of a stretch of bytes end: what ``CSVParser`` looks at instead of the bytes, stretch by
/// stretch.
///
/// A stretch is a few KiB, so that what is written here is read from the nearest cache: an index of a whole
/// block of the file was slower.
struct FieldBoundaries: ~Copyable {
    /// Bytes of a stretch.
    static let stretchBytes = Int(SCAN_STRETCH)
    /// Cells that are written in vain behind those asked for, at most, and the one that the end of the input
    /// ends.
    static let cellsAhead = 8

    private var stretch = scan_csv_stretch()
    /// Of each field the byte that ends it, from the beginning of the stretch on; at -1 there is room.
    private let ends: UnsafeMutablePointer<UInt16>
    private let flags: UnsafeMutablePointer<UInt8>
    private let noteStorage: UnsafeMutablePointer<UInt16>
    private let places: UnsafeMutablePointer<UInt16>
    /// Where the stretch begins, and where the first field does that ends in it.
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

    /// For each byte the places of its bits that are set, in eight lanes.
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

    /// Fields that end in the stretch.
    var count: Int { Int(stretch.ends) }
    /// The fields of which more is known than that they are enclosed.
    var notes: UnsafeBufferPointer<UInt16> {
        UnsafeBufferPointer(start: noteStorage, count: Int(stretch.notes))
    }
    /// Whether a line end stands behind another, as in CRLF.
    var hasAdjoiningLineEnds: Bool { stretch.adjoining_ends != 0 }
    /// Blocks of 64 bytes in which there are NULs, or bytes above 0x7F.
    var odd: UInt64 { stretch.odd }
    /// Blocks in which a line ends within quotes.
    var quotedLineEnds: UInt64 { stretch.quoted_line_ends }
    /// Where the field begins that goes on beyond the stretch.
    var open: Int { start(of: count) }

    /// Begins anew, with a record at byte 0.
    mutating func start() {
        stretch = scan_csv_stretch()
        stretch.after_field = 1
        firstStart = 0
        from = 0
    }

    /// Looks at the next stretch.
    @inline(__always)
    mutating func scan(_ text: UnsafePointer<UInt8>, from: Int, count: Int, _ parser: borrowing CSVParser) {
        firstStart = open
        self.from = from
        var fields = scan_csv_fields(ends: ends, flags: flags, notes: noteStorage, places: places)
        scan_csv_ends(
            text + from, count, parser.delimiter, parser.quote, parser.quote == parser.delimiter ? 0 : ~0,
            &stretch, &fields)
    }

    /// The bytes of a field, quotes and all.
    @inline(__always)
    subscript(_ index: Int) -> Range<Int> {
        start(of: index)..<end(of: index)
    }

    /// The byte that ends a field.
    @inline(__always)
    func end(of index: Int) -> Int { from &+ Int(ends[index]) }

    /// What is known of a field, as bits.
    @inline(__always)
    func flags(of index: Int) -> Int32 { Int32(flags[index]) }

    @inline(__always)
    private func start(of index: Int) -> Int { index == 0 ? firstStart : end(of: index &- 1) &+ 1 }

    /// Makes cells of fields; up to seven more are written, whose contents mean nothing.
    @inline(__always)
    func write(_ fields: Range<Int>, textOffset: Int, to cells: UnsafeMutablePointer<Text>) {
        scan_csv_cells(
            ends + fields.lowerBound, flags + fields.lowerBound, fields.count,
            UInt32(truncatingIfNeeded: textOffset &+ from), cells)
        if fields.lowerBound == 0, !fields.isEmpty {
            // The first may have begun in an earlier stretch.
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

/// The range from the first to the last block of 64 bytes in which something was seen that wants a closer
/// look.
struct BlockRange {
    private var start = Int.max
    private var end = 0

    @inline(__always) var isEmpty: Bool { end == 0 }

    /// Adds blocks of a stretch, a bit each.
    @inline(__always)
    mutating func insert(_ blocks: UInt64, from stretch: Int) {
        if blocks != 0 {
            start = min(start, stretch + 64 * blocks.trailingZeroBitCount)
            end = stretch + 64 * (64 - blocks.leadingZeroBitCount)
        }
    }

    /// The bytes of a record that are to be looked at.
    func bytes(of record: Range<Int>, in text: UnsafePointer<UInt8>) -> UnsafeBufferPointer<UInt8> {
        let range = (min(start, end)..<end).clamped(to: record)
        return UnsafeBufferPointer(start: text + range.lowerBound, count: range.count)
    }
}
