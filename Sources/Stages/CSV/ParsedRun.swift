/// The records that ``CSVParser`` found in one look at some bytes: their ends, their cells, and the cells
/// that do not stand in the bytes as they are meant. Reused from look to look, so that parsing allocates
/// nothing.
package struct ParsedRun: ~Copyable {
    /// One record of a run. It begins where the one before it, line end included, is over; the first at byte
    /// 0.
    package struct Mark: Sendable, Hashable {
        /// Offset after the record's last byte.
        package var end: Int
        /// Offset after its line end: where the next record begins.
        package var next: Int
        /// Where its cells end among ``ParsedRun/cells``; they begin where those of the record before it end.
        package var cellsEnd: Int
        /// Line ends in it, those within quotes and its own.
        package var lineEnds: Int
        package var flags: RecordFlags
        package var isBlank: Bool
    }

    /// A cell that has to be written anew, because it holds doubled quotes or goes on after its closing
    /// quote.
    package struct Rewrite: Sendable, Hashable {
        /// Index among the cells.
        package var cell: Int
        /// The whole field with its quotes, as offsets of the bytes.
        package var field: Range<Int>
    }

    package internal(set) var marks: [Mark] = []
    package internal(set) var rewrites: [Rewrite] = []
    /// Bytes that belong to ``marks``.
    package internal(set) var consumed = 0

    /// The cells of all marks. A pointer rather than an array: the parser writes one every few nanoseconds,
    /// and makes sure of the room once a record.
    private(set) var cellStorage: UnsafeMutablePointer<Text>
    private(set) var cellCapacity: Int
    var cellCount = 0

    package init() {
        cellCapacity = 16 * 1024
        cellStorage = .allocate(capacity: cellCapacity)
    }

    deinit {
        cellStorage.deallocate()
    }

    /// The cells of the records, record after record, lent until the next look.
    package var cells: UnsafeBufferPointer<Text> { UnsafeBufferPointer(start: cellStorage, count: cellCount) }

    mutating func removeAll() {
        marks.removeAll(keepingCapacity: true)
        rewrites.removeAll(keepingCapacity: true)
        consumed = 0
        cellCount = 0
    }

    /// Makes room for `count` more cells after the first `used`.
    @inline(never)
    mutating func reserveCells(_ count: Int, after used: Int) {
        guard used + count > cellCapacity else { return }
        let capacity = max(used + count, 2 * cellCapacity)
        let storage = UnsafeMutablePointer<Text>.allocate(capacity: capacity)
        storage.moveInitialize(from: cellStorage, count: used)
        cellStorage.deallocate()
        cellStorage = storage
        cellCapacity = capacity
    }
}
