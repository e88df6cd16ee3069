import WebSocket

/// A connection whose bytes arrive in pieces. It takes all that is written.
private final class CutConnection: ByteConnection {
    private var rest: ArraySlice<UInt8> = []
    private(set) var written: [UInt8] = []

    func arrive(_ bytes: [UInt8]) { rest += bytes }

    func receive(into buffer: UnsafeMutableBufferPointer<UInt8>) -> ByteTransfer {
        guard !rest.isEmpty else { return .later }
        let count = min(buffer.count, rest.count)
        UnsafeMutableRawBufferPointer(buffer).copyBytes(from: rest.prefix(count))
        rest = rest.dropFirst(count)
        return .bytes(count)
    }

    func send(_ bytes: UnsafeBufferPointer<UInt8>) -> ByteTransfer {
        written += bytes
        return .bytes(bytes.count)
    }

    func finish() {}
}

/// Frames of WebSockets.
extension RequestTarget {
    /// Input that was read, and its answers. Frames of a client have random masks, so of those the length counts.
    private struct Exchange: Equatable {
        var inputs: [FrameCodec.Input] = []
        var answer: [UInt8] = []
        var isOver = false
        var isLost = false
        /// The status with which the connection was closed; nil if it was not.
        var status: UInt16?

        /// RFC 6455, 7.4.1: bytes that are not UTF-8.
        private static let notText: UInt16 = 1007

        /// wslay skips two bytes of every piece of a closing frame when it checks whether the reason is UTF-8, and
        /// checks the status after the reason. The reason is never used, so a frame that is refused only as a whole,
        /// or with another status, counts as the same.
        func isSame(as other: Exchange) -> Bool {
            let closes = [inputs, other.inputs].map { inputs in
                if case .close = inputs.last { true } else { false }
            }
            if closes[0] != closes[1] {
                return inputs.dropLast(closes[0] ? 1 : 0) == other.inputs.dropLast(closes[1] ? 1 : 0)
                    && isOver == other.isOver
            }
            // The rest of the frame is missing.
            if isOver != other.isOver {
                return inputs == other.inputs && (status ?? other.status) == Self.notText
            }
            return withoutStatus == other.withoutStatus
        }

        private var withoutStatus: Exchange {
            var exchange = self
            if isOver { exchange.answer.removeLast(min(2, answer.count)) }
            exchange.status = nil
            return exchange
        }
    }

    private static let messageBytes: UInt64 = 256

    /// The first byte chooses the side that reads, and the cuts.
    static func readFrames(_ bytes: [UInt8]) {
        guard let first = bytes.first else { return }
        let frames = Array(bytes.dropFirst())
        let side: FrameCodec.Side = first & 1 == 0 ? .server : .client
        let whole = exchange([frames], side)
        for size in [1, 1 + Int(first >> 1)] {
            let cut = exchange(pieces(frames, of: size), side)
            demand(cut.isSame(as: whole), "frames differ when they are cut elsewhere: \(cut), \(whole)")
        }
        sendBack(frames, from: side)
    }

    private static func exchange(_ pieces: [[UInt8]], _ side: FrameCodec.Side) -> Exchange {
        let connection = CutConnection()
        guard let codec = FrameCodec(connection, as: side, messageBytes: messageBytes) else {
            fatalError("no memory for a WebSocket")
        }
        var exchange = Exchange()
        for piece in pieces {
            connection.arrive(piece)
            exchange.inputs += codec.read()
        }
        codec.write()
        (exchange.isOver, exchange.isLost) = (codec.isOver, codec.isLost)
        exchange.answer = connection.written
        if codec.isOver { exchange.status = status(of: exchange.answer, from: side) }
        if side == .client { exchange.answer = [UInt8](repeating: 0, count: connection.written.count) }
        return exchange
    }

    /// The status at the end of a closing frame.
    private static func status(of answer: [UInt8], from side: FrameCodec.Side) -> UInt16? {
        let tail = answer.suffix(6).map { UInt16($0) }
        guard tail.count >= 4 else { return nil }
        let plain = tail[tail.count - 2] << 8 | tail[tail.count - 1]
        guard side == .client else { return plain }
        // The mask precedes it.
        return tail.count < 6 ? nil : plain ^ (tail[0] << 8 | tail[1])
    }

    /// Each side reads the messages that the other side sends.
    private static func sendBack(_ bytes: [UInt8], from side: FrameCodec.Side) {
        let (here, there) = (CutConnection(), CutConnection())
        let message = Array(bytes.prefix(Int(messageBytes)))
        guard let sender = FrameCodec(here, as: side, messageBytes: messageBytes),
            let receiver = FrameCodec(
                there, as: side == .server ? .client : .server, messageBytes: messageBytes)
        else { fatalError("no memory for a WebSocket") }
        sender.queue(message, isText: false)
        sender.write()
        there.arrive(here.written)
        demand(receiver.read() == [.message(message, isText: false)], "a message arrives as another one")
    }
}
