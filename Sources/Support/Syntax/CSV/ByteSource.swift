package import System

/// Source of a reader's bytes: a file, decompressed data, memory.
package protocol ByteSource {
    /// Fills the buffer from its start with the next bytes of the input.
    ///
    /// - Returns: The number of bytes: at least 1, or 0 at the end of the input and from then on.
    mutating func read(into buffer: UnsafeMutableRawBufferPointer) throws(ETLError) -> Int

    /// Another source of the bytes that come next, for looking ahead; nil if the bytes can be read only once.
    func ahead() throws(ETLError) -> (any ByteSource)?
}

extension ByteSource {
    package func ahead() throws(ETLError) -> (any ByteSource)? { nil }
}
