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
    private let daemon = Guarded<ConnectionPointer?>(nil)

    /// Starts to listen.
    ///
    /// - Parameter socket: A listening socket, which the server closes.
    /// - Throws: `.configuration` if the certificate or its key cannot be used, `.temporary` if the process may
    ///   not have more threads or descriptors.
    package init(
        _ socket: Int32, _ settings: Settings = Settings(), clock: any RunClock = SystemClock(),
        handler: any RequestHandler
    ) throws(ETLError) {
        loops = EventLoops(handler, ConnectionTable(settings.limits, clock: clock), clock)
        var raw = loops.settings
        raw.socket = socket
        raw.threads = UInt32(max(2, settings.threads))
        raw.connections = UInt32(settings.connections)
        raw.connections_per_address = UInt32(settings.connectionsPerAddress)
        // The same memory holds the head of the response.
        raw.memory = settings.headBytes + 16_384
        // The table's deadlines are shorter wherever something is expected of the client.
        raw.idle_seconds = 120
        guard let started = Self.start(&raw, settings.tls) else {
            throw settings.tls == nil
                ? ETLError(
                    .temporary, "The server cannot be started: \(String(cString: strerror(errno))).")
                : ETLError(
                    .configuration, "The server cannot be started with this certificate and key.",
                    advice: "Both must be PEM files, and the key must belong to the first certificate.")
        }
        daemon.withLock { $0 = ConnectionPointer(raw: started) }
    }

    private static func start(
        _ raw: inout etl_http_settings, _ tls: (certificate: String, key: String)?
    ) -> OpaquePointer? {
        guard let tls else { return etl_http_start(&raw) }
        return tls.key.withCString { key in
            tls.certificate.withCString { certificate in
                (raw.key, raw.certificate) = (key, certificate)
                return etl_http_start(&raw)
            }
        }
    }

    /// Number of open connections.
    package var connectionCount: Int { loops.connections.count }

    /// Ends connections whose clients are too slow. Call it about once a second.
    package func sweep() { loops.connections.sweep() }

    /// Accepts no further connections. Requests under way go on.
    package func quiesce() {
        daemon.withLock { daemon in
            guard let daemon else { return }
            let socket = MHD_quiesce_daemon(daemon.raw)
            if socket >= 0 { close(socket) }
        }
    }

    /// Answers requests under way with 503, ends streams, closes all connections and ends the threads. No
    /// connection may be a WebSocket any more.
    package func stop() {
        loops.release()
        let running = daemon.withLock { daemon in
            defer { daemon = nil }
            return daemon
        }
        if let running { MHD_stop_daemon(running.raw) }
    }

    deinit { stop() }
}
