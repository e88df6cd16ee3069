import CMicroHTTPD
import Glibc
import Pipeline
import Synchronization
package import System

/// Listens on a socket and passes requests to a handler: libmicrohttpd with a few event loops, each on its
/// own thread. No connection has a thread.
package final class HTTPServer: Sendable {
    /// Its listening settings.
    package struct Settings: Sendable {
        /// Event loops, at least 2.
        package var threads = 2
        /// Maximum number of connections; further ones wait until others are closed.
        package var connections = 5_000
        /// Maximum number of connections of one address; 0 for any number.
        package var connectionsPerAddress = 0
        /// Maximum size of a request's head in bytes.
        package var headBytes = 16_384
        /// Certificates and private key, both as PEM; nil for plain HTTP.
        package var tls: (certificate: String, key: String)?
        package var limits = ConnectionLimits()

        package init() {}
    }

    /// Shared state of the event loops. It outlives the daemon, so that no callback keeps the server itself alive and
    /// ends it on an event loop.
    private let loops: EventLoops
    private let settings: Settings
    private let daemons: Guarded<Daemons>
    private let acceptor: Acceptor

    private struct Daemons: Sendable {
        /// The one that gets new connections; nil after ``stop()``.
        var current: ConnectionPointer?
        /// Those that get no more connections, until their last one has ended.
        var former: [ConnectionPointer] = []
    }

    /// Starts to listen.
    ///
    /// - Parameter socket: A listening socket, which the server closes.
    /// - Throws: `.configuration` if the certificate or its key cannot be used, `.temporary` if the process may
    ///   not have more threads or descriptors.
    package init(
        _ socket: Int32, _ settings: Settings = Settings(), clock: any RunClock = SystemClock(),
        handler: any RequestHandler
    ) throws(ETLError) {
        self.settings = settings
        let table = ConnectionTable(settings.limits, clock: clock)
        let acceptor = Acceptor(socket, limit: settings.connections, table)
        let loops = EventLoops(handler, table, headBytes: settings.headBytes, clock) { acceptor.noteRoom() }
        guard let started = Self.start(settings, loops) else { throw Self.failure(settings) }
        let daemons = Guarded(Daemons(current: started))
        (self.acceptor, self.loops, self.daemons) = (acceptor, loops, daemons)
        let isStarted = acceptor.start { socket, address, length in
            var address = address
            return daemons.withLock { daemons in
                guard let current = daemons.current else {
                    close(socket)
                    return false
                }
                return etl_http_add(current.raw, socket, &address, length) != 0
            }
        }
        guard isStarted else {
            MHD_stop_daemon(started.raw)
            throw ETLError(.temporary, "The server cannot be started: no thread can be started.")
        }
    }

    private static func start(_ settings: Settings, _ loops: EventLoops) -> ConnectionPointer? {
        var raw = loops.settings
        raw.threads = UInt32(max(2, settings.threads))
        // Never reached: the acceptor counts them.
        raw.connections = UInt32(settings.connections) + 1_024
        raw.connections_per_address = UInt32(settings.connectionsPerAddress)
        // The same memory holds the head of the response.
        raw.memory = settings.headBytes + 16_384
        // The table's deadlines are shorter wherever something is expected of the client.
        raw.idle_seconds = 120
        guard let tls = settings.tls else { return etl_http_start(&raw).map(ConnectionPointer.init(raw:)) }
        return tls.key.withCString { key in
            tls.certificate.withCString { certificate in
                (raw.key, raw.certificate) = (key, certificate)
                return etl_http_start(&raw).map(ConnectionPointer.init(raw:))
            }
        }
    }

    private static func failure(_ settings: Settings) -> ETLError {
        settings.tls == nil
            ? ETLError(.temporary, "The server cannot be started: \(String(cString: strerror(errno))).")
            : ETLError(
                .configuration, "The server cannot be started with this certificate and key.",
                advice: "Both must be PEM files, and the key must belong to the first certificate.")
    }

    /// Uses another certificate and key for new connections. Open ones go on with those they began with.
    ///
    /// - Throws: Like the initializer; the server goes on with what it has.
    package func renew(_ tls: (certificate: String, key: String)?) throws(ETLError) {
        var settings = settings
        settings.tls = tls
        // libmicrohttpd reads a certificate only when it starts, so that another daemon gets the new connections.
        let failure = daemons.withLock { daemons -> ETLError? in
            guard let former = daemons.current else { return nil }
            guard let started = Self.start(settings, loops) else { return Self.failure(settings) }
            daemons.former.append(former)
            daemons.current = started
            return nil
        }
        if let failure { throw failure }
    }

    /// Number of open connections.
    package var connectionCount: Int { loops.connections.count }

    /// Number of daemons whose connections go on after ``renew(_:)``.
    var formerCount: Int { daemons.withLock { $0.former.count } }

    /// Liveness of the event loops.
    package var isAlive: Bool { loops.isAlive }

    /// Ends connections whose clients are too slow. Call it about once a second.
    package func sweep() {
        loops.connections.sweep()
        // A connection that is on its way to an event loop is not counted by libmicrohttpd.
        guard acceptor.pendingCount == 0 else { return }
        let idle = daemons.withLock { daemons in
            let idle = daemons.former.filter { etl_http_connection_count($0.raw) == 0 }
            daemons.former.removeAll { former in idle.contains { $0.raw == former.raw } }
            return idle
        }
        for daemon in idle { MHD_stop_daemon(daemon.raw) }
    }

    /// Accepts no further connections. Requests under way go on.
    package func quiesce() { acceptor.stop() }

    /// Answers requests under way with 503, ends streams, closes all connections and ends the threads. No
    /// connection may be a WebSocket any more.
    package func stop() {
        acceptor.stop()
        loops.release()
        let running = daemons.withLock { daemons in
            defer { (daemons.current, daemons.former) = (nil, []) }
            return daemons.former + (daemons.current.map { [$0] } ?? [])
        }
        for daemon in running { MHD_stop_daemon(daemon.raw) }
    }

    deinit { stop() }
}
