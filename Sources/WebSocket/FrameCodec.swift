import CWslay

/// Reads and writes the frames of one WebSocket with wslay. Used by one thread.
package final class FrameCodec {
    /// The sides of a WebSocket. Frames of a client are masked.
    package enum Side: Sendable, Hashable {
        case client, server
    }

    /// Received input.
    package enum Input: Sendable, Hashable {
        case message([UInt8], isText: Bool)
        /// A ping or pong.
        case control
        /// The other side closes, with a code if it has said one.
        case close(UInt16?)
    }

    private let connection: any ByteConnection
    private let side: Side
    private var context: OpaquePointer?
    private var random = SystemRandomNumberGenerator()
    private var inputs: [Input] = []
    /// The content of a closing frame that is arriving; nil while there is none.
    private var closing: [UInt8]?
    private var isBroken = false
    /// Whether a frame was malformed.
    private var isMalformed = false
    /// Whether the connection cannot be read or written any more.
    private var hasFailed = false
    /// Whether the other side sends nothing more.
    package private(set) var isEnded = false

    /// - Parameter messageBytes: Maximum size of a message in bytes; a longer one ends the connection with 1009.
    package init?(_ connection: any ByteConnection, as side: Side, messageBytes: UInt64) {
        self.connection = connection
        self.side = side
        var callbacks = wslay_event_callbacks()
        callbacks.recv_callback = { context, buffer, count, _, owner in
            guard let context, let buffer, let owner else { return -1 }
            return FrameCodec.of(owner).receive(into: .init(start: buffer, count: count), context)
        }
        callbacks.send_callback = { context, bytes, count, _, owner in
            guard let context, let bytes, let owner else { return -1 }
            return FrameCodec.of(owner).send(.init(start: bytes, count: count), context)
        }
        callbacks.genmask_callback = { _, buffer, count, owner in
            guard let buffer, let owner else { return -1 }
            FrameCodec.of(owner).makeMask(UnsafeMutableBufferPointer(start: buffer, count: count))
            return 0
        }
        callbacks.on_frame_recv_start_callback = { _, argument, owner in
            guard let argument, let owner else { return }
            let isClosing = UInt32(argument.pointee.opcode) == WSLAY_CONNECTION_CLOSE.rawValue
            FrameCodec.of(owner).closing = isClosing ? [] : nil
        }
        callbacks.on_frame_recv_chunk_callback = { _, argument, owner in
            guard let argument = argument?.pointee, let owner else { return }
            FrameCodec.of(owner).closing? += UnsafeBufferPointer(
                start: argument.data, count: argument.data_length)
        }
        callbacks.on_msg_recv_callback = { _, argument, owner in
            guard let argument, let owner else { return }
            FrameCodec.of(owner).take(argument.pointee)
        }
        let make = side == .server ? wslay_event_context_server_init : wslay_event_context_client_init
        guard make(&context, &callbacks, Unmanaged.passUnretained(self).toOpaque()) == 0, context != nil
        else { return nil }
        wslay_event_config_set_max_recv_msg_length(context, messageBytes)
    }

    deinit { if context != nil { wslay_event_context_free(context) } }

    private static func of(_ owner: UnsafeMutableRawPointer) -> FrameCodec {
        Unmanaged<FrameCodec>.fromOpaque(owner).takeUnretainedValue()
    }

    // MARK: Callbacks

    private func makeMask(_ bytes: UnsafeMutableBufferPointer<UInt8>) {
        for place in bytes.indices { bytes[place] = .random(in: 0...255, using: &random) }
    }

    private func receive(into buffer: UnsafeMutableBufferPointer<UInt8>, _ context: OpaquePointer) -> Int {
        let transfer = connection.receive(into: buffer)
        if transfer == .ended { isEnded = true }
        return count(of: transfer, context)
    }

    private func send(_ frame: UnsafeBufferPointer<UInt8>, _ context: OpaquePointer) -> Int {
        // wslay closes without a code for a malformed frame. RFC 6455 (section 7.4.1) has a code for that.
        guard isMalformed, frame.elementsEqual(Self.bareClose) else {
            return count(of: connection.send(frame), context)
        }
        let sent = Self.protocolError.withUnsafeBufferPointer { connection.send($0) }
        return count(of: sent == .bytes(Self.protocolError.count) ? .bytes(frame.count) : sent, context)
    }

    /// The number of bytes as wslay's callbacks return it.
    private func count(of transfer: ByteTransfer, _ context: OpaquePointer) -> Int {
        if case .bytes(let count) = transfer { return count }
        // The end is noted, and queued frames can still be sent.
        let waits = transfer != .failed
        if !waits { hasFailed = true }
        wslay_event_set_error(context, waits ? WSLAY_ERR_WOULDBLOCK.code : WSLAY_ERR_CALLBACK_FAILURE.code)
        return -1
    }

    /// A closing frame without a code, as a server sends it.
    private static let bareClose: [UInt8] = [0x88, 0]
    /// A closing frame with the code 1002. So short a frame is sent as a whole or not at all.
    private static let protocolError: [UInt8] = [0x88, 2, 0x03, 0xEA]

    private func take(_ argument: wslay_event_on_msg_recv_arg) {
        switch UInt32(argument.opcode) {
        case WSLAY_TEXT_FRAME.rawValue, WSLAY_BINARY_FRAME.rawValue:
            // Apple's clients send JSON as data.
            let message = UnsafeRawBufferPointer(start: argument.msg, count: argument.msg_length)
            let isText = UInt32(argument.opcode) == WSLAY_TEXT_FRAME.rawValue
            inputs.append(.message(Array(message), isText: isText))
        case WSLAY_CONNECTION_CLOSE.rawValue:
            // A code has two bytes. wslay answers half a code as if there were none.
            if argument.msg_length == 1 { isMalformed = true }
            inputs.append(.close(argument.msg_length < 2 ? nil : argument.status_code))
        default: inputs.append(.control)
        }
    }

    // MARK: Reading and writing

    /// Reads what has arrived. Pings are answered automatically.
    package func read() -> [Input] {
        // For a malformed frame wslay queues a closing frame, and then reports a failure like that of a socket.
        if wslay_event_recv(context) != 0 {
            isMalformed = true
            if hasFailed || isIdle { isBroken = true }
        }
        if let code = takeRegisteredCode() { inputs.append(.close(code)) }
        defer { inputs = [] }
        return inputs
    }

    /// The code of a server's closing frame that was registered after RFC 6455, which wslay takes for malformed.
    private func takeRegisteredCode() -> UInt16? {
        guard side == .client, let closing, closing.count >= 2 else { return nil }
        self.closing = nil
        let code = UInt16(closing[0]) << 8 | UInt16(closing[1])
        return (1_012...1_014).contains(code) ? code : nil
    }

    /// Writes as much as the socket takes.
    package func write() { if wslay_event_send(context) != 0 { isBroken = true } }

    /// Queues a message.
    package func queue(_ message: [UInt8], isText: Bool = true) {
        queue(message, isText ? WSLAY_TEXT_FRAME.rawValue : WSLAY_BINARY_FRAME.rawValue)
    }

    /// Queues a ping frame.
    package func queuePing() { queue([], WSLAY_PING.rawValue) }

    private func queue(_ bytes: [UInt8], _ opcode: UInt32) {
        let code = bytes.withUnsafeBufferPointer { bytes in
            var message = wslay_event_msg()
            message.opcode = UInt8(opcode)
            message.msg = bytes.baseAddress
            message.msg_length = bytes.count
            return wslay_event_queue_msg(context, &message)
        }
        if code != 0, code != WSLAY_ERR_NO_MORE_MSG.code { isBroken = true }
    }

    /// Queues the closing frame. Nothing can be queued behind it.
    package func queueClose(_ code: UInt16) { _ = wslay_event_queue_close(context, code, nil, 0) }

    /// Whether everything that was queued has been written.
    package var isIdle: Bool { wslay_event_want_write(context) == 0 }
    /// Whether nothing more will be read or written.
    package var isOver: Bool {
        isBroken || isIdle && (isEnded || wslay_event_want_read(context) == 0)
    }

    /// Whether the connection broke, so that nothing can be written.
    package var isLost: Bool { isBroken }

    /// Reads and discards what still arrives.
    ///
    /// - Returns: Whether more may come.
    package func discard() -> Bool {
        withUnsafeTemporaryAllocation(of: UInt8.self, capacity: 16_384) { buffer in
            while true {
                switch connection.receive(into: buffer) {
                case .bytes: continue
                case .later: return true
                case .ended, .failed: return false
                }
            }
        }
    }

    /// Nothing more is sent.
    package func finish() { connection.finish() }
}

extension wslay_error {
    /// The code as wslay's functions take it.
    fileprivate var code: Int32 { Int32(truncatingIfNeeded: rawValue) }
}
