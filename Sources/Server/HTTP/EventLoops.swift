import CMicroHTTPD
import Glibc
import Synchronization
import System

/// The callbacks of libmicrohttpd. They run on its event loops.
final class EventLoops: Sendable {
    let connections: ConnectionTable
    private let handler: any RequestHandler
    private let headBytes: Int
    private let clock: any RunClock
    private let closed: @Sendable () -> Void
    private let isStopping = Atomic<Bool>(false)
    /// The callbacks that run, by thread. What may block is done by pools, so each returns at once.
    private let calls = Guarded(OpenCalls(limit: 60_000_000_000))

    /// - Parameters:
    ///   - headBytes: Maximum size of a request's head in bytes.
    ///   - closed: Called when a connection has been closed.
    init(
        _ handler: any RequestHandler, _ connections: ConnectionTable, headBytes: Int, _ clock: any RunClock,
        closed: @escaping @Sendable () -> Void
    ) {
        self.handler = handler
        self.connections = connections
        self.headBytes = headBytes
        self.clock = clock
        self.closed = closed
    }

    /// Settings with the callbacks. This object must outlive the daemon.
    var settings: etl_http_settings {
        var raw = etl_http_settings()
        raw.handle = { owner, connection, path, method, version, bytes, count, context in
            guard let owner, let connection, let path, let method, let version, let count, let context else {
                return .NO
            }
            let loops = EventLoops.of(owner)
            return loops.timed {
                if let request = context.pointee {
                    loops.handle(connection, request, bytes: bytes, count: count)
                } else {
                    loops.begin(connection, method, path, version, context)
                }
            }
        }
        raw.target = { _, target, connection in
            guard let target, let connection, let open = etl_http_context(connection) else { return nil }
            RequestHead.hideCookies(connection)
            Unmanaged<OpenConnection>.fromOpaque(open).takeUnretainedValue().beginHead(
                target, on: UInt(pthread_self()))
            return nil
        }
        raw.message = { owner, _, _ in
            if let owner { EventLoops.of(owner).refuseUnreadHead() }
        }
        raw.completed = { owner, _, context, code in
            guard let owner, let context, let pointer = context.pointee else { return }
            context.pointee = nil
            let request = Unmanaged<RunningRequest>.fromOpaque(pointer).takeRetainedValue()
            let loops = EventLoops.of(owner)
            loops.timed { loops.end(request, code) }
        }
        raw.connection = { owner, connection, context, code in
            guard let owner, let connection, let context else { return }
            let loops = EventLoops.of(owner)
            loops.timed { loops.note(connection, context, code) }
        }
        raw.owner = Unmanaged.passUnretained(self).toOpaque()
        return raw
    }

    private static func of(_ owner: UnsafeMutableRawPointer) -> EventLoops {
        Unmanaged<EventLoops>.fromOpaque(owner).takeUnretainedValue()
    }

    /// From now on, requests are answered with 503. Ends everything that connections wait for: libmicrohttpd
    /// aborts the process if it is stopped while a connection is suspended.
    func release() {
        isStopping.store(true, ordering: .sequentiallyConsistent)
        connections.release()
    }

    /// Whether no callback keeps its event loop, and all its connections, from going on.
    var isAlive: Bool {
        let now = clock.nanoseconds()
        return !calls.withLock { $0.isStuck(at: now) }
    }

    private func timed<Result>(_ call: () -> Result) -> Result {
        let (thread, now) = (UInt(pthread_self()), clock.nanoseconds())
        calls.withLock { $0.begin(thread, at: now) }
        defer { calls.withLock { $0.end(thread) } }
        return call()
    }

    private func note(
        _ connection: OpaquePointer, _ context: UnsafeMutablePointer<UnsafeMutableRawPointer?>,
        _ code: MHD_ConnectionNotificationCode
    ) {
        if etl_http_is_start(code) != 0 {
            let opened = connections.open(
                ConnectionPointer(raw: connection), descriptor: etl_http_socket(connection))
            context.pointee = Unmanaged.passRetained(opened).toOpaque()
        } else if let pointer = context.pointee {
            context.pointee = nil
            connections.close(Unmanaged<OpenConnection>.fromOpaque(pointer).takeRetainedValue())
            closed()
        }
    }

    /// A request's head has arrived.
    private func begin(
        _ connection: OpaquePointer, _ method: UnsafePointer<CChar>, _ path: UnsafePointer<CChar>,
        _ version: UnsafePointer<CChar>, _ context: UnsafeMutablePointer<UnsafeMutableRawPointer?>
    ) -> MHD_Result {
        guard let pointer = etl_http_context(connection) else { return .NO }
        let open = Unmanaged<OpenConnection>.fromOpaque(pointer).takeUnretainedValue()
        open.endHead()
        let line = RequestLine(method: method, target: open.target(path), version: version)
        let head = RequestHead(reading: connection, line)
        guard etl_http_head_size(connection) <= headBytes, head.fieldCount <= RequestHead.maximumFields else {
            sendLast(handler.refusal(of: .tooLarge), open)
            return .NO
        }
        let request = RunningRequest(
            connection, head, on: open, began: clock.nanoseconds(),
            whenStopping: { [handler] in handler.whenStopping })
        context.pointee = Unmanaged.passRetained(request).toOpaque()
        connections.beginRequest(request.open, hasBody: request.hasBody)
        request.open.work = request.exchange
        if isStopping.load(ordering: .sequentiallyConsistent) { request.exchange.release() }
        request.begin(handler)
        // A response before the body makes libmicrohttpd close the connection afterwards.
        return request.hasBody && request.exchange.hasResponse ? send(request, connection) : .YES
    }

    /// libmicrohttpd has a message about one of this thread's connections. If the whole head of that has arrived and is not
    /// handled yet, it is about to be refused: the message is the only sign of it. Version 0.9.75 would write the head of
    /// its answer twice, so ours goes first, and is the last.
    private func refuseUnreadHead() {
        guard let open = connections.withUnhandledHead(on: UInt(pthread_self())) else { return }
        open.endHead()
        sendLast(handler.refusal(of: .malformed), open)
    }

    /// Sends a response without libmicrohttpd, as the last bytes of its connection.
    private func sendLast(_ response: Response, _ open: OpenConnection) {
        let bytes = response.bytes(at: clock.epochMilliseconds())
        bytes.withUnsafeBytes { etl_http_send_last(open.pointer.raw, $0.baseAddress, $0.count) }
    }

    private func handle(
        _ connection: OpaquePointer, _ pointer: UnsafeMutableRawPointer, bytes: UnsafePointer<CChar>?,
        count: UnsafeMutablePointer<Int>
    ) -> MHD_Result {
        let request = Unmanaged<RunningRequest>.fromOpaque(pointer).takeUnretainedValue()
        if count.pointee > 0 {
            // libmicrohttpd may call again at once with the next piece, so the connection is suspended only
            // before a piece is taken.
            if request.exchange.waitsForReceiver() {
                connections.holdBody(request.open)
                return .YES
            }
            let piece = UnsafeRawBufferPointer(start: bytes, count: count.pointee)
            count.pointee = 0
            let total = request.receive(piece)
            connections.noteBody(request.open, bytes: total, since: request.exchange.began)
            return request.isTooLong ? .NO : .YES
        }
        if request.finishBody() { connections.endBody(request.open) }
        return send(request, connection)
    }

    /// Hands the response over, or suspends the connection until there is one.
    private func send(_ request: RunningRequest, _ connection: OpaquePointer) -> MHD_Result {
        guard var response = request.exchange.takeResponse() else { return .YES }
        // libmicrohttpd accepts chunks whose lines end without CR. What comes after such a body is not read, so it
        // does not matter if another server sees another end.
        if request.exchange.head["Transfer-Encoding"] != nil { response.closes = true }
        if case .upgrade(let adopt) = response.body { request.adopt = adopt }
        // A response to HEAD ends with its head (RFC 9112, section 6.3). libmicrohttpd would write a stream's last chunk.
        if request.exchange.head.method == .head, let stream = response.stream {
            stream.end()
            response.body = .bytes([])
        }
        let reader = response.stream.map { StreamReader($0, on: ConnectionPointer(raw: connection)) }
        request.open.work = reader
        if isStopping.load(ordering: .sequentiallyConsistent) { reader?.release() }
        guard let made = ResponseMaker.make(response, reader) else { return .NO }
        defer { MHD_destroy_response(made) }
        let size: Int? =
            switch response.body {
            case .bytes(let bytes): bytes.count
            case .file(let file): file.size
            case .stream, .upgrade: nil
            }
        connections.beginResponse(request.open, bytes: size)
        return MHD_queue_response(connection, UInt32(response.status), made)
    }

    private func end(_ request: RunningRequest, _ code: MHD_RequestTerminationCode) {
        connections.endResponse(request.open)
        request.open.work = nil
        request.abandonBody()
        handler.end(
            request.exchange, status: request.exchange.status,
            isComplete: etl_http_is_complete(code) != 0)
        // The note may refer to the exchange, and both would stay in memory for ever.
        request.exchange.note = nil
    }
}
