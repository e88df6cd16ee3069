/// A database in memory, laid out by an ``ImageWriter`` in SQLite's file format, for SQLite to copy rows from.
///
/// Its memory is written by one at a time: by its writer, until it is whole, and by the sink that it travels to in a
/// batch, which sets the numbers that were left open before it lets SQLite read.
package final class DatabaseImage {
    package let bytes: UnsafeMutableRawBufferPointer
    let pageSize: Int
    private let moves: [(from: Int, to: Int)]

    /// - Parameters:
    ///   - bytes: Whole pages, whose memory is freed with the image.
    ///   - moves: Numbers of pages whose rows lie elsewhere than they were laid out.
    init(taking bytes: UnsafeMutableRawBufferPointer, pageSize: Int, moves: [(from: Int, to: Int)]) {
        self.bytes = bytes
        self.pageSize = pageSize
        self.moves = moves
    }

    deinit { bytes.deallocate() }

    /// Sets a number that was left open.
    ///
    /// - Parameters:
    ///   - value: From 0 to ``largestOpenNumber``.
    ///   - place: Where it is in the finished image (``place(_:)``).
    @inline(__always)
    package func set(_ value: Int64, at place: UInt32) {
        bytes.storeBytes(
            of: UInt32(truncatingIfNeeded: value).bigEndian, toByteOffset: Int(place), as: UInt32.self)
    }

    /// Where in the finished image the place is that a row was laid out at.
    package func place(_ place: UInt32) -> UInt32 {
        let page = Int(place) / pageSize + 1
        guard let move = moves.first(where: { $0.from == page }) else { return place }
        return UInt32(Int(place) + (move.to - move.from) * pageSize)
    }

    /// An open number has four bytes, the first bit its sign.
    package static let largestOpenNumber = Int64(Int32.max)
}

// The batch that an image travels in is one worker's at a time: the channels hand it over, and nobody keeps it.
extension DatabaseImage: @unchecked Sendable {}

extension Connection {
    /// Lends an image to be read as the attached database ``image``, in the place of the one before.
    package func attach(_ image: DatabaseImage) throws(SQLiteError) {
        try attach(bytes: image.bytes, of: image)
    }
}

extension DatabaseImage {
    /// Takes rows out of a table, for a reader as if they had never been laid out.
    ///
    /// Their bytes stay where they are; the leaves name them no more, and the root names no empty leaf.
    ///
    /// - Parameters:
    ///   - ids: Rising, none of them touching another.
    ///   - root: Number of the table's root (``ImageWriter/roots(of:)``).
    package func remove(_ ids: [ClosedRange<Int64>], fromRoot root: Int) {
        let root = page(root)
        var rest = ids[...]
        guard !root.isLeaf else { return root.remove(&rest) }
        var leaves: [Int] = []
        for place in 0...root.cells {
            let leaf = root.child(place)
            page(leaf).remove(&rest)
            leaves.append(leaf)
        }
        root.keepChildren { page(leaves[$0]).cells > 0 }
        // A root that names one leaf alone is none to SQLite: the leaf takes its place.
        if root.cells == 0 { root.become(page(root.child(0))) }
    }

    private func page(_ number: Int) -> ImagePage {
        ImagePage(
            bytes: UnsafeMutableRawBufferPointer(
                rebasing: bytes[(number - 1) * pageSize..<number * pageSize]))
    }
}

/// A page of a table's tree in a finished image, from page 2 on.
private struct ImagePage {
    let bytes: UnsafeMutableRawBufferPointer

    /// A leaf's header ends with the unused byte 7; an inner page has the number of its last child there.
    private var headerEnd: Int { isLeaf ? 8 : 12 }

    var isLeaf: Bool { bytes[0] == 0x0D }

    /// Rows of a leaf, or children of an inner page but for the last.
    private(set) var cells: Int {
        get { number16(at: 3) }
        nonmutating set { store(UInt16(truncatingIfNeeded: newValue).bigEndian, at: 3) }
    }

    // MARK: A leaf

    /// - Parameter ids: Those that lie before the leaf's last row are dropped: leaves follow each other as ids do.
    func remove(_ ids: inout ArraySlice<ClosedRange<Int64>>) {
        let count = cells
        guard count > 0, let first = ids.first, first.lowerBound <= id(of: count - 1) else { return }
        var kept = 0
        for cell in 0..<count {
            let id = id(of: cell)
            while let next = ids.first, next.upperBound < id { ids.removeFirst() }
            if let next = ids.first, next.contains(id) { continue }
            keep(cell, at: kept)
            kept += 1
        }
        cells = kept
    }

    /// The id of a row, behind the varint that has its length.
    private func id(of cell: Int) -> Int64 {
        var at = number16(at: headerEnd + 2 * cell)
        while bytes[at] & 0x80 != 0 { at += 1 }
        return Int64(bitPattern: VarintBigEndian.read(bytes, at: at + 1))
    }

    // MARK: An inner page

    /// The page number of a child; the last one stands in the header.
    func child(_ place: Int) -> Int {
        number32(at: place == cells ? 8 : number16(at: headerEnd + 2 * place))
    }

    /// Leaves out the children that are not to be kept.
    func keepChildren(_ isKept: (Int) -> Bool) {
        let count = cells
        var kept = (0...count).filter(isKept)
        guard kept.count <= count else { return }
        // Where none is left, any of them is an empty leaf.
        let last = kept.popLast() ?? 0
        store(UInt32(truncatingIfNeeded: child(last)).bigEndian, at: 8)
        for (place, cell) in kept.enumerated() { keep(cell, at: place) }
        cells = kept.count
    }

    func become(_ other: ImagePage) { bytes.copyMemory(from: UnsafeRawBufferPointer(other.bytes)) }

    // MARK: Bytes

    private func keep(_ cell: Int, at place: Int) {
        guard cell != place else { return }
        store(
            UInt16(truncatingIfNeeded: number16(at: headerEnd + 2 * cell)).bigEndian,
            at: headerEnd + 2 * place)
    }

    private func number16(at offset: Int) -> Int {
        Int(UInt16(bigEndian: bytes.loadUnaligned(fromByteOffset: offset, as: UInt16.self)))
    }

    private func number32(at offset: Int) -> Int {
        Int(UInt32(bigEndian: bytes.loadUnaligned(fromByteOffset: offset, as: UInt32.self)))
    }

    private func store(_ value: some FixedWidthInteger & BitwiseCopyable, at offset: Int) {
        bytes.storeBytes(of: value, toByteOffset: offset, as: type(of: value))
    }
}
