/// The connection below a WebSocket. Nothing here waits. Used by one thread.
package protocol ByteConnection: AnyObject {
    /// Reads available bytes, up to the buffer's size.
    func receive(into buffer: UnsafeMutableBufferPointer<UInt8>) -> ByteTransfer
    /// Writes as much as is taken at once.
    func send(_ bytes: UnsafeBufferPointer<UInt8>) -> ByteTransfer
    /// Says that nothing more is written.
    func finish()
}

/// Outcome of an attempt to read or write.
package enum ByteTransfer: Sendable, Hashable {
    /// So many bytes were read or written, at least one.
    case bytes(Int)
    /// Nothing can be read or written now.
    case later
    /// The other side sends nothing more.
    case ended
    /// The connection is broken.
    case failed
}
