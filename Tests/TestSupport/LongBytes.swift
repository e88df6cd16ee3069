package import Pipeline
package import Syntax

/// A head, one byte very often, a tail.
package struct LongBytes: ByteSource {
    package var head: [UInt8]
    package var byte: UInt8
    package var count: Int
    package var tail: [UInt8]

    package init(head: [UInt8], byte: UInt8, count: Int, tail: [UInt8]) {
        self.head = head
        self.byte = byte
        self.count = count
        self.tail = tail
    }

    package mutating func read(into buffer: UnsafeMutableRawBufferPointer) throws(StageFailure) -> Int {
        if !head.isEmpty { return Self.take(&head, buffer) }
        if count == 0 { return Self.take(&tail, buffer) }
        let length = min(count, buffer.count)
        buffer.baseAddress?.initializeMemory(as: UInt8.self, repeating: byte, count: length)
        count -= length
        return length
    }

    package func ahead() -> (any ByteSource)? { self }

    private static func take(_ bytes: inout [UInt8], _ buffer: UnsafeMutableRawBufferPointer) -> Int {
        let length = min(bytes.count, buffer.count)
        buffer.copyBytes(from: bytes.prefix(length))
        bytes.removeFirst(length)
        return length
    }
}
