package import Pipeline
import Syntax

/// Takes written bytes on: to standard output, a file, a response. They are lent for the call.
package typealias ByteSink = (UnsafeRawBufferPointer) throws(StageFailure) -> Void

extension JSONWriter {
    /// Bytes that are handed on at a time, near enough.
    static let pieceBytes = 64 * 1024

    /// Hands on what was written once it is a piece, or in any case at the end.
    package mutating func handOn(to sink: ByteSink, isEnd: Bool = false) throws(StageFailure) {
        if isEnd || bytes.count >= Self.pieceBytes { try drain(sink) }
    }
}

extension CSVWriter {
    /// Hands on what was written once it is a piece, or in any case at the end.
    package mutating func handOn(to sink: ByteSink, isEnd: Bool = false) throws(StageFailure) {
        if isEnd || bytes.count >= JSONWriter.pieceBytes { try drain(sink) }
    }
}
