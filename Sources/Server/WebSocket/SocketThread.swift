import Glibc
import Store
import System
import WebSocket

/// The thread of a ``SocketLoop``: the only one that touches its sockets.
final class SocketThread {
    /// An open WebSocket.
    private final class Socket {
        let connection: UpgradedConnection
        let codec: FrameCodec
        let opening: SocketLoop.Opening
        var session: SocketSession
        var watcher: Int?
        var isWriting = false
        var isReady = false
        /// The code that it is closed with once everything before was sent. wslay would send it first.
        var closing: CloseCode?
        /// Whether it is over and only what still arrives is discarded. Closing a socket that has unread bytes would
        /// take the last frame from the client.
        var isDraining = false
        /// When it is closed at the latest, on the system's clock; nil while it is used.
        var deadline: Int64?

        init(
            _ connection: UpgradedConnection, _ codec: FrameCodec, _ opening: SocketLoop.Opening,
            _ session: SocketSession
        ) {
            self.connection = connection
            self.codec = codec
            self.opening = opening
            self.session = session
        }
    }

    private let loop: SocketLoop
    private var sockets: [UInt64: Socket] = [:]
    private var last: UInt64 = 0
    private var tickedAt: Int64 = 0
    private var renewedAt: Int64 = 0

    /// Milliseconds between two looks at tokens that end soon.
    private static let renewal: Int64 = 60_000

    init(_ loop: SocketLoop) { self.loop = loop }

    private var now: Int64 { Int64(loop.clock.nanoseconds() / 1_000_000) }
    private var time: Int64 { loop.clock.epochMilliseconds() }
    /// Milliseconds of the system's clock. A closing socket must not last until a test's clock advances: the caller
    /// that stops the loop waits for it.
    private var systemTime: Int64 { Int64(SystemClock().nanoseconds() / 1_000_000) }

    func run() {
        var isStopping = false
        while true {
            let numbers = loop.wait()
            let inbox = loop.takeInbox()
            for (connection, opening) in inbox.adopted { open(connection, opening) }
            for number in numbers { handle(number) }
            for number in inbox.news { tell(number) }
            if inbox.isStopping, !isStopping {
                isStopping = true
                for (number, socket) in sockets where !socket.isDraining {
                    perform(socket.session.close(.goingAway), number, socket)
                }
            }
            tick()
            if isStopping, sockets.isEmpty, loop.end() { return }
        }
    }

    private func open(_ connection: UpgradedConnection, _ opening: SocketLoop.Opening) {
        let log = loop.hub[opening.job]
        guard let codec = loop.codec(for: connection) else {
            connection.close()
            return loop.noteClosed()
        }
        last += 1
        let number = last
        let socket = Socket(
            connection, codec, opening,
            SocketSession(
                job: opening.job, pipeline: log?.pipeline ?? .csvImport, at: opening.base, now: now))
        sockets[number] = socket
        loop.watch(connection.descriptor, number, forWriting: false, isNew: true)
        guard opening.refusal == nil, let log else {
            return perform(socket.session.close(opening.refusal ?? .policyViolation), number, socket)
        }
        // The watcher must not keep the loop alive.
        socket.watcher = loop.hub.watch(opening.job) { [weak loop] in loop?.noteNews(for: number) }
        if opening.reconnects {
            perform(socket.session.reconnect(log, time: time), number, socket)
            noteReadiness(socket)
            tell(number)
        }
        // Bytes that came right behind the handshake have left the socket.
        if !connection.early.isEmpty { handle(number) }
    }

    private func handle(_ number: UInt64) {
        guard let socket = sockets[number] else { return }
        guard !socket.isDraining else {
            if !socket.codec.discard() { close(number, socket) }
            return
        }
        var actions: [SocketSession.Action] = []
        for input in socket.codec.read() {
            switch input {
            case .message(let bytes, _): actions += socket.session.receive(bytes, now: now, time: time)
            case .control: socket.session.hear(now: now)
            case .close: socket.deadline = socket.deadline ?? systemTime + SocketLoop.farewell
            }
        }
        noteReadiness(socket)
        perform(actions, number, socket)
        tell(number)
    }

    private func noteReadiness(_ socket: Socket) {
        guard socket.session.isReady, !socket.isReady else { return }
        socket.isReady = true
        loop.noteReady(socket.opening.job)
    }

    /// Sends a client its news, as soon as everything before was sent.
    private func tell(_ number: UInt64) {
        guard let socket = sockets[number], !socket.isDraining else { return }
        socket.codec.write()
        guard socket.codec.isIdle, !socket.codec.isOver, let log = loop.hub[socket.opening.job] else {
            return settle(number, socket)
        }
        perform(socket.session.news(log), number, socket)
    }

    private func perform(_ actions: [SocketSession.Action], _ number: UInt64, _ socket: Socket) {
        for action in actions {
            switch action {
            case .send(let bytes): socket.codec.queue(bytes)
            case .ping: socket.codec.queuePing()
            case .cancel: loop.noteCancel(socket.opening.job)
            case .close(let code):
                socket.closing = code
                socket.deadline = systemTime + SocketLoop.farewell
            }
        }
        socket.codec.write()
        settle(number, socket)
    }

    /// Closes a socket that is over, or waits until it can be written.
    private func settle(_ number: UInt64, _ socket: Socket) {
        if let code = socket.closing, socket.codec.isIdle {
            socket.closing = nil
            socket.codec.queueClose(code.rawValue)
            socket.codec.write()
        }
        if socket.codec.isOver {
            guard !socket.codec.isLost, !socket.codec.isEnded else { return close(number, socket) }
            socket.isDraining = true
            socket.deadline = systemTime + SocketLoop.farewell
            socket.codec.finish()
            if !socket.codec.discard() { return close(number, socket) }
        }
        let waits = !socket.codec.isIdle
        guard waits != socket.isWriting else { return }
        socket.isWriting = waits
        loop.watch(socket.connection.descriptor, number, forWriting: waits, isNew: false)
    }

    private func close(_ number: UInt64, _ socket: Socket) {
        guard sockets.removeValue(forKey: number) != nil else { return }
        if let watcher = socket.watcher { loop.hub.leave(socket.opening.job, watcher) }
        if !socket.isReady, socket.opening.refusal == nil { loop.noteReady(socket.opening.job) }
        loop.forget(socket.connection.descriptor)
        socket.connection.close()
        loop.noteClosed()
    }

    private func tick() {
        let (now, systemTime) = (now, systemTime)
        guard systemTime - tickedAt >= 500 else { return }
        tickedAt = systemTime
        let renews = now - renewedAt >= Self.renewal
        if renews { renewedAt = now }
        for (number, socket) in sockets {
            if let deadline = socket.deadline, systemTime >= deadline {
                close(number, socket)
                continue
            }
            guard !socket.isDraining else { continue }
            guard loop.isWatchable(socket.opening.job) else {
                perform(socket.session.close(.policyViolation), number, socket)
                continue
            }
            if renews, socket.isReady { loop.noteConnected(socket.opening.job, token: socket.opening.token) }
            perform(socket.session.tick(now: now, time: time), number, socket)
        }
    }
}
