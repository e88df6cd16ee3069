package import Bytes

/// The records that ``CSVParser`` found in one call: their ends, their cells, and the cells that must be
/// rewritten because the bytes differ from the value. Reused between calls, so that parsing allocates
/// nothing.
package struct ParsedRecords: ~Copyable {
    /// One record of a run. It begins after the previous one and its line end; the first begins at byte 0.
    package struct Mark: Sendable, Hashable {
        /// Offset after the record's last byte.
        package var end: Int
        /// Offset after its line end, where the next record begins.
        package var next: Int
        /// End of its cells in ``ParsedRecords/cells``. They begin where those of the previous record end.
        package var cellsEnd: Int
        /// Number of line ends in it, including those within quotes and its own.
        package var lineEnds: Int
        package var flags: RecordFlags
        package var isBlank: Bool

        /// Whether it has a line end other than its own.
        var spansLines: Bool { lineEnds > (next == end ? 0 : 1) }
    }

    /// A cell that must be rewritten, because it has doubled quotes or continues after its closing quote.
    package struct Rewrite: Sendable, Hashable {
        /// Index among the cells.
        package var cell: Int
        /// The whole field with its quotes, as offsets in the bytes.
        package var field: Range<Int>
    }

    /// Number of bytes that belong to ``marks``.
    package internal(set) var consumed = 0

    var markList = UnsafeArray<Mark>(capacity: 1024)
    var cellList = UnsafeArray<Text>(capacity: 16 * 1024)
    var rewriteList = UnsafeArray<Rewrite>(capacity: 1024)
    var fields = FieldBoundaries()

    package init() {}

    /// The records. Valid until the next call of the parser.
    package var marks: UnsafeBufferPointer<Mark> { markList.elements }
    /// The cells of the records, record after record. Valid until the next call of the parser.
    package var cells: UnsafeBufferPointer<Text> { cellList.elements }
    /// The cells to rewrite, in order. Valid until the next call of the parser.
    package var rewrites: UnsafeBufferPointer<Rewrite> { rewriteList.elements }

    package mutating func removeAll() {
        markList.count = 0
        rewriteList.count = 0
        consumed = 0
        cellList.count = 0
    }

    /// Removes the last record, so that it is parsed again.
    mutating func dropLast() {
        guard markList.count > 0 else { return }
        markList.count -= 1
        cellList.count = marks.last?.cellsEnd ?? 0
        consumed = marks.last?.next ?? 0
        while let rewrite = rewrites.last, rewrite.cell >= cellList.count { rewriteList.count -= 1 }
    }

    /// Makes room for everything a scanned stretch may add: for cells after the first `cells`, and for marks
    /// and rewrites.
    @inline(__always)
    mutating func reserve(cellsAfter cells: Int) {
        cellList.reserve(fields.count + FieldBoundaries.cellsAhead, after: cells)
        markList.reserve(fields.notes.count + 1, after: markList.count)
        rewriteList.reserve(fields.notes.count + 1, after: rewriteList.count)
    }
}

/// Values in contiguous, reused memory. The parser writes one every few nanoseconds, so room is reserved for
/// many at once. Only for trivial types: elements are never deinitialized.
struct UnsafeArray<Element>: ~Copyable {
    private(set) var storage: UnsafeMutablePointer<Element>
    private var capacity: Int
    var count = 0

    init(capacity: Int) {
        self.capacity = capacity
        storage = .allocate(capacity: capacity)
    }

    deinit {
        storage.deallocate()
    }

    /// The elements. Valid until the next change.
    var elements: UnsafeBufferPointer<Element> { UnsafeBufferPointer(start: storage, count: count) }

    /// Makes room for `more` values after the first `used`, which are kept.
    @inline(__always)
    mutating func reserve(_ more: Int, after used: Int) {
        if used + more > capacity { grow(to: max(used + more, 2 * capacity), keeping: used) }
    }

    /// Adds a value. There must be room for it.
    @inline(__always)
    package mutating func append(_ element: Element) {
        (storage + count).initialize(to: element)
        count &+= 1
    }

    @inline(never)
    private mutating func grow(to capacity: Int, keeping used: Int) {
        let larger = UnsafeMutablePointer<Element>.allocate(capacity: capacity)
        larger.moveInitialize(from: storage, count: used)
        storage.deallocate()
        storage = larger
        self.capacity = capacity
    }
}

extension UnsafeBufferPointer<UInt8> {
    /// The bytes from the first to the last 8-byte word with a byte above 0x7F. Only these need to be
    /// validated as UTF-8.
    var betweenASCII: UnsafeBufferPointer<UInt8> {
        let bytes = UnsafeRawBufferPointer(self)
        func isASCII(_ at: Int) -> Bool {
            bytes.loadUnaligned(fromByteOffset: at, as: UInt64.self) & 0x8080_8080_8080_8080 == 0
        }
        var (start, end) = (0, count)
        while start + 8 <= end, isASCII(start) { start += 8 }
        while end - start >= 8, isASCII(end - 8) { end -= 8 }
        return UnsafeBufferPointer(rebasing: self[start..<end])
    }
}
