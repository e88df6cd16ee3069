import BooksTrack
import Foundation
import LinuxTransport
import System
import TestSupport
import Testing
import WebSocket

@testable import Server

/// Sends back every message, over the server's own handshake and codec: suites that test WebSockets need that, and the
/// service never does it.
private final class EchoServer: RequestHandler {
    /// Maximum length of a message in such suites.
    private static let messageBytes: UInt64 = 32 << 20
    /// How long a connection may do nothing, in milliseconds.
    private static let timeout: Int32 = 10_000

    let whenStopping = Response(503, text: "stopping", type: "text/plain")
    func refusal(of head: HeadFault) -> Response { Response(400, .bytes([])) }

    func begin(_ exchange: Exchange) -> (any BodyReceiver)? {
        guard case .success(let fields) = Handshake.fields(for: exchange.head) else {
            exchange.answer(Response(400, text: "no handshake", type: "text/plain"))
            return nil
        }
        let adopt: @Sendable (UpgradedConnection) -> Void = { connection in
            guard SystemThread.start({ Self.serve(connection) }) else { return connection.close() }
        }
        exchange.answer(Response(101, .upgrade(adopt: adopt), fields: fields))
        return nil
    }

    func end(_ exchange: Exchange, status: Int?, isComplete: Bool) {}

    private static func serve(_ connection: UpgradedConnection) {
        defer { connection.close() }
        let descriptor = connection.descriptor
        guard
            let codec = FrameCodec(
                SocketConnection(connection), as: .server, messageBytes: messageBytes)
        else { return }
        repeat {
            for case .message(let bytes, let isText) in codec.read() { codec.queue(bytes, isText: isText) }
            codec.write()
        } while !codec.isOver && waits(descriptor, POLLIN | (codec.isIdle ? 0 : POLLOUT))
        guard !codec.isLost, !codec.isEnded else { return }
        codec.finish()
        while codec.discard(), waits(descriptor, POLLIN) {}
    }

    private static func waits(_ descriptor: Int32, _ events: Int32) -> Bool {
        var ready = pollfd(fd: descriptor, events: Int16(events), revents: 0)
        return poll(&ready, 1, timeout) > 0
    }
}

private let suitePort = ProcessInfo.processInfo.environment["ETL_ECHO_PORT"].flatMap { UInt16($0) }

@Suite(.ownThread) struct EchoServerTests {
    private static func start(port: UInt16) throws -> (server: HTTPServer, port: UInt16) {
        let socket = try ListeningSocket.open(at: .init(address: "127.0.0.1", port: port))
        let chosen = try #require(ListeningSocket.port(of: socket))
        return (try HTTPServer(socket, clock: SystemClock(), handler: EchoServer()), chosen)
    }

    @Test func `texts and bytes come back as they are`() throws {
        let (server, port) = try Self.start(port: 0)
        let socket = try WebSocketClient(RawClient(port: port), "/")
        for (opcode, payload) in [(1, Array("é".utf8)), (2, [0xFF, 0]), (1, []), (2, [])]
            as [(UInt8, [UInt8])]
        {
            try socket.client.send(WebSocketClient.frame(payload, opcode: opcode))
            #expect(try socket.next() == .init(opcode: opcode, payload: payload))
        }
        try socket.client.send(WebSocketClient.frame([0x03, 0xE8], opcode: 8))
        #expect(try socket.next().closeCode == 1_000)
        // A WebSocket that is closed after its server has stopped would use what is gone.
        socket.client.finish()
        while server.connectionCount > 0 { sched_yield() }
        server.stop()
    }

    /// Sends texts with the Swift client, and reads what comes back.
    private static func echo(_ texts: [String], _ address: String) async throws
        -> [String]
    {
        let socket = CurlTransport().openSocket(
            TransportRequest(method: "GET", url: try #require(URL(string: address))))
        for text in texts { socket.send(text) }
        var echoes: [String] = []
        for try await message in socket.messages {
            echoes.append(String(decoding: message, as: UTF8.self))
            if echoes.count == texts.count { break }
        }
        return echoes
    }

    /// A server that is not stopped: who leaves last is not known, and WebSockets must be closed before it is.
    private static let unending = Result { try start(port: 0) }

    private static let texts = [
        "", "é", String(repeating: "x", count: 200), String(repeating: "ü", count: 20_000),
    ]

    @Test func `the Swift client sends and receives texts of any length`() async throws {
        let (_, port) = try Self.unending.get()
        let echoes = try await Self.echo(Self.texts, "http://127.0.0.1:\(port)/a?b=c")
        #expect(echoes == Self.texts)
    }

    /// `Tests/Conformance/run` starts it and ends it with a signal.
    @Test(.enabled(if: suitePort != nil, "needs ETL_ECHO_PORT, the port for a conformance suite"))
    func `it serves a conformance suite until it is killed`() async throws {
        let (server, _) = try Self.start(port: try #require(suitePort))
        while !Task.isCancelled { await SystemClock().sleep(nanoseconds: 1_000_000_000) }
        server.stop()
    }
}
