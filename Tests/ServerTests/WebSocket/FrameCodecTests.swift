import Testing
import WebSocket

/// A connection on which a test lets bytes arrive. It takes all that is written.
private final class FakeConnection: ByteConnection {
    private var rest: [UInt8] = []

    func arrive(_ bytes: ArraySlice<UInt8>) { rest += bytes }

    func receive(into buffer: UnsafeMutableBufferPointer<UInt8>) -> ByteTransfer {
        guard !rest.isEmpty else { return .later }
        let count = min(buffer.count, rest.count)
        UnsafeMutableRawBufferPointer(buffer).copyBytes(from: rest.prefix(count))
        rest.removeFirst(count)
        return .bytes(count)
    }

    func send(_ bytes: UnsafeBufferPointer<UInt8>) -> ByteTransfer { .bytes(bytes.count) }

    func finish() {}
}

@Suite struct FrameCodecTests {
    /// A client's messages from bytes that arrive in pieces of a size.
    private static func read(_ bytes: [UInt8], pieces: Int) throws -> [FrameCodec.Input] {
        let connection = FakeConnection()
        let codec = try #require(FrameCodec(connection, as: .client, messageBytes: 1_000))
        var inputs: [FrameCodec.Input] = []
        for start in stride(from: 0, to: bytes.count, by: pieces) {
            connection.arrive(bytes[start..<min(start + pieces, bytes.count)])
            inputs += codec.read()
        }
        return inputs
    }

    @Test(arguments: [1, 2, 5, 100])
    func `messages are the same, however their frames are cut`(pieces: Int) throws {
        let frames: [UInt8] =
            [0x01, 2] + Array("ab".utf8) + [0x89, 0, 0x80, 1] + Array("c".utf8) + [0x82, 1, 0xFF]
        #expect(
            try Self.read(frames, pieces: pieces) == [
                .control, .message(Array("abc".utf8), isText: true), .message([0xFF], isText: false),
            ])
    }

    @Test(arguments: [1, 3, 4, 100])
    func `a server's code is the same, however its frame is cut`(pieces: Int) throws {
        // 1013, which wslay takes for malformed, and 1008, which it knows.
        for code in [0xF5, 0xF0] as [UInt8] {
            let frame: [UInt8] = [0x88, 7, 0x03, code] + Array("later".utf8)
            #expect(try Self.read(frame, pieces: pieces) == [.close(0x300 + UInt16(code))])
        }
    }
}
