import Syntax
package import System

/// Receives written bytes and passes them to standard output, a file or a response. The bytes are valid
/// during the call only.
package typealias ByteSink = (UnsafeRawBufferPointer) throws(ETLError) -> Void

extension JSONWriter {
    /// Approximate number of bytes that are passed on at once.
    static let pieceBytes = 64 * 1024

    /// Passes the written bytes on if there are enough of them, or if this is the end.
    package mutating func flush(to sink: ByteSink, isEnd: Bool = false) throws(ETLError) {
        if isEnd || bytes.count >= Self.pieceBytes { try drain(sink) }
    }
}

extension CSVWriter {
    /// Passes the written bytes on if there are enough of them, or if this is the end.
    package mutating func flush(to sink: ByteSink, isEnd: Bool = false) throws(ETLError) {
        if isEnd || bytes.count >= JSONWriter.pieceBytes { try drain(sink) }
    }
}
