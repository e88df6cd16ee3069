/// The pages of an unfinished image, in one growing block of memory.
struct ImagePages: ~Copyable {
    let pageSize: Int
    /// The start of the first page. Adding a page may change it.
    private(set) var start: UnsafeMutableRawPointer
    /// Number of pages that fit into the memory. The initial value is about what a batch of an import with a
    /// catalog needs.
    private var capacity = 48
    /// Number of pages.
    private(set) var count = 0

    init(pageSize: Int) {
        self.pageSize = pageSize
        start = .allocate(byteCount: pageSize * capacity, alignment: 16)
    }

    deinit { start.deallocate() }

    /// Adds a page of zeros and returns its number, from 1.
    mutating func add() -> Int {
        if count == capacity {
            capacity += capacity / 2
            let larger = UnsafeMutableRawPointer.allocate(byteCount: pageSize * capacity, alignment: 16)
            larger.copyMemory(from: start, byteCount: pageSize * count)
            start.deallocate()
            start = larger
        }
        (start + count * pageSize).initializeMemory(as: UInt8.self, repeating: 0, count: pageSize)
        count += 1
        return count
    }

    /// Copies a page over another.
    mutating func copy(_ page: Int, over other: Int) {
        (start + (other - 1) * pageSize).copyMemory(from: start + (page - 1) * pageSize, byteCount: pageSize)
    }

    // MARK: Numbers, big-endian

    private mutating func set8(_ value: UInt8, at offset: Int) {
        start.storeBytes(of: value, toByteOffset: offset, as: UInt8.self)
    }

    mutating func set16(_ value: Int, at offset: Int) {
        start.storeBytes(
            of: UInt16(truncatingIfNeeded: value).bigEndian, toByteOffset: offset, as: UInt16.self)
    }

    mutating func set32(_ value: Int, at offset: Int) {
        start.storeBytes(
            of: UInt32(truncatingIfNeeded: value).bigEndian, toByteOffset: offset, as: UInt32.self)
    }

    /// Writes the header of a page of a tree.
    ///
    /// - Parameters:
    ///   - kind: 5 for a table's inner page, 10 for an index's leaf, 13 for a table's leaf.
    ///   - content: Offset in the page at which its cells begin.
    mutating func writeHeader(of page: Int, kind: UInt8, cells: Int, content: Int) {
        // The first page begins with the header of the file.
        let at = (page - 1) * pageSize + (page == 1 ? 100 : 0)
        set8(kind, at: at)
        set16(cells, at: at + 3)
        set16(content, at: at + 5)
    }

    /// Writes the first hundred bytes of the file and the linked list of unused pages.
    mutating func writeFileHeader(unused: [Int]) {
        for (place, page) in unused.enumerated() {
            set32(place + 1 < unused.count ? unused[place + 1] : 0, at: (page - 1) * pageSize)
            set32(0, at: (page - 1) * pageSize + 4)
        }
        set32(unused.first ?? 0, at: 32)
        set32(unused.count, at: 36)
        let magic = "SQLite format 3\u{0}"
        for (index, byte) in magic.utf8.enumerated() { set8(byte, at: index) }
        set16(pageSize, at: 16)
        // Reading and writing use a rollback journal (1, 1). No reserved bytes (0). Payload fractions, which
        // the format fixes (64, 32, 32).
        for (offset, byte) in [1, 1, 0, 64, 32, 32].enumerated() {
            set8(UInt8(byte), at: 18 + offset)
        }
        let change = 1
        set32(change, at: 24)
        set32(count, at: 28)
        // Schema format 4, and UTF-8.
        set32(4, at: 44)
        set32(1, at: 56)
        // The number of pages in the header is valid only if these two are equal.
        set32(change, at: 92)
    }

    /// Returns the pages. The caller must free their memory.
    consuming func take() -> UnsafeMutableRawBufferPointer {
        let whole = UnsafeMutableRawBufferPointer(start: start, count: count * pageSize)
        discard self
        return whole
    }
}
