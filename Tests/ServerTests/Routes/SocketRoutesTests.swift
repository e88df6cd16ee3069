import Foundation
import System
import TestSupport
import Testing

@testable import Server

/// The WebSocket over a real connection.
@Suite(.ownThread) struct SocketRoutesTests {
    /// A server on which a job waits: a program that uses the store is in its way.
    private struct Waiting {
        let running: RunningServer
        let lock: HeldLock
        let job: String
        let token: String

        init() async throws {
            running = try await RunningServer(importing: true)
            lock = HeldLock()
            try #require(lock.take(running.store))
            (job, token) = try running.accepted(RunningServer.export)
        }

        var target: String { "/ws/progress?jobId=\(job)&token=\(token)" }

        func socket(_ more: String = "", _ fields: [(String, String)] = []) throws -> WebSocketClient {
            try WebSocketClient(try running.client(), target + more, fields)
        }
    }

    @Test func `a client that is ready is told everything, and the connection is closed with 1000`()
        async throws
    {
        let waiting = try await Waiting()
        let socket = try waiting.socket()
        #expect(socket.head.status == 101)
        try socket.send(#"{"type":"ready"}"#)
        #expect(try socket.next().type == "ready_ack")
        waiting.lock.release()
        let frames = try socket.rest()
        #expect(frames.compactMap(\.type).first == "job_started")
        #expect(frames.compactMap(\.type).last == "job_complete")
        #expect(frames.last?.closeCode == 1_000)
        for frame in frames.dropLast() {
            let message = try frame.json()
            #expect(message["jobId"] as? String == waiting.job && message["version"] as? String == "1.0.0")
            #expect(frame.payload.count < 1_024)
        }
        await waiting.running.server.stop()
    }

    @Test func `the token may be among the protocols, and data is as good as text`() async throws {
        let waiting = try await Waiting()
        let socket = try WebSocketClient(
            try waiting.running.client(), "/ws/progress?jobId=\(waiting.job)",
            [("Sec-WebSocket-Protocol", "bearer, \(waiting.token)")])
        #expect(socket.head.fields["sec-websocket-protocol"] == "bearer")
        try socket.client.send(WebSocketClient.frame(Array(#"{"type":"ready"}"#.utf8), opcode: 2))
        #expect(try socket.next().type == "ready_ack")
        waiting.lock.release()
        await waiting.running.server.stop()
    }

    @Test func `frames sent with the handshake are read`() async throws {
        let waiting = try await Waiting()
        let ready = WebSocketClient.frame(Array(#"{"type":"ready"}"#.utf8))
        let socket = try WebSocketClient(try waiting.running.client(), waiting.target, early: ready)
        #expect(try socket.next().type == "ready_ack")
        waiting.lock.release()
        await waiting.running.server.stop()
    }

    private static let refused: [(target: String, origin: String?)] = [
        ("/ws/progress?jobId=JOB&token=wrong", nil), ("/ws/progress?jobId=JOB", nil),
        ("/ws/progress?jobId=other&token=TOKEN", nil), ("/ws/progress", nil),
        ("/ws/progress?jobId=JOB&token=TOKEN", "https://evil.example"),
        ("/ws/progress?jobId=JOB&token=TOKEN", "null"),
    ]

    @Test(arguments: refused)
    func `without the right token, or from another site, the connection is closed with 1008`(
        target: String, origin: String?
    ) async throws {
        let waiting = try await Waiting()
        let place = target.replacing("JOB", with: waiting.job).replacing("TOKEN", with: waiting.token)
        let socket = try WebSocketClient(
            try waiting.running.client(), place, origin.map { [("Origin", $0)] } ?? [])
        #expect(try socket.next().closeCode == 1_008)
        waiting.lock.release()
        await waiting.running.server.stop()
    }

    @Test func `canceling over the WebSocket cancels the job and closes with 1001`() async throws {
        let waiting = try await Waiting()
        let socket = try waiting.socket()
        try socket.send(#"{"type":"ready"}"#)
        try socket.send(#"{"type":"cancel"}"#)
        let frames = try socket.rest()
        let payload = try #require(try frames.dropLast().last?.json()["payload"] as? [String: Any])
        #expect(payload["type"] as? String == "error" && payload["code"] as? String == "JOB_CANCELED")
        #expect(payload["retryable"] as? Bool == false)
        #expect(frames.last?.closeCode == 1_001)
        // The stream calls it by its name.
        let event = try #require(try waiting.running.wait(for: waiting.job, waiting.token).last)
        #expect(event.event == "canceled")
        #expect((event.data["payload"] as? [String: Any])?["code"] as? String == "JOB_CANCELED")
        let status = try waiting.running.request("GET", "/v1/jobs/\(waiting.job)?token=\(waiting.token)")
        #expect(try (status.json()["data"] as? [String: Any])?["status"] as? String == "canceled")
        waiting.lock.release()
        await waiting.running.server.stop()
    }

    @Test func `a client that reconnects gets the state`() async throws {
        let waiting = try await Waiting()
        let socket = try waiting.socket("&reconnect=true")
        let message = try socket.next().json()
        #expect(message["type"] as? String == "reconnected")
        let payload = try #require(message["payload"] as? [String: Any])
        #expect(payload["progress"] as? Double == 0)
        #expect(payload["totalCount"] as? Int != nil && payload["lastUpdate"] as? Int != nil)
        waiting.lock.release()
        #expect(try socket.rest().last?.closeCode == 1_000)
        // Afterwards too.
        let late = try waiting.socket("&reconnect=true")
        let frames = try late.rest()
        #expect(frames.compactMap(\.type) == ["reconnected", "job_complete"])
        await waiting.running.server.stop()
    }

    @Test func `a message over 32 KiB is refused with 1009`() async throws {
        let waiting = try await Waiting()
        let socket = try waiting.socket()
        try? socket.client.send(WebSocketClient.frame([UInt8](repeating: 32, count: 32_769)))
        #expect(try socket.next().closeCode == 1_009)
        waiting.lock.release()
        await waiting.running.server.stop()
    }

    @Test func `too many connections are closed with 1013`() async throws {
        let running = try await RunningServer { $0.socketLimit = 1 }
        let (job, token) = try running.accepted(RunningServer.export)
        try running.wait(for: job, token)
        let target = "/ws/progress?jobId=\(job)&token=\(token)"
        let first = try WebSocketClient(try running.client(), target)
        // Once it is answered, the server counts it.
        try first.send(#"{"type":"ready"}"#)
        #expect(try first.next().type == "ready_ack")
        let second = try WebSocketClient(try running.client(), target)
        #expect(try second.next().closeCode == 1_013)
        await running.server.stop()
    }

    @Test func `a server that stops closes with 1001`() async throws {
        let running = try await RunningServer()
        let (job, token) = try running.accepted(RunningServer.export)
        try running.wait(for: job, token)
        let socket = try WebSocketClient(try running.client(), "/ws/progress?jobId=\(job)&token=\(token)")
        await running.server.stop()
        #expect(try socket.next().closeCode == 1_001)
    }

    @Test func `a request that is no handshake is told what is missing`() async throws {
        let running = try await RunningServer()
        let answer = try running.request("GET", "/ws/progress?jobId=a&token=b")
        #expect(answer.status == 426)
        #expect(answer.fields["sec-websocket-version"] == "13")
        await running.server.stop()
    }
}

/// Frames as RFC 6455 requires them, case by case.
@Suite(.ownThread) struct FrameConformanceTests {
    private static let ready = Array(#"{"type":"ready"}"#.utf8)
    private static let unknown = Array(#"{"type":"later"}"#.utf8)

    /// A server with a job that is done, for all cases.
    private static let shared = Task(executorPreference: QueueExecutor(label: "shared")) {
        let running = try await RunningServer()
        let (job, token) = try running.accepted(RunningServer.export)
        try running.wait(for: job, token)
        return (running, job, token)
    }

    /// Sends bytes and returns the frames that come back before the connection ends.
    private static func answers(_ bytes: [UInt8]) async throws -> [WebSocketClient.Frame] {
        let (running, job, token) = try await shared.value
        let socket = try WebSocketClient(try running.client(), "/ws/progress?jobId=\(job)&token=\(token)")
        try socket.client.send(bytes)
        socket.client.finish()
        var frames: [WebSocketClient.Frame] = []
        while let frame = try? socket.next() { frames.append(frame) }
        return frames
    }

    /// 5.5.2: a ping is answered with its own content, also between the parts of a message.
    private static let pings: [(bytes: [UInt8], payload: [UInt8])] = [
        (WebSocketClient.frame(Array("abc".utf8), opcode: 9), Array("abc".utf8)),
        (WebSocketClient.frame([], opcode: 9), []),
        (
            WebSocketClient.frame([UInt8](repeating: 7, count: 125), opcode: 9),
            [UInt8](repeating: 7, count: 125)
        ),
        (between(WebSocketClient.frame(Array("x".utf8), opcode: 9)), Array("x".utf8)),
    ]

    /// A message in two frames, with something between them.
    private static func between(_ bytes: [UInt8]) -> [UInt8] {
        let first = WebSocketClient.frame(Array(#"{"type":"#.utf8), isLast: false)
        let second = WebSocketClient.frame(Array(#""later"}"#.utf8), opcode: 0)
        return first + bytes + second
    }

    @Test(arguments: pings)
    func `pings are answered`(bytes: [UInt8], payload: [UInt8]) async throws {
        #expect(try await Self.answers(bytes).first == .init(opcode: 10, payload: payload))
    }

    private static let messages: [[UInt8]] = {
        func part(_ range: Range<Int>, opcode: UInt8, isLast: Bool = false) -> [UInt8] {
            WebSocketClient.frame(Array(ready[range]), opcode: opcode, isLast: isLast)
        }
        let whole = WebSocketClient.frame(ready)
        let end = ready.count
        return [
            // 5.4: a message in several frames is one message.
            part(0..<3, opcode: 1) + part(3..<8, opcode: 0) + part(8..<end, opcode: 0, isLast: true),
            // Empty frames belong to it too.
            part(0..<0, opcode: 1) + part(0..<end, opcode: 0, isLast: true),
            // 5.5.3: unsolicited pongs are ignored.
            WebSocketClient.frame(Array("x".utf8), opcode: 10) + whole,
            // Messages of unknown types do no harm.
            WebSocketClient.frame(unknown) + whole,
        ]
    }()

    @Test(arguments: messages)
    func `messages are put together`(bytes: [UInt8]) async throws {
        #expect(try await Self.answers(bytes).first?.type == "ready_ack")
    }

    private static let breaches: [(bytes: [UInt8], code: Int)] = [
        // 5.1: a client must mask.
        (WebSocketClient.frame(ready, isMasked: false), 1_002),
        // 5.2: reserved bits and opcodes.
        (WebSocketClient.frame(ready, reserved: 4), 1_002), (WebSocketClient.frame(ready, opcode: 3), 1_002),
        (WebSocketClient.frame(ready, opcode: 11), 1_002),
        // 5.4: a continuation without a beginning, a beginning within a message.
        (WebSocketClient.frame(ready, opcode: 0), 1_002),
        (WebSocketClient.frame(ready, isLast: false) + WebSocketClient.frame(ready), 1_002),
        // 5.5: control frames are whole and short.
        (WebSocketClient.frame([], opcode: 9, isLast: false), 1_002),
        (WebSocketClient.frame([UInt8](repeating: 1, count: 126), opcode: 9), 1_002),
        // 8.1: text is UTF-8.
        (WebSocketClient.frame([0xFF, 0xFE]), 1_007), (WebSocketClient.frame([0xC3]), 1_007),
        // Our own: a message is an object with a type.
        (WebSocketClient.frame(Array("hello".utf8)), 1_002),
    ]

    @Test(arguments: breaches)
    func `what breaks the protocol ends the connection with its code`(bytes: [UInt8], code: Int) async throws
    {
        #expect(try await Self.answers(bytes).compactMap(\.closeCode) == [code])
    }

    private static let closings: [(payload: [UInt8], code: Int)] = [
        ([], 1_005), ([3, 232], 1_000), ([3, 233, 98, 121, 101], 1_001),
    ]

    @Test(arguments: closings)
    func `a closing frame is answered with one`(payload: [UInt8], code: Int) async throws {
        let last = try await Self.answers(WebSocketClient.frame(payload, opcode: 8)).last
        #expect(last?.opcode == 8)
        #expect(last?.closeCode ?? 1_005 == code)
    }

    private static let senseless: [[UInt8]] = [
        [3], [3, 236], [3, 238], [0, 1], [3, 231], [3, 232, 0xFF],
    ]

    @Test(arguments: senseless)
    func `a closing frame that says nothing valid is a breach of the protocol`(payload: [UInt8]) async throws
    {
        let code = try await Self.answers(WebSocketClient.frame(payload, opcode: 8)).last?.closeCode
        #expect(code == 1_002 || code == 1_007)
    }
}
