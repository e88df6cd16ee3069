import CMicroHTTPD
import Dispatch
import Glibc
import Synchronization
import System

/// Accepts connections on its own thread, and passes them on.
///
/// libmicrohttpd can do that itself, but it ends the process if listening stops while one of its threads reaches the limit of
/// connections or has just begun a round: both then take the socket out of the same epoll set (0.9.75,
/// `MHD_quiesce_daemon` and `MHD_epoll`).
final class Acceptor: Sendable {
    private struct State: Sendable {
        var isStarted = false
        var isStopping = false
    }

    /// Milliseconds without new connections after the process has run out of descriptors or memory.
    private static let pause: Int32 = 100
    /// Connections that are accepted before the thread looks whether it shall end.
    private static let series = 64

    private let socket: Int32
    /// Can be read when there is room again, or the thread shall end.
    private let wakeUp: Int32
    private let limit: Int
    private let table: ConnectionTable
    private let state = Guarded(State())
    private let end = DispatchSemaphore(value: 0)
    private let isFull = Atomic<Bool>(false)
    /// Connections that were ever passed on.
    private let passedCount = Atomic<Int>(0)

    /// - Parameters:
    ///   - socket: A listening socket, which is closed at the end.
    ///   - limit: Maximum number of connections in the table; further ones wait.
    init(_ socket: Int32, limit: Int, _ table: ConnectionTable) {
        self.socket = socket
        self.limit = limit
        self.table = table
        wakeUp = etl_http_eventfd_open()
        // A service manager may pass one that blocks: the thread would wait in `accept` when it shall end.
        _ = fcntl(socket, F_SETFL, fcntl(socket, F_GETFL) | O_NONBLOCK)
    }

    /// - Parameter pass: Gets each connection with its address. It returns false if it has closed the connection.
    /// - Returns: False if the process may not have another thread or descriptor.
    func start(
        _ pass: @escaping @Sendable (_ connection: Int32, sockaddr_storage, socklen_t) -> Bool
    ) -> Bool {
        guard wakeUp >= 0, SystemThread.start(stackBytes: 256 << 10, { [self] in run(pass) }) else {
            return false
        }
        state.withLock { $0.isStarted = true }
        return true
    }

    /// Connections that no event loop has opened yet.
    var pendingCount: Int {
        max(0, passedCount.load(ordering: .relaxed) - Int(clamping: table.openedCount))
    }

    /// A connection of the table has ended.
    func noteRoom() { if isFull.exchange(false, ordering: .sequentiallyConsistent) { wake() } }

    /// Accepts nothing more, and waits until the thread has ended.
    func stop() {
        let isFirst = state.withLock { state in
            defer { state.isStopping = true }
            return state.isStarted && !state.isStopping
        }
        guard isFirst else { return }
        wake()
        end.wait()
        close(socket)
    }

    private func wake() {
        eventfd_write(wakeUp, 1)
    }

    private func run(_ pass: (Int32, sockaddr_storage, socklen_t) -> Bool) {
        var isExhausted = false
        while !state.withLock({ $0.isStopping }) {
            let accepts = !isExhausted && !waitsForRoom()
            let events = Int16(POLLIN)
            var polled = [
                pollfd(fd: wakeUp, events: events, revents: 0),
                // No event comes for a negative descriptor.
                pollfd(fd: accepts ? socket : -1, events: events, revents: 0),
            ]
            _ = poll(&polled, 2, isExhausted ? Self.pause : -1)
            isExhausted = false
            if polled[0].revents != 0 {
                var times: eventfd_t = 0
                eventfd_read(wakeUp, &times)
            }
            if polled[1].revents != 0 { isExhausted = !acceptSeries(pass) }
        }
        end.signal()
    }

    private var hasRoom: Bool { table.count + pendingCount < limit }

    /// Whether there is no room. Then the thread is woken when there is.
    private func waitsForRoom() -> Bool {
        guard !hasRoom else { return false }
        isFull.store(true, ordering: .sequentiallyConsistent)
        guard hasRoom else { return true }
        isFull.store(false, ordering: .sequentiallyConsistent)
        return false
    }

    /// - Returns: False if the process has run out of descriptors or memory.
    private func acceptSeries(_ pass: (Int32, sockaddr_storage, socklen_t) -> Bool) -> Bool {
        for _ in 0..<Self.series where hasRoom {
            var address = sockaddr_storage()
            var length = socklen_t()
            let connection = etl_http_accept(socket, &address, &length)
            if connection >= 0 {
                passedCount.wrappingAdd(1, ordering: .relaxed)
                if !pass(connection, address, length) { passedCount.wrappingSubtract(1, ordering: .relaxed) }
            } else if errno == EAGAIN {
                return true
            } else if errno != EINTR, errno != ECONNABORTED {
                return false
            }
        }
        return true
    }

    deinit {
        if !state.withLock({ $0.isStarted }) { close(socket) }
        if wakeUp >= 0 { close(wakeUp) }
    }
}
