import CMicroHTTPD
import Glibc
import System

/// A request and its response.
///
/// The response can be given on any thread. Until then the connection is suspended: it costs memory, but no
/// thread.
package final class Exchange: Releasable {
    /// Current state of a connection's reads and writes.
    private enum Phase {
        /// The event loop is in the handler.
        case handling
        /// The connection is suspended until there is a response, or until the body can go on.
        case suspended
        /// The response was handed over.
        case answered
    }

    private struct State {
        var phase = Phase.handling
        var response: Response?
        var mayReceive = true
        var status: Int?
        var note: (any Sendable)?
    }

    package let head: RequestHead
    /// The address of the other end of the connection, `192.0.2.7`; empty if it is not known.
    package let peer: String
    /// When the head had arrived, in nanoseconds of the system's monotonic clock.
    package let began: UInt64
    private let connection: ConnectionPointer
    /// The connection's socket. It is open until there is a response.
    private let descriptor: Int32
    /// The answer if the server stops before there is another.
    private let whenStopping: @Sendable () -> Response
    private let state = Guarded(State())

    init(
        _ head: RequestHead, peer: String, began: UInt64, on connection: ConnectionPointer,
        whenStopping: @escaping @Sendable () -> Response
    ) {
        self.whenStopping = whenStopping
        self.head = head
        self.peer = peer
        self.began = began
        self.connection = connection
        descriptor = etl_http_socket(connection.raw)
    }

    /// The handler's note about the request.
    package var note: (any Sendable)? {
        get { state.withLock { $0.note } }
        set { state.withLock { $0.note = newValue } }
    }

    /// Gives the response. Only the first one counts.
    package func answer(_ response: Response) {
        state.withLock { state in
            guard state.response == nil, state.phase != .answered else { return }
            state.response = response
            if state.phase == .suspended {
                state.phase = .handling
                MHD_resume_connection(connection.raw)
            }
        }
    }

    /// Reads the body further, after its receiver had asked to wait.
    package func receiveMore() {
        state.withLock { state in
            state.mayReceive = true
            if state.phase == .suspended {
                state.phase = .handling
                MHD_resume_connection(connection.raw)
            }
        }
    }

    /// Answers that the server stops, if there is no answer yet.
    func release() { answer(whenStopping()) }

    /// The response's status; nil if there is none yet.
    package var status: Int? { state.withLock { $0.status } }

    /// Whether the client has closed its side of the connection and there is no response yet. Work for it can end: a
    /// suspended connection is not read, so nothing else would notice.
    package var isAbandoned: Bool {
        state.withLock { state in
            guard state.phase != .answered, descriptor >= 0 else { return false }
            var poll = pollfd(fd: descriptor, events: Int16(truncatingIfNeeded: etl_http_hang_up), revents: 0)
            return Glibc.poll(&poll, 1, 0) > 0
        }
    }

    // MARK: For the event loop

    /// Suspends the connection if the body's receiver is still busy with an earlier piece.
    func waitsForReceiver() -> Bool {
        state.withLock { state in
            guard !state.mayReceive, state.response == nil else { return false }
            state.phase = .suspended
            MHD_suspend_connection(connection.raw)
            return true
        }
    }

    /// Called before a piece of the body is passed on. The receiver may call ``receiveMore()`` before it returns.
    func beginReceiving() { state.withLock { $0.mayReceive = false } }

    /// The response, if there is one. Otherwise the connection is suspended until there is.
    func takeResponse() -> Response? {
        state.withLock { state in
            guard let response = state.response else {
                state.phase = .suspended
                MHD_suspend_connection(connection.raw)
                return nil
            }
            state.phase = .answered
            state.status = response.status
            return response
        }
    }

    /// Whether a response was given and not handed over yet.
    var hasResponse: Bool { state.withLock { $0.response != nil && $0.phase != .answered } }
}

/// A connection or a daemon of libmicrohttpd.
///
/// Proof: only ``HTTPServer`` has daemons, and stops each once. Of connections, only ``Exchange`` and ``StreamReader`` use it, for resuming and suspending under their lock;
/// libmicrohttpd locks for itself and keeps a suspended connection in memory.
struct ConnectionPointer: @unchecked Sendable {
    let raw: OpaquePointer
}
