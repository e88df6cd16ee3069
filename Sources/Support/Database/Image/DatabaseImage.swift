package import System

/// A database in memory, laid out by an ``ImageWriter`` in SQLite's file format, from which SQLite copies
/// rows.
///
/// Its memory has one writer at a time: first the image writer, then the sink that receives it in a batch.
/// The sink sets the open numbers before SQLite reads the image.
package final class DatabaseImage {
    package let bytes: UnsafeMutableRawBufferPointer
    let pageSize: Int
    private let moves: [(from: Int, to: Int)]

    /// - Parameters:
    ///   - bytes: Whole pages. Their memory is freed with the image.
    ///   - moves: The numbers of pages whose rows were moved after they were laid out.
    init(taking bytes: UnsafeMutableRawBufferPointer, pageSize: Int, moves: [(from: Int, to: Int)]) {
        self.bytes = bytes
        self.pageSize = pageSize
        self.moves = moves
    }

    deinit { bytes.deallocate() }

    /// Sets an open number.
    ///
    /// - Parameters:
    ///   - value: From 0 to ``largestPlaceholder``.
    ///   - place: Its offset in the finished image (``place(_:)``).
    @inline(__always)
    package func set(_ value: Int64, at place: UInt32) {
        bytes.storeBytes(
            of: UInt32(truncatingIfNeeded: value).bigEndian, toByteOffset: Int(place), as: UInt32.self)
    }

    /// Converts an offset at which something was laid out to its offset in the finished image.
    package func place(_ place: UInt32) -> UInt32 {
        let page = Int(place) / pageSize + 1
        guard let move = moves.first(where: { $0.from == page }) else { return place }
        return UInt32(Int(place) + (move.to - move.from) * pageSize)
    }

    /// An open number has four bytes and is signed.
    package static let largestPlaceholder = Int64(Int32.max)
}

// Proof: only a batch refers to an image, and channels transfer a batch to one worker at a time.
extension DatabaseImage: @unchecked Sendable {}

extension Connection {
    /// Attaches an image as the database ``image``, replacing the previous one.
    package func attach(_ image: DatabaseImage) throws(ETLError) {
        try attach(bytes: image.bytes, of: image)
    }
}

extension DatabaseImage {
    /// Removes rows from a table.
    ///
    /// Their bytes stay, but the leaves no longer refer to them, and the root no longer refers to empty
    /// leaves.
    ///
    /// - Parameters:
    ///   - ids: In ascending order, without overlaps.
    ///   - root: Page number of the table's root (``ImageWriter/roots(of:)``).
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
        // SQLite does not allow a root with only one leaf, so the leaf becomes the root.
        if root.cells == 0 { root.become(page(root.child(0))) }
    }

    private func page(_ number: Int) -> ImagePage {
        ImagePage(
            bytes: UnsafeMutableRawBufferPointer(
                rebasing: bytes[(number - 1) * pageSize..<number * pageSize]))
    }
}

/// A page of a table's tree in a finished image. Not page 1, which begins with the file header.
private struct ImagePage {
    let bytes: UnsafeMutableRawBufferPointer

    /// The header of a leaf has 8 bytes. That of an inner page has 4 more, for the number of its last child.
    private var headerEnd: Int { isLeaf ? 8 : 12 }

    var isLeaf: Bool { bytes[0] == 0x0D }

    /// Number of rows of a leaf, or of children of an inner page without the last one.
    private(set) var cells: Int {
        get { number16(at: 3) }
        nonmutating set { store(UInt16(truncatingIfNeeded: newValue).bigEndian, at: 3) }
    }

    // MARK: A leaf

    /// Removes rows.
    ///
    /// - Parameter ids: Ranges before the leaf's last row are removed from it. Leaves are in the order of
    ///   ids, so later leaves do not need them.
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

    /// The id of a row. It follows the varint with the row's length.
    private func id(of cell: Int) -> Int64 {
        var at = number16(at: headerEnd + 2 * cell)
        while bytes[at] & 0x80 != 0 { at += 1 }
        return Int64(bitPattern: VarintBigEndian.read(bytes, at: at + 1))
    }

    // MARK: An inner page

    /// The page number of a child. The last one is in the header.
    func child(_ place: Int) -> Int {
        number32(at: place == cells ? 8 : number16(at: headerEnd + 2 * place))
    }

    /// Removes the children for which `isKept` is false.
    func keepChildren(_ isKept: (Int) -> Bool) {
        let count = cells
        var kept = (0...count).filter(isKept)
        guard kept.count <= count else { return }
        // If none is left, the first serves as an empty leaf.
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
