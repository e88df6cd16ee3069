/// The tree of a table in an unfinished image: full leaves, and the leaf that is being filled.
struct ImageTree {
    /// The full leaves, with the ids of their last rows.
    private var full: [(page: Int, last: Int64)] = []
    /// The page that is being filled; 0 if there is none yet.
    private var page = 0
    private var cells = 0
    /// Offset in the page at which its cells begin.
    private var content = 0
    private var last: Int64 = 0

    init() {}

    /// The tree of the schema, which begins on page 1.
    init(schemaIn pages: inout ImagePages) {
        page = 1
        content = pages.pageSize
    }

    /// Maximum number of full leaves, all in one root: several megabytes, more than a batch has.
    private static let maxLeaves = 1_000

    /// Whether more rows fit.
    var isOpen: Bool { full.count < Self.maxLeaves }

    private var headerEnd: Int { page == 1 ? 108 : 8 }

    /// Allocates space for a row. Its id must be higher than those of all earlier rows.
    ///
    /// - Returns: The row's offset in the image.
    mutating func room(for row: RowBuffer.Row, in pages: inout ImagePages) -> Int {
        let size = row.cell
        if page == 0 || content - size < headerEnd + 2 * (cells + 1) {
            if page != 0 {
                writeHeader(in: &pages)
                full.append((page, last))
            }
            page = pages.add()
            cells = 0
            content = pages.pageSize
        }
        content -= size
        let start = (page - 1) * pages.pageSize
        pages.set16(content, at: start + headerEnd + 2 * cells)
        cells += 1
        last = row.id
        return start + content
    }

    /// Writes the header of the leaf that is being filled.
    func writeHeader(in pages: inout ImagePages) {
        pages.writeHeader(of: page, kind: 0x0D, cells: cells, content: content)
    }

    /// Finishes the tree. The root is a separate page.
    ///
    /// - Returns: The page of the only leaf, if there is just one. It was copied to the root, and its page is
    ///   unused.
    mutating func close(root: Int, in pages: inout ImagePages) -> Int? {
        guard page != 0 else {
            pages.writeHeader(of: root, kind: 0x0D, cells: 0, content: pages.pageSize)
            return nil
        }
        writeHeader(in: &pages)
        guard full.isEmpty else {
            writeRoot(root, in: &pages)
            return nil
        }
        pages.copy(page, over: root)
        return page
    }

    /// Writes the root as an inner page: for each leaf but the last, its page and last id.
    private func writeRoot(_ root: Int, in pages: inout ImagePages) {
        let start = (root - 1) * pages.pageSize
        var content = pages.pageSize
        for (number, leaf) in full.enumerated() {
            let id = UInt64(bitPattern: leaf.last)
            content -= 4 + VarintBigEndian.count(id)
            pages.set32(leaf.page, at: start + content)
            var out = pages.start + start + content + 4
            VarintBigEndian.write(id, to: &out)
            pages.set16(content, at: start + 12 + 2 * number)
        }
        pages.writeHeader(of: root, kind: 0x05, cells: full.count, content: content)
        pages.set32(page, at: start + 8)
    }
}
