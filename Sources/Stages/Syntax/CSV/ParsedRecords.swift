package import Bytes

/// The records that ``CSVParser`` found in one look at some bytes: their ends, their cells, and the cells
/// that do not stand in the bytes as they are meant. Reused from look to look, so that parsing allocates
/// nothing.
package struct ParsedRecords: ~Copyable {
    /// One record of a run. It begins where the one before it, line end included, is over; the first at byte
    /// 0.
    package struct Mark: Sendable, Hashable {
        /// Offset after the record's last byte.
        package var end: Int
        /// Offset after its line end: where the next record begins.
        package var next: Int
        /// Where its cells end among ``ParsedRecords/cells``; they begin where those of the record before it end.
        package var cellsEnd: Int
        /// Line ends in it, those within quotes and its own.
        package var lineEnds: Int
        package var flags: RecordFlags
        package var isBlank: Bool

        /// Whether a line ends within it.
        var spansLines: Bool { lineEnds > (next == end ? 0 : 1) }
    }

    /// A cell that has to be written anew, because it holds doubled quotes or goes on after its closing
    /// quote.
    package struct Rewrite: Sendable, Hashable {
        /// Index among the cells.
        package var cell: Int
        /// The whole field with its quotes, as offsets of the bytes.
        package var field: Range<Int>
    }

    /// Bytes that belong to ``marks``.
    package internal(set) var consumed = 0

    var markList = UnsafeArray<Mark>(capacity: 1024)
    var cellList = UnsafeArray<Text>(capacity: 16 * 1024)
    var rewriteList = UnsafeArray<Rewrite>(capacity: 1024)
    var fields = FieldBoundaries()

    package init() {}

    /// The records, lent until the next look.
    package var marks: UnsafeBufferPointer<Mark> { markList.elements }
    /// The cells of the records, record after record, lent until the next look.
    package var cells: UnsafeBufferPointer<Text> { cellList.elements }
    /// The cells to be written anew, in their order, lent until the next look.
    package var rewrites: UnsafeBufferPointer<Rewrite> { rewriteList.elements }

    mutating func removeAll() {
        markList.count = 0
        rewriteList.count = 0
        consumed = 0
        cellList.count = 0
    }

    /// Forgets the last record: it is shown again.
    mutating func dropLast() {
        guard markList.count > 0 else { return }
        markList.count -= 1
        cellList.count = marks.last?.cellsEnd ?? 0
        consumed = marks.last?.next ?? 0
        while let rewrite = rewrites.last, rewrite.cell >= cellList.count { rewriteList.count -= 1 }
    }

    /// Makes room for all that may come of a stretch that was scanned: cells after so many, and the rest.
    @inline(__always)
    mutating func reserve(cellsAfter cells: Int) {
        cellList.reserve(fields.count + FieldBoundaries.cellsAhead, after: cells)
        markList.reserve(fields.notes.count + 1, after: markList.count)
        rewriteList.reserve(fields.notes.count + 1, after: rewriteList.count)
    }
}

/// Values side by side in memory that is reused: what the parser writes every few nanoseconds, and makes sure
/// of the room for many at a time. Of plain numbers only: nothing is ever deinitialized.
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

    /// What was written, lent until the next change.
    var elements: UnsafeBufferPointer<Element> { UnsafeBufferPointer(start: storage, count: count) }

    /// Makes room for `more` values after the first `used`, which are kept.
    @inline(__always)
    mutating func reserve(_ more: Int, after used: Int) {
        if used + more > capacity { grow(to: max(used + more, 2 * capacity), keeping: used) }
    }

    /// Adds a value, for which there is room.
    @inline(__always)
    mutating func append(_ element: Element) {
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
    /// The bytes from the first word of eight on that holds one above 0x7F, to the last: whether all are UTF-8
    /// is decided there.
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
