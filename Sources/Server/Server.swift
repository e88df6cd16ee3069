import Glibc
package import System

/// A running server: `etl serve`, without a terminal.
package final class Server: Sendable {
    package let backend: Backend
    /// The port it listens on.
    package let port: UInt16
    private let http: HTTPServer
    private let ticker: Ticker

    /// Starts to answer requests and to run jobs.
    ///
    /// - Parameters:
    ///   - socket: A listening socket, which the server closes.
    ///   - file: The file of the tokens, which is read again when it changes; nil if they do not change.
    ///   - whileAlive: Called twice a second while the event loops and the threads of jobs work.
    package init(
        _ settings: ServerSettings, on socket: Int32, tokens: ServerTokens = ServerTokens(),
        watching file: WatchedTokens? = nil, clock: any RunClock = SystemClock(),
        whileAlive: @escaping @Sendable () -> Void = {}
    ) async throws(ETLError) {
        let authentication = Authentication(tokens, in: file?.file, clock: clock)
        let backend = try await Backend(settings, authentication, clock: clock)
        let middleware = Middleware(RouteList.all, backend)
        let http = try HTTPServer(socket, settings.http, clock: clock, handler: middleware)
        self.backend = backend
        self.http = http
        port = ListeningSocket.port(of: socket) ?? 0
        ticker = try Ticker(every: 500) {
            backend.tick()
            file?.look(for: authentication)
            http.sweep()
            if http.isAlive, backend.jobs.isAlive() { whileAlive() }
        }
        backend.jobs.start()
    }

    /// Uses other tokens, and another certificate and key for new connections.
    ///
    /// - Throws: `.configuration` if the certificate or its key cannot be used. Everything stays as it was.
    package func renew(tokens: ServerTokens, _ tls: (certificate: String, key: String)?) throws(ETLError) {
        if tls != nil { try http.renew(tls) }
        backend.authentication.renew(tokens)
    }

    /// Stops: accepts no further connections, lets the running job commit and pause, and closes everything. Jobs that
    /// are not done go on when a server is started again.
    package func stop() async {
        http.quiesce()
        backend.lookUps.stop()
        await backend.nightly?.stop()
        await backend.covers?.stop()
        await backend.jobs.stop()
        await backend.webhook?.stop()
        await backend.search.stop()
        await backend.vectors?.stop()
        await backend.sockets.stop()
        ticker.stop()
        http.stop()
        backend.jobs.release()
        backend.settings.log?.stop()
    }
}
