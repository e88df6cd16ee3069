import CScan

/// Where the fields of a stretch of bytes end: what ``CSVParser`` looks at instead of the bytes, stretch by
/// stretch.
///
/// A stretch is a few KiB, so that what is written here is read from the nearest cache: an index of a whole
/// block of the file was slower.
struct FieldEnds: ~Copyable {
    /// Bytes of a stretch.
    static let stretchBytes = Int(SCAN_STRETCH)
    /// Cells that are written in vain behind those asked for, at most, and the one that the end of the input
    /// ends.
    static let cellsAhead = 8

    private var stretch = scan_csv_stretch()
    /// The byte that ends each field, and at -1 the one before the first field.
    private let ends: UnsafeMutablePointer<UInt32>
    private let noteStorage: UnsafeMutablePointer<UInt32>

    init() {
        let capacity = Self.stretchBytes + Self.cellsAhead
        let storage = UnsafeMutablePointer<UInt32>.allocate(capacity: 1 + capacity)
        storage.initialize(repeating: 0, count: 1 + capacity)
        ends = storage + 1
        noteStorage = .allocate(capacity: capacity)
    }

    deinit {
        (ends - 1).deallocate()
        noteStorage.deallocate()
    }

    /// Fields that end in the stretch.
    var count: Int { Int(stretch.ends) }
    /// What is to be known of some of them: indexes, and what is noted of the field there.
    var notes: UnsafeBufferPointer<UInt32> {
        UnsafeBufferPointer(start: noteStorage, count: Int(stretch.notes))
    }
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
        ends[-1] = .max
    }

    /// Looks at the next stretch.
    @inline(__always)
    mutating func scan(_ text: UnsafePointer<UInt8>, from: Int, count: Int, _ parser: borrowing CSVParser) {
        ends[-1] = ends[self.count - 1]
        scan_csv_ends(
            text, from, count, parser.delimiter, parser.quote, parser.quote == parser.delimiter ? 0 : ~0,
            &stretch, ends, noteStorage)
    }

    /// The bytes of a field, quotes and all.
    @inline(__always)
    subscript(_ index: Int) -> Range<Int> {
        start(of: index)..<Int(ends[index] & ~UInt32(SCAN_ENCLOSED))
    }

    @inline(__always)
    private func start(of index: Int) -> Int { Int((ends[index - 1] &+ 1) & ~UInt32(SCAN_ENCLOSED)) }

    /// Makes cells of fields; up to seven more are written, whose contents mean nothing.
    @inline(__always)
    func write(_ fields: Range<Int>, textOffset: Int, to cells: UnsafeMutablePointer<Text>) {
        scan_csv_cells(
            ends + fields.lowerBound, fields.count, UInt32(truncatingIfNeeded: textOffset), cells)
    }
}
