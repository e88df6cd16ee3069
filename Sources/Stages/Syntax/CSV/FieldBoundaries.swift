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
