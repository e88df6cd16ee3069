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
