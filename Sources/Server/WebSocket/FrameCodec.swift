import CWslay
import Glibc

/// Reads and writes frames of one WebSocket: wslay on a socket that does not block. Used by one thread.
final class FrameCodec {
    /// What has arrived.
    enum Input {
        case message([UInt8], isText: Bool)
        /// A ping or pong.
        case control
        /// The client closes.
        case close
    }

    private let descriptor: Int32
    private var context: OpaquePointer?
    /// Bytes that the client had sent with its handshake.
    private var early: ArraySlice<UInt8>
    private var inputs: [Input] = []
    private var isBroken = false
    /// Whether a frame was malformed.
    private var isMalformed = false
    /// Whether the socket cannot be read or written any more.
    private var hasFailed = false
    /// Whether the client sends nothing more.
    private(set) var isEnded = false

    /// - Parameter messageBytes: The most bytes of a message; a longer one ends the connection with 1009.
    init?(_ descriptor: Int32, early: [UInt8], messageBytes: UInt64) {
        self.descriptor = descriptor
        self.early = early[...]
        var callbacks = wslay_event_callbacks()
        callbacks.recv_callback = { context, buffer, count, _, owner in
            guard let context, let buffer, let owner else { return -1 }
            return FrameCodec.of(owner).receive(into: buffer, count, context)
        }
        callbacks.send_callback = { context, bytes, count, _, owner in
            guard let context, let bytes, let owner else { return -1 }
            return FrameCodec.of(owner).send(bytes, count, context)
        }
        callbacks.on_msg_recv_callback = { _, argument, owner in
            guard let argument, let owner else { return }
            FrameCodec.of(owner).take(argument.pointee)
        }
        let code = wslay_event_context_server_init(
            &context, &callbacks, Unmanaged.passUnretained(self).toOpaque())
        guard code == 0, context != nil else { return nil }
        wslay_event_config_set_max_recv_msg_length(context, messageBytes)
    }

    deinit { if context != nil { wslay_event_context_free(context) } }

    private static func of(_ owner: UnsafeMutableRawPointer) -> FrameCodec {
        Unmanaged<FrameCodec>.fromOpaque(owner).takeUnretainedValue()
    }

    // MARK: Callbacks

    private func receive(
        into buffer: UnsafeMutablePointer<UInt8>, _ count: Int, _ context: OpaquePointer
    ) -> Int {
        if !early.isEmpty {
            let taken = min(count, early.count)
            UnsafeMutableRawBufferPointer(start: buffer, count: count).copyBytes(from: early.prefix(taken))
            early = early.dropFirst(taken)
            return taken
        }
        while true {
            let got = recv(descriptor, buffer, count, 0)
            if got > 0 { return got }
            if got < 0, errno == EINTR { continue }
            if got == 0 { isEnded = true }
            let waits = got == 0 || got < 0 && (errno == EAGAIN || errno == EWOULDBLOCK)
            if !waits { hasFailed = true }
            wslay_event_set_error(
                context, waits ? WSLAY_ERR_WOULDBLOCK.code : WSLAY_ERR_CALLBACK_FAILURE.code)
            return -1
        }
    }

    private func send(_ bytes: UnsafePointer<UInt8>, _ count: Int, _ context: OpaquePointer) -> Int {
        let frame = UnsafeBufferPointer(start: bytes, count: count)
        // wslay closes without a code for a malformed frame. RFC 6455 (section 7.4.1) has a code for that.
        let isBareClose = isMalformed && frame.elementsEqual(Self.bareClose)
        let sent = isBareClose ? Self.protocolError.withUnsafeBufferPointer { send($0) } : send(frame)
        guard sent > 0 else {
            let waits = sent < 0 && (errno == EAGAIN || errno == EWOULDBLOCK)
            if !waits { hasFailed = true }
            wslay_event_set_error(
                context, waits ? WSLAY_ERR_WOULDBLOCK.code : WSLAY_ERR_CALLBACK_FAILURE.code)
            return -1
        }
        return isBareClose ? count : sent
    }

    private func send(_ bytes: UnsafeBufferPointer<UInt8>) -> Int {
        while true {
            let sent = Glibc.send(descriptor, bytes.baseAddress, bytes.count, Int32(MSG_NOSIGNAL))
            if sent < 0, errno == EINTR { continue }
            return sent
        }
    }

    /// A closing frame without a code.
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
            inputs.append(.close)
        default: inputs.append(.control)
        }
    }

    // MARK: Reading and writing

    /// Reads what has arrived. Pings are answered by themselves.
    func read() -> [Input] {
        // For a malformed frame wslay queues a closing frame, and then reports a failure like that of a socket.
        if wslay_event_recv(context) != 0 {
            isMalformed = true
            if hasFailed || isIdle { isBroken = true }
        }
        defer { inputs = [] }
        return inputs
    }

    /// Writes as much as the socket takes.
    func write() { if wslay_event_send(context) != 0 { isBroken = true } }

    /// Queues a message.
    func queue(_ message: [UInt8], isText: Bool = true) {
        queue(message, isText ? WSLAY_TEXT_FRAME.rawValue : WSLAY_BINARY_FRAME.rawValue)
    }

    /// Queues a ping frame.
    func queuePing() { queue([], WSLAY_PING.rawValue) }

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
    func queueClose(_ code: UInt16) { _ = wslay_event_queue_close(context, code, nil, 0) }

    /// Whether everything that was queued has been written.
    var isIdle: Bool { wslay_event_want_write(context) == 0 }
    /// Whether nothing more will be read or written.
    var isOver: Bool {
        isBroken || isIdle && (isEnded || wslay_event_want_read(context) == 0)
    }

    /// Whether the connection broke, so that nothing can be written.
    var isLost: Bool { isBroken }

    /// Reads and discards what still arrives.
    ///
    /// - Returns: Whether more may come.
    func discard() -> Bool {
        var bytes = [UInt8](repeating: 0, count: 16_384)
        while true {
            let got = recv(descriptor, &bytes, bytes.count, 0)
            if got > 0 || got < 0 && errno == EINTR { continue }
            return got < 0 && (errno == EAGAIN || errno == EWOULDBLOCK)
        }
    }

    /// Nothing more is sent.
    func finish() { shutdown(descriptor, Int32(SHUT_WR)) }
}

extension wslay_error {
    /// The code as wslay's functions take it.
    fileprivate var code: Int32 { Int32(truncatingIfNeeded: rawValue) }
}
