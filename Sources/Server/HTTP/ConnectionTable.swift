import CMicroHTTPD
import Glibc
import Synchronization
import System

/// The open connections and until when each must have done its next step. A client that sends or takes one
/// byte now and then does not keep a connection for ever.
final class ConnectionTable: Sendable {
    private let connections = Guarded<[UInt64: OpenConnection]>([:])
    private let counter = Atomic<UInt64>(0)
    let limits: ConnectionLimits
    private let clock: any RunClock

    init(_ limits: ConnectionLimits, clock: any RunClock) {
        self.limits = limits
        self.clock = clock
    }

    /// Number of open connections.
    var count: Int { connections.withLock { $0.count } }

    /// Number of connections that were ever opened.
    var openedCount: UInt64 { counter.load(ordering: .relaxed) }

    func open(_ pointer: ConnectionPointer, descriptor: Int32) -> OpenConnection {
        connections.withLock { connections in
            let number = counter.wrappingAdd(1, ordering: .relaxed).newValue
            let connection = OpenConnection(number: number, pointer, descriptor: descriptor)
            connection.expire(at: clock.nanoseconds() + limits.head)
            connections[number] = connection
            return connection
        }
    }

    /// Called before the descriptor is closed.
    func close(_ connection: OpenConnection) {
        connections.withLock { _ = $0.removeValue(forKey: connection.number) }
    }

    /// The connection of which this thread, its event loop, has read a whole head that is not handled yet.
    func withUnhandledHead(on thread: UInt) -> OpenConnection? {
        connections.withLock { connections in
            connections.values.first {
                $0.isReadingHead(on: thread) && etl_http_head_size($0.pointer.raw) > 0
            }
        }
    }

    /// Ends all connections whose time is over, or whose client has left in the middle of a body. Their event loops notice
    /// it and close them.
    func sweep() {
        let now = clock.nanoseconds()
        connections.withLock { connections in
            for connection in connections.values where connection.isExpired(at: now) || connection.isLeft() {
                // With the lock held the descriptor is still this connection's.
                shutdown(connection.descriptor, Int32(SHUT_RDWR))
            }
        }
    }

    /// Ends everything that connections wait for, so that none is suspended any more.
    func release() {
        // Answering takes other locks, so it happens without this one.
        for connection in connections.withLock({ Array($0.values) }) { connection.work?.release() }
    }

    // MARK: Steps of a connection

    /// The head of a request has arrived.
    func beginRequest(_ connection: OpenConnection, hasBody: Bool) {
        guard hasBody else { return connection.rest() }
        connection.expire(at: clock.nanoseconds() + limits.body)
        connection.body.begin()
    }

    /// So many bytes of a body have arrived since `began`.
    func noteBody(_ connection: OpenConnection, bytes: Int, since began: UInt64) {
        connection.expire(at: began + limits.body + limits.time(for: bytes))
        connection.body.note(bytes)
    }

    /// A body is not read until its receiver has room.
    func holdBody(_ connection: OpenConnection) { connection.body.end() }

    /// The body is complete; the client waits for us.
    func endBody(_ connection: OpenConnection) {
        connection.body.end()
        connection.rest()
    }

    /// A response of a size is sent; nil for a stream, which has no time limit.
    func beginResponse(_ connection: OpenConnection, bytes: Int?) {
        connection.body.end()
        guard let bytes else { return connection.rest() }
        connection.expire(at: clock.nanoseconds() + limits.response + limits.time(for: bytes))
    }

    /// The client may send another request.
    func endResponse(_ connection: OpenConnection) {
        connection.body.end()
        connection.expire(at: clock.nanoseconds() + limits.idle)
    }
}

/// Time limits of the parts of an exchange.
package struct ConnectionLimits: Sendable, Hashable {
    /// Nanoseconds for the head of the first request, including a TLS handshake.
    package var head: UInt64 = 10_000_000_000
    /// Nanoseconds for a body, in addition to the time at the lowest rate.
    package var body: UInt64 = 20_000_000_000
    /// Nanoseconds for taking a response, in addition to the time at the lowest rate.
    package var response: UInt64 = 20_000_000_000
    /// Nanoseconds between a response and the end of the next request's head.
    package var idle: UInt64 = 60_000_000_000
    /// Minimum rate of bodies in both directions, in bytes per second.
    package var lowestRate = 16_384

    package init() {}

    /// Nanoseconds that bytes take at the lowest rate.
    func time(for bytes: Int) -> UInt64 {
        let (whole, rest) = bytes.quotientAndRemainder(dividingBy: max(1, lowestRate))
        return UInt64(whole) * 1_000_000_000 + UInt64(rest) * 1_000_000_000 / UInt64(max(1, lowestRate))
    }
}

/// An open connection.
final class OpenConnection: Sendable {
    let number: UInt64
    let pointer: ConnectionPointer
    let descriptor: Int32
    /// Nanoseconds of the monotonic clock; never if nothing is expected of the client.
    private let deadline = Atomic<UInt64>(.max)
    private let current = Guarded<(any Releasable)?>(nil)
    private let target = Atomic<Int>(0)
    private let queryByte = Atomic<UInt8>(0)
    let body = AwaitedBody()
    /// The thread of its event loop, from the target of a request to the end of its head; else 0.
    private let reader = Atomic<UInt>(0)

    init(number: UInt64, _ pointer: ConnectionPointer, descriptor: Int32) {
        self.number = number
        self.pointer = pointer
        self.descriptor = descriptor
    }

    /// Work that the connection may be suspended for.
    var work: (any Releasable)? {
        get { current.withLock { $0 } }
        set { current.withLock { $0 = newValue } }
    }

    /// The target of a request has arrived, and its head follows.
    ///
    /// Hides the query: libmicrohttpd would list each parameter in the memory that the head of the answer needs.
    func beginHead(_ text: UnsafePointer<CChar>, on thread: UInt) {
        let bytes = UnsafeRawBufferPointer(start: text, count: strlen(text))
        target.store(bytes.firstIndex { !RequestHead.isVisible($0) } ?? bytes.count, ordering: .relaxed)
        queryByte.store(0, ordering: .relaxed)
        if let mark = bytes.firstIndex(of: UInt8(ascii: "?")), mark + 1 < bytes.count {
            queryByte.store(bytes[mark + 1], ordering: .relaxed)
            UnsafeMutablePointer(mutating: text)[mark + 1] = 0
        }
        reader.store(thread, ordering: .relaxed)
    }

    func isReadingHead(on thread: UInt) -> Bool { reader.load(ordering: .relaxed) == thread }

    /// The head has arrived, or never will.
    func endHead() { reader.store(0, ordering: .relaxed) }

    /// The target of the request whose head has arrived, up to the first byte that must be escaped.
    ///
    /// - Parameter path: The same text as that of ``beginHead(_:on:)``, cut off where its query begins.
    func target(_ path: UnsafePointer<CChar>) -> UnsafeRawBufferPointer {
        let mark = strlen(path)
        let count = target.load(ordering: .relaxed)
        if count > mark {
            let text = UnsafeMutablePointer(mutating: path)
            text[mark] = CChar(bitPattern: UInt8(ascii: "?"))
            let byte = queryByte.load(ordering: .relaxed)
            if byte != 0 { text[mark + 1] = CChar(bitPattern: byte) }
        }
        return UnsafeRawBufferPointer(start: path, count: count)
    }

    func expire(at instant: UInt64) { deadline.store(instant, ordering: .relaxed) }
    func rest() { deadline.store(.max, ordering: .relaxed) }
    func isExpired(at now: UInt64) -> Bool { deadline.load(ordering: .relaxed) < now }

    /// Whether its client has left in the middle of a body, and nothing has arrived since the last call.
    ///
    /// libmicrohttpd misses it if the last bytes and the end of the connection arrive together: with
    /// edge-triggered events, it does not read again after a short read.
    func isLeft() -> Bool {
        body.isAwaited && body.isLast(isEnded: etl_http_is_ended(descriptor) != 0)
    }
}

/// The body that a connection's client sends now.
final class AwaitedBody: Sendable {
    /// Bytes that have arrived; -1 if nothing is awaited.
    private let received = Atomic<Int>(-1)
    /// Bytes that had arrived when the connection was found to have ended; -1 if it was not.
    private let last = Atomic<Int>(-1)

    var isAwaited: Bool { received.load(ordering: .relaxed) >= 0 }

    func begin() { received.store(0, ordering: .relaxed) }

    /// So many bytes have arrived.
    func note(_ bytes: Int) { received.store(bytes, ordering: .relaxed) }

    /// Nothing is awaited: the body is complete or given up, or its receiver is busy.
    func end() {
        received.store(-1, ordering: .relaxed)
        last.store(-1, ordering: .relaxed)
    }

    /// Whether no more bytes can arrive: the connection has ended, and none have come since an earlier call found that. In
    /// between, the event loop has had time to pass on what it had read.
    func isLast(isEnded: Bool) -> Bool {
        let count = isEnded ? received.load(ordering: .relaxed) : -1
        return last.exchange(count, ordering: .relaxed) == count && count >= 0
    }
}

/// Work that a connection may be suspended for.
protocol Releasable: Sendable {
    /// Ends it. The connection must not be suspended for it again.
    func release()
}
