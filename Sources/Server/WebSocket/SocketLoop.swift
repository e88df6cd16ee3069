import CEpoll
import Glibc
package import System
import WebSocket

/// Serves all WebSockets on one thread.
package final class SocketLoop: Sendable {
    /// Job and token of a new WebSocket, and whether it is refused.
    package struct Opening: Sendable {
        package var job: String
        package var token: String
        /// Whether the client was cut off before.
        package var reconnects: Bool
        /// Path of the server as the client spells it.
        package var base: BasePath
        /// Why it is closed at once; nil if it is not.
        package var refusal: CloseCode?

        package init(
            job: String, token: String, reconnects: Bool, base: BasePath = .root, refusal: CloseCode?
        ) {
            self.base = base
            self.job = job
            self.token = token
            self.reconnects = reconnects
            self.refusal = refusal
        }
    }

    private struct Inbox: Sendable {
        var adopted: [(connection: UpgradedConnection, opening: Opening)] = []
        /// Sockets whose job has news.
        var news: Set<UInt64> = []
        var isStopping = false
        var isOver = false
        /// Waiters for the end of the loop.
        var stopping: [CheckedContinuation<Void, Never>] = []
    }

    /// Maximum size of a client's message in bytes.
    private static let messageBytes: UInt64 = 32 << 10
    /// Milliseconds between two looks at heartbeats.
    private static let tickMilliseconds: Int32 = 1_000
    /// Milliseconds that a client has to take the closing frame and answer it.
    static let farewell: Int64 = 3_000

    let hub: EventHub
    let clock: any RunClock
    /// Called with the jobs that clients cancel.
    private let cancel: @Sendable (String) -> Void
    /// Called now and then with the tokens of connected clients.
    private let renew: @Sendable (_ job: String, _ token: String) -> Void
    /// Called a few times a second: whether the clients of a job may still watch it.
    private let mayWatch: @Sendable (String) -> Bool
    private let limit: Int
    private let epoll: Int32
    private let wakeUp: Int32
    private let inbox = Guarded(Inbox())
    private let open = Guarded(0)

    /// - Parameter limit: Maximum number of connections.
    package init(
        hub: EventHub, clock: any RunClock, limit: Int, cancel: @escaping @Sendable (String) -> Void,
        renew: @escaping @Sendable (_ job: String, _ token: String) -> Void,
        mayWatch: @escaping @Sendable (_ job: String) -> Bool
    ) throws(ETLError) {
        self.hub = hub
        self.clock = clock
        self.limit = limit
        self.cancel = cancel
        self.renew = renew
        self.mayWatch = mayWatch
        epoll = etl_epoll_open()
        wakeUp = etl_eventfd_open()
        guard epoll >= 0, wakeUp >= 0, etl_epoll_watch(epoll, wakeUp, 0, 0, 1) == 0,
            SystemThread.start({ [self] in SocketThread(self).run() })
        else {
            throw ETLError(.temporary, "No thread for WebSockets can be started.")
        }
    }

    /// Number of open WebSockets.
    package var count: Int { open.withLock { $0 } }

    /// Takes over a connection.
    package func adopt(_ connection: UpgradedConnection, _ opening: Opening) {
        var opening = opening
        let isTooMany = open.withLock { open in
            open += 1
            return open > limit
        }
        if isTooMany { opening.refusal = opening.refusal ?? .tryAgainLater }
        if opening.refusal == nil { hub.expectReady(opening.job) }
        let isTaken = inbox.withLock { [opening] inbox in
            guard !inbox.isOver else { return false }
            inbox.adopted.append((connection, opening))
            return true
        }
        guard !isTaken else { return wake() }
        // The handshake ended after the loop had.
        noteClosed()
        if let codec = codec(for: connection) {
            codec.queueClose(CloseCode.goingAway.rawValue)
            codec.write()
        }
        connection.close()
    }

    /// Closes all WebSockets, and waits until they are closed.
    package func stop() async {
        await withCheckedContinuation { continuation in
            let isOver = inbox.withLock { inbox in
                inbox.isStopping = true
                if !inbox.isOver { inbox.stopping.append(continuation) }
                return inbox.isOver
            }
            if isOver { continuation.resume() } else { wake() }
        }
    }

    private func wake() {
        var one: UInt64 = 1
        _ = write(wakeUp, &one, 8)
    }

    // MARK: For the thread

    func noteNews(for socket: UInt64) {
        let isFirst = inbox.withLock { $0.news.insert(socket).inserted && $0.news.count == 1 }
        if isFirst { wake() }
    }

    func noteReady(_ job: String) { hub.noteReady(job) }
    func noteClosed() { open.withLock { $0 -= 1 } }
    func noteCancel(_ job: String) { cancel(job) }
    func noteConnected(_ job: String, token: String) { renew(job, token) }
    func isWatchable(_ job: String) -> Bool { mayWatch(job) }

    /// New WebSockets and messages from other threads since the last call.
    func takeInbox() -> (
        adopted: [(connection: UpgradedConnection, opening: Opening)], news: Set<UInt64>, isStopping: Bool
    ) {
        inbox.withLock { inbox in
            defer { (inbox.adopted, inbox.news) = ([], []) }
            return (inbox.adopted, inbox.news, inbox.isStopping)
        }
    }

    /// Ends the loop if nothing has come meanwhile.
    func end() -> Bool {
        let stopping = inbox.withLock { inbox -> [CheckedContinuation<Void, Never>]? in
            guard inbox.adopted.isEmpty else { return nil }
            inbox.isOver = true
            defer { inbox.stopping = [] }
            return inbox.stopping
        }
        guard let stopping else { return false }
        for continuation in stopping { continuation.resume() }
        return true
    }

    func watch(_ descriptor: Int32, _ number: UInt64, forWriting: Bool, isNew: Bool) {
        _ = etl_epoll_watch(epoll, descriptor, number, forWriting ? 1 : 0, isNew ? 1 : 0)
    }

    func forget(_ descriptor: Int32) { _ = etl_epoll_forget(epoll, descriptor) }

    /// Waits for sockets that can be read or written.
    ///
    /// - Returns: Their numbers; 0 is the wake-up.
    func wait() -> [UInt64] {
        var numbers = [UInt64](repeating: 0, count: 256)
        let count = etl_epoll_wait(epoll, &numbers, Int32(numbers.count), Self.tickMilliseconds)
        numbers.removeLast(numbers.count - Int(count))
        if let place = numbers.firstIndex(of: 0) {
            var times: UInt64 = 0
            _ = read(wakeUp, &times, 8)
            numbers.remove(at: place)
        }
        return numbers
    }

    func codec(for connection: UpgradedConnection) -> FrameCodec? {
        FrameCodec(SocketConnection(connection), as: .server, messageBytes: Self.messageBytes)
    }

    deinit {
        close(epoll)
        close(wakeUp)
    }
}
