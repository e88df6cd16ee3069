import Bytes

/// The cells of an entry as stored: the length and bytes of each.
///
///     for each cell:  varint  length + 1, or 0 for the cell that is stored separately: the review
///                     bytes
///
/// A third shorter than JSON, and nothing needs escaping.
package enum PackedCells {
    @inline(__always)
    package static func append(_ cell: UnsafeRawBufferPointer, to bytes: inout [UInt8]) {
        Varint.append(UInt64(cell.count) + 1, to: &bytes)
        if !cell.isEmpty { bytes.append(contentsOf: cell) }
    }

    /// Appends the mark of a cell that is stored separately.
    static func appendKeptApart(to bytes: inout [UInt8]) { bytes.append(0) }

    /// The range of a cell's bytes; nil if there is no such cell or it is stored separately.
    package static func range(of cell: Int, in packed: UnsafeRawBufferPointer) -> Range<Int>? {
        var offset = 0
        for index in 0...max(0, cell) {
            guard let number = Varint.take(packed, at: &offset), number <= UInt64(packed.count - offset) + 1
            else { return nil }
            let length = number > 0 ? Int(number - 1) : 0
            if index == cell { return number > 0 ? offset..<offset + length : nil }
            offset += length
        }
        return nil
    }

    /// Appends packed cells, some of them with other bytes. A cell that is stored separately stays so.
    package static func append(
        _ packed: UnsafeRawBufferPointer, replacing others: [Int: [UInt8]], to bytes: inout [UInt8]
    ) {
        var (offset, place) = (0, 0)
        while let number = Varint.take(packed, at: &offset) {
            guard number > 0 else {
                appendKeptApart(to: &bytes)
                place += 1
                continue
            }
            guard number - 1 <= UInt64(packed.count - offset) else { return }
            let end = offset + Int(number - 1)
            if let other = others[place] {
                other.withUnsafeBytes { append($0, to: &bytes) }
            } else {
                append(UnsafeRawBufferPointer(rebasing: packed[offset..<end]), to: &bytes)
            }
            offset = end
            place += 1
        }
    }

    /// The cells, with `keptApart` in place of the one stored separately. If the bytes are damaged, the cells
    /// before the damage, because they are still the user's data.
    package static func cells(_ packed: UnsafeRawBufferPointer, keptApart: String) -> [String] {
        var offset = 0
        var cells: [String] = []
        while let number = Varint.take(packed, at: &offset) {
            guard number > 0 else {
                cells.append(keptApart)
                continue
            }
            guard number - 1 <= UInt64(packed.count - offset) else { break }
            let end = offset + Int(number - 1)
            cells.append(String(decoding: packed[offset..<end], as: UTF8.self))
            offset = end
        }
        return cells
    }
}
