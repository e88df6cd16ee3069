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
