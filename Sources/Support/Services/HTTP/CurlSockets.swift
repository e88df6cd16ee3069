import CCurl
import Glibc
import System

/// The sockets that libcurl waits for, watched by epoll, and the time at which it must be called. Used on the
/// loop's thread only; libcurl calls back on it.
///
/// libcurl's own poll looks at all sockets whenever one has data. With epoll the cost of a request does not
/// depend on the number of connections.
final class CurlSockets {
    private static let eventLimit = 64
    /// Longest wait in milliseconds.
    private static let longestWait: UInt64 = 1_000

    private let queue: Int32
    private let wakeup: Int32
    private let clock = SystemClock()
    private var watched: Set<curl_socket_t> = []
    /// The sockets of the last wait, and what happened to them.
    private var sockets = [Int32](repeating: 0, count: eventLimit)
    private var masks = [Int32](repeating: 0, count: eventLimit)
    /// When libcurl must be called although nothing happened; nil for never.
    private var deadline: UInt64?

    /// - Parameters:
    ///   - queue: An epoll descriptor, which is closed at the end.
    ///   - wakeup: A descriptor that ends a wait when it becomes readable.
    init(queue: Int32, wakeup: Int32) {
        self.queue = queue
        self.wakeup = wakeup
        _ = etl_epoll_watch(queue, wakeup, CURL_POLL_IN, 1)
    }

    deinit { close(queue) }

    /// Makes libcurl report its sockets and deadlines here.
    func attach(to multi: UnsafeMutableRawPointer) {
        let owner = Unmanaged.passUnretained(self).toOpaque()
        _ = etl_curl_multi_set_callbacks(
            multi,
            { _, socket, what, owner, _ in
                CurlSockets.of(owner)?.watch(socket, what)
                return 0
            },
            { _, milliseconds, owner in
                CurlSockets.of(owner)?.setDeadline(milliseconds)
                return 0
            }, owner)
    }

    /// Whether libcurl must be called because of the time. True once for each deadline.
    func takeDeadline() -> Bool {
        guard let deadline, deadline <= clock.nanoseconds() else { return false }
        self.deadline = nil
        return true
    }

    /// Waits until something happens to a socket, until the deadline, or until it is woken.
    ///
    /// - Parameter body: Called for each socket, with what happened to it (`CURL_CSELECT_IN` and so on).
    func wait(_ body: (_ socket: curl_socket_t, _ mask: Int32) -> Void) {
        var milliseconds = Self.longestWait
        if let deadline {
            let now = clock.nanoseconds()
            milliseconds = min(milliseconds, deadline > now ? (deadline - now + 999_999) / 1_000_000 : 0)
        }
        let count = etl_epoll_wait(queue, &sockets, &masks, Int32(Self.eventLimit), Int32(milliseconds))
        for index in 0..<Int(count) where sockets[index] != wakeup { body(sockets[index], masks[index]) }
    }

    // MARK: Callbacks of libcurl

    private static func of(_ owner: UnsafeMutableRawPointer?) -> CurlSockets? {
        owner.map { Unmanaged<CurlSockets>.fromOpaque($0).takeUnretainedValue() }
    }

    private func watch(_ socket: curl_socket_t, _ what: Int32) {
        let isNew = watched.insert(socket).inserted
        if what == CURL_POLL_REMOVE { watched.remove(socket) }
        _ = etl_epoll_watch(queue, socket, what, isNew ? 1 : 0)
    }

    private func setDeadline(_ milliseconds: Int) {
        deadline = milliseconds < 0 ? nil : clock.nanoseconds() + UInt64(milliseconds) * 1_000_000
    }
}
