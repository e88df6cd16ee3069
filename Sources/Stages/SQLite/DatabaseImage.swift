/// A database in memory, laid out by an ``ImageWriter`` in SQLite's file format, for SQLite to copy rows from.
///
/// Its memory is written by one at a time: by its writer, until it is whole, and by the sink that it travels to in a
/// batch, which sets the numbers that were left open before it lets SQLite read.
final class DatabaseImage {
    let bytes: UnsafeMutableRawBufferPointer

    /// - Parameter bytes: Whole pages, whose memory is freed with the image.
    init(taking bytes: UnsafeMutableRawBufferPointer) { self.bytes = bytes }

    deinit { bytes.deallocate() }

    /// Sets a number that was left open.
    ///
    /// - Parameters:
    ///   - value: From 0 to ``largestOpenNumber``.
    ///   - place: Where ``ImageWriter`` said it is.
    @inline(__always)
    func set(_ value: Int64, at place: UInt32) {
        bytes.storeBytes(
            of: UInt32(truncatingIfNeeded: value).bigEndian, toByteOffset: Int(place), as: UInt32.self)
    }

    /// An open number has four bytes, the first bit its sign.
    static let largestOpenNumber = Int64(Int32.max)
}

// The batch that an image travels in is one worker's at a time: the channels hand it over, and nobody keeps it.
extension DatabaseImage: @unchecked Sendable {}
