import Foundation
import System
import TestSupport
import Testing

@testable import Server

/// Answers as each path says. Later work runs on its own queue: when all tests run at once, the cooperative pool has
/// something else to do for minutes.
private final class Echo: RequestHandler {
    private let later = DispatchQueue(label: "echo")
    /// Bytes of bodies so far.
    private let received = Guarded(0)

    /// Collects a body and answers with its length.
    private final class Counter: BodyReceiver {
        private let exchange: Exchange
        private let echo: Echo
        private let count = Guarded(0)
        private let pauses: Bool

        init(_ exchange: Exchange, _ echo: Echo, pauses: Bool) {
            self.exchange = exchange
            self.echo = echo
            self.pauses = pauses
        }

        func receive(_ bytes: UnsafeRawBufferPointer) -> Bool {
            let added = bytes.count
            count.withLock { $0 += added }
            echo.received.withLock { $0 += added }
            guard pauses else { return true }
            echo.later.async { [exchange] in exchange.receiveMore() }
            return false
        }

        func finish() {
            exchange.answer(Response(200, text: "\(count.withLock { $0 })", type: "text/plain"))
        }

        func abandon() {}
    }

    /// Sends numbers, one each time it is woken.
    private final class Numbers: ResponseStream {
        private let queue: DispatchQueue
        private let next = Guarded(0)
        private let sent = Guarded(0)

        init(on queue: DispatchQueue) { self.queue = queue }

        func begin(_ reader: StreamReader) {
            for _ in 0..<10 {
                queue.async { [self] in
                    next.withLock { $0 += 1 }
                    reader.wake()
                }
            }
        }

        func read(into buffer: UnsafeMutableRawBufferPointer) -> StreamStep {
            let available = next.withLock { $0 }
            let number = sent.withLock { sent -> Int? in
                guard sent < available else { return nil }
                sent += 1
                return sent
            }
            guard let number else { return available == 10 ? .ended : .waiting }
            let text = Array("\(number);".utf8)
            buffer.copyBytes(from: text)
            return .bytes(text.count)
        }

        func end() {}
    }

    let ended = Guarded<[Int?]>([])
    /// Number of requests whose clients were seen to leave.
    let abandoned = Guarded(0)
    let whenStopping = Response(503, text: "stopping", type: "text/plain")

    func refusal(of head: HeadFault) -> Response {
        Response(head == .tooLarge ? 431 : 400, text: "\(head)", type: "text/plain")
    }

    func begin(_ exchange: Exchange) -> (any BodyReceiver)? {
        switch exchange.head.path {
        case "/now": exchange.answer(Response(200, text: "now", type: "text/plain"))
        case "/later":
            later.async { exchange.answer(Response(200, text: "later", type: "text/plain")) }
        case "/numbers": exchange.answer(Response(200, .stream(Numbers(on: later))))
        case "/count": return Counter(exchange, self, pauses: false)
        case "/slowly": return Counter(exchange, self, pauses: true)
        case "/received":
            exchange.answer(Response(200, text: "\(received.withLock { $0 })", type: "text/plain"))
        case "/never": break
        case "/until-gone":
            later.async { [self] in
                while !exchange.isAbandoned { sched_yield() }
                abandoned.withLock { $0 += 1 }
                exchange.answer(Response(499, .bytes([])))
            }
        case "/upgrade":
            let adopt: @Sendable (UpgradedConnection) -> Void = { connection in
                let bytes = Array("hello".utf8)
                _ = send(connection.descriptor, bytes, bytes.count, Int32(MSG_NOSIGNAL))
                connection.close()
            }
            exchange.answer(Response(101, .upgrade(adopt: adopt), fields: [("Upgrade", "words")]))
        default:
            let query = (try? exchange.head.parameters()) ?? []
            let text = "\(exchange.head.path) \(query.map { "\($0.name)=\($0.value)" }) \(exchange.peer)"
            exchange.answer(Response(404, text: text, type: "text/plain"))
        }
        return nil
    }

    func end(_ exchange: Exchange, status: Int?, isComplete: Bool) { ended.withLock { $0.append(status) } }
}

@Suite(.ownThread) struct HTTPServerTests {
    private let handler = Echo()
    private let clock = ManualClock()
    private let server: HTTPServer
    private let port: UInt16

    init() throws {
        let socket = try ListeningSocket.open(at: .init(address: "127.0.0.1", port: 0))
        port = try #require(ListeningSocket.port(of: socket))
        server = try HTTPServer(socket, clock: clock, handler: handler)
    }

    private func client() throws -> RawClient { try RawClient(port: port) }

    @Test func `an answer comes at once, or later from another thread`() throws {
        let client = try client()
        #expect(try client.request("GET", "/now").text == "now")
        #expect(try client.request("GET", "/later").text == "later")
        #expect(try client.request("HEAD", "/now").fields["content-length"] == "3")
        #expect(try client.request("GET", "/now").text == "now")
    }

    @Test func `requests sent without waiting are answered in order`() throws {
        let client = try client()
        try client.send("GET /later HTTP/1.1\nHost: a\n\nGET /now HTTP/1.1\nHost: a\n\n")
        #expect(try client.answer().text == "later")
        #expect(try client.answer().text == "now")
    }

    @Test func `path and query reach the handler as they were sent`() throws {
        let answer = try client().request("GET", "/a%2Fb%20c?x=1&y=a+b%26c&y=&z")
        #expect(answer.text == #"/a%2Fb%20c ["x=1", "y=a b&c", "y=", "z="] 127.0.0.1"#)
    }

    @Test(arguments: ["/count", "/slowly"])
    func `a body arrives in pieces, whole`(path: String) throws {
        let client = try client()
        let body = [UInt8](repeating: 7, count: 1_000_000)
        #expect(try client.request("POST", path, body: body).text == "1000000")
        #expect(try client.request("POST", path, body: []).text == "0")
        try client.send("POST \(path) HTTP/1.1\nHost: a\nTransfer-Encoding: chunked\n\n")
        try client.send("3\nabc\n10\n0123456789abcdef\n0\n\n")
        #expect(try client.answer().text == "19")
    }

    @Test func `a stream rests until it is woken, and ends`() throws {
        let client = try client()
        #expect(try client.request("GET", "/numbers").text == "1;2;3;4;5;6;7;8;9;10;")
        #expect(try client.request("GET", "/now").text == "now")
    }

    @Test func `a connection can be taken over`() throws {
        let client = try client()
        try client.send("GET /upgrade HTTP/1.1\nHost: a\nConnection: Upgrade\nUpgrade: words\n\n")
        #expect(try client.head().status == 101)
        #expect(String(decoding: try client.rest(), as: UTF8.self) == "hello")
    }

    @Test func `a head that does not come to its end is cut off after its time`() throws {
        let client = try client()
        try client.send("GET /now HTTP/1.1\nHost: a\nX: ")
        let other = try self.client()
        // Each event loop accepts connections when it gets to it.
        while server.connectionCount < 2 { _ = try other.request("GET", "/now") }
        #expect(try other.request("GET", "/now").text == "now")
        clock.block(nanoseconds: 10_500_000_000)
        server.sweep()
        #expect(try client.isClosed())
        // It has had its answer and may rest longer.
        #expect(try other.request("GET", "/now").text == "now")
        clock.block(nanoseconds: 60_500_000_000)
        server.sweep()
        #expect(try other.isClosed())
    }

    @Test func `a body below the lowest rate is cut off, others have their time`() throws {
        let (slow, fast) = (try client(), try client())
        try slow.send("POST /count HTTP/1.1\nHost: a\nContent-Length: 1000000\n\nabc")
        try fast.send("POST /count HTTP/1.1\nHost: a\nContent-Length: 1000000\n\n")
        try fast.send([UInt8](repeating: 1, count: 900_000))
        // Until the server has read both.
        while try client().request("GET", "/received").text != "900003" {}
        clock.block(nanoseconds: 30_000_000_000)
        server.sweep()
        #expect(try slow.isClosed())
        try fast.send([UInt8](repeating: 1, count: 100_000))
        #expect(try fast.answer().text == "1000000")
    }

    /// The end of a connection that arrives with the last bytes is easily overlooked.
    @Test func `a body whose client has left is given up, one whose client only says that it was all is not`()
        throws
    {
        let head = "POST /count HTTP/1.1\r\nHost: a\r\nContent-Length: 1000\r\n\r\n"
        for size in [1, 100, 999] {
            for _ in 0..<20 {
                try client().send(Array(head.utf8) + [UInt8](repeating: 1, count: size))
            }
        }
        while try client().request("GET", "/received").text != "22000" {}
        while server.connectionCount > 0 { server.sweep() }
        let whole = try client()
        try whole.send(Array(head.utf8) + [UInt8](repeating: 1, count: 1_000))
        whole.finish()
        #expect(try whole.answer().text == "1000")
    }

    /// Heads from a bit below the limit to where libmicrohttpd's memory ends, with fields of different sizes.
    @Test(arguments: [4, 20, 100, 1_000, 5_000])
    func `a head of any size gets exactly one answer`(field: Int) throws {
        for size in stride(from: 4_000, through: 40_000, by: 1_000) {
            let client = try client()
            let line = String(repeating: "x", count: field - 3) + ":\r\n"
            let head =
                "GET /now HTTP/1.1\r\nHost: a\r\nConnection: close\r\n"
                + String(repeating: line, count: size / field)
            try? client.send(Array("\(head)\r\n".utf8))
            let answers = String(decoding: try client.rest(), as: UTF8.self)
            let isPlain = head.utf8.count + 2 <= 16_384 && size / field + 2 <= 128
            #expect(
                answers.components(separatedBy: "HTTP/1.1 ").count == 2, "\(size): \(answers.prefix(200))")
            #expect(answers.hasPrefix(isPlain ? "HTTP/1.1 200 " : "HTTP/1.1 431 "), "\(size)")
        }
    }

    @Test(arguments: ["/now?a", "/now?a=b"])
    func `a query has any number of parameters`(target: String) throws {
        let client = try client()
        let query = String(repeating: "&a", count: 5_000)
        #expect(try client.request("GET", "\(target)\(query)").text == "now")
        #expect(try client.request("GET", target).text == "now")
    }

    @Test func `a client sends any number of cookies`() throws {
        let client = try client()
        let cookies = String(repeating: "a; ", count: 5_000)
        #expect(try client.request("GET", "/now", [("Cookie", cookies)]).text == "now")
        #expect(try client.request("GET", "/now", [("Cookie", "a=b")]).text == "now")
    }

    @Test func `the listener is renewed while open connections go on`() throws {
        let former = try client()
        #expect(try former.request("GET", "/now").text == "now")
        try server.renew(nil)
        let later = try client()
        #expect(try later.request("GET", "/later").text == "later")
        #expect(try former.request("GET", "/later").text == "later")
        server.sweep()
        #expect(server.formerCount == 1)
        clock.block(nanoseconds: 60_500_000_000)
        // The later client has just asked, the former one has not.
        #expect(try later.request("GET", "/now").text == "now")
        server.sweep()
        #expect(try former.isClosed())
        while server.formerCount > 0 { server.sweep() }
        #expect(try later.request("GET", "/now").text == "now")
        #expect(try client().request("GET", "/now").text == "now")
    }

    @Test func `a response to HEAD ends with its head, also that of a stream`() throws {
        let client = try client()
        try client.send(
            "HEAD /numbers HTTP/1.1\nHost: a\n\nGET /now HTTP/1.1\nHost: a\nConnection: close\n\n")
        let answers = String(decoding: try client.rest(), as: UTF8.self).components(separatedBy: "\r\n\r\n")
        #expect(
            answers.count == 3 && answers[1].hasPrefix("HTTP/1.1 200 ") && answers[2] == "now", "\(answers)")
    }

    @Test func `a certificate that cannot be used changes nothing`() throws {
        #expect(throws: ETLError.self) { try server.renew((certificate: "x", key: "y")) }
        #expect(try client().request("GET", "/now").text == "now" && server.formerCount == 0)
    }

    @Test func `work learns that its client has left, though its connection is not read`() throws {
        do {
            let client = try client()
            try client.send("GET /until-gone HTTP/1.1\nHost: a\n\n")
            #expect(try self.client().request("GET", "/now").text == "now")
            #expect(handler.abandoned.withLock { $0 } == 0)
        }
        while handler.abandoned.withLock({ $0 }) == 0 { sched_yield() }
        // Without a status if the client left before its connection was suspended: then libmicrohttpd noticed it itself.
        while !handler.ended.withLock({ $0.contains(499) || $0.contains(nil) }) { sched_yield() }
    }

    @Test func `one address has so many connections and no more`() throws {
        let socket = try ListeningSocket.open(at: .init(address: "127.0.0.1", port: 0))
        let port = try #require(ListeningSocket.port(of: socket))
        var settings = HTTPServer.Settings()
        settings.connectionsPerAddress = 2
        let limited = try HTTPServer(socket, settings, clock: clock, handler: handler)
        let clients = try (0..<2).map { _ in try RawClient(port: port) }
        for client in clients { #expect(try client.request("GET", "/now").text == "now") }
        #expect(try RawClient(port: port).isClosed())
        for client in clients { #expect(try client.request("GET", "/now").text == "now") }
        limited.stop()
    }

    @Test
    func `a socket that blocks, as a service manager may pass it, does not keep the server from stopping`()
        throws
    {
        let socket = try ListeningSocket.open(at: .init(address: "127.0.0.1", port: 0))
        let port = try #require(ListeningSocket.port(of: socket))
        #expect(fcntl(socket, F_SETFL, fcntl(socket, F_GETFL) & ~O_NONBLOCK) == 0)
        let blocking = try HTTPServer(socket, clock: clock, handler: handler)
        #expect(try RawClient(port: port).request("GET", "/now").text == "now")
        blocking.stop()
        #expect(throws: RawClient.Failure.self) { try RawClient(port: port) }
    }

    @Test func `connections beyond the limit wait until others are closed`() throws {
        let socket = try ListeningSocket.open(at: .init(address: "127.0.0.1", port: 0))
        let port = try #require(ListeningSocket.port(of: socket))
        var settings = HTTPServer.Settings()
        settings.connections = 3
        let limited = try HTTPServer(socket, settings, clock: clock, handler: handler)
        var clients = try (0..<3).map { _ in try RawClient(port: port) }
        for client in clients { #expect(try client.request("GET", "/now").text == "now") }
        let later = try (0..<3).map { _ in try RawClient(port: port) }
        for client in later { try client.send("GET /now HTTP/1.1\nHost: a\n\n") }
        for client in clients { #expect(try client.request("GET", "/now").text == "now") }
        #expect(limited.connectionCount == 3)
        clients = []
        for client in later { #expect(try client.answer().text == "now") }
        limited.stop()
    }

    /// libmicrohttpd ends the process if it stops to listen while one of its threads reaches its limit of connections.
    @Test func `a server stops while connections beyond its limit come and go`() throws {
        for _ in 0..<Dose.count(5, full: 400, variable: "ETL_STOPS") {
            let socket = try ListeningSocket.open(at: .init(address: "127.0.0.1", port: 0))
            let port = try #require(ListeningSocket.port(of: socket))
            var settings = HTTPServer.Settings()
            settings.connections = 4
            let limited = try HTTPServer(socket, settings, clock: clock, handler: handler)
            let isOver = Guarded(false)
            let crowd = (0..<4).map { _ in
                let ended = DispatchSemaphore(value: 0)
                let thread = Thread {
                    while !isOver.withLock({ $0 }) {
                        let client = try? RawClient(port: port)
                        try? client?.send("GET /now HTTP/1.1\nHost: a\n\n")
                    }
                    ended.signal()
                }
                thread.start()
                return ended
            }
            let seen = handler.ended.withLock { $0.count }
            while handler.ended.withLock({ $0.count }) < seen + 20 { sched_yield() }
            limited.quiesce()
            limited.stop()
            isOver.withLock { $0 = true }
            for ended in crowd { ended.wait() }
        }
    }

    @Test func `clients that leave at any moment leave nothing behind`() throws {
        for number in 0..<40 {
            let client = try client()
            switch number % 4 {
            case 0: try client.send("GET /never HTTP/1.1\nHost: a\n")
            case 1: try client.send("POST /count HTTP/1.1\nHost: a\nContent-Length: 10\n\nab")
            case 2: try client.send("GET /numbers HTTP/1.1\nHost: a\n\n")
            default: try client.send("GET /later HTTP/1.1\nHost: a\n\n")
            }
        }
        #expect(try client().request("GET", "/now").text == "now")
    }
}
