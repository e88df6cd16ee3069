import Foundation
import TestSupport
import Testing

@testable import Server

/// RFC 9112 sections 2 to 7 as cases, byte for byte, over a real connection.
@Suite(.ownThread) struct RequestFramingTests {
    private enum Outcome {
        /// An answer with this status. The connection can be used again.
        case answered(Int)
        /// An answer with this status, and the end of the connection.
        case answeredLast(Int)
        /// 400 with the contract's envelope, and the end of the connection.
        case refused
        /// The same with 431.
        case tooLarge
        /// The same with this status and a page of libmicrohttpd, which gives the server no say.
        case cutOff(Int)
    }

    private struct Case {
        var section: String
        var name: String
        var bytes: String
        var outcome: Outcome

        init(_ section: String, _ name: String, _ bytes: String, _ outcome: Outcome) {
            (self.section, self.name, self.bytes, self.outcome) = (section, name, bytes, outcome)
        }
    }

    private static let next = "GET /health HTTP/1.1\r\nHost: localhost\r\nX-Request-Id: next\r\n\r\n"
    private static let body = "\r\nContent-Type: application/json\r\n\r\n"

    private static func get(_ line: String, _ end: String = "\r\n\r\n") -> String {
        "GET /health HTTP/1.1\r\nHost: localhost\r\n\(line)\(end)"
    }

    private static func post(_ fields: String, _ body: String) -> String {
        "POST /v1/enrichment/batch HTTP/1.1\r\nHost: localhost\r\n\(fields)\(Self.body)\(body)"
    }

    private static func chunked(_ body: String) -> String { post("Transfer-Encoding: chunked", body) }

    private static let requestLines = [
        Case("2.2", "clean", get("X: a"), .answered(200)),
        Case("2.2", "an empty line before", "\r\n\(get("X: a"))", .answered(200)),
        Case("2.2", "lines without CR", get("X: a").replacingOccurrences(of: "\r", with: ""), .refused),
        Case("2.2", "a request line without CR", "GET /health HTTP/1.1\nHost: localhost\r\n\r\n", .refused),
        Case("2.2", "a field without CR", get("X: a\nY: b"), .refused),
        Case("2.2", "an empty line without CR", get("X: a", "\r\n\n"), .refused),
        Case("2.2", "a CR in a value", get("X: a\rY: b"), .refused),
        Case("2.2", "a CR before CR LF", get("X: a", "\r\r\n\r\n"), .refused),
        Case("2.2", "a line that begins with a space", get(" X: a"), .refused),
        Case(
            "3", "a method that is no word", "G\u{1}T /health HTTP/1.1\r\nHost: localhost\r\n\r\n", .refused),
        Case("3", "an unknown method", "BREW /health HTTP/1.1\r\nHost: localhost\r\n\r\n", .answered(405)),
        Case("3", "two spaces", "GET  /health HTTP/1.1\r\nHost: localhost\r\n\r\n", .refused),
        Case("3", "a space in the target", "GET /health x HTTP/1.1\r\nHost: localhost\r\n\r\n", .refused),
        Case("3", "a tab in the target", "GET /health?a=\tb HTTP/1.1\r\nHost: localhost\r\n\r\n", .refused),
        Case("3", "a CR in the target", "GET /health\rx HTTP/1.1\r\nHost: localhost\r\n\r\n", .refused),
        Case(
            "3", "a zero byte in the target", "GET /health\0x HTTP/1.1\r\nHost: localhost\r\n\r\n", .refused),
        Case("3", "a zero byte in the query", "GET /health?a\0b=c HTTP/1.1\r\nHost: a\r\n\r\n", .refused),
        Case(
            "3", "a query", "GET /health?&a=b+b&&c&=d%20 HTTP/1.1\r\nHost: localhost\r\n\r\n", .answered(200)),
        Case(
            "3", "500 parameters",
            "GET /health?\(String(repeating: "a=b&", count: 500)) HTTP/1.1\r\nHost: localhost\r\n\r\n",
            .answered(200)),
        Case("3", "no version", "GET /health\r\nHost: localhost\r\n\r\n", .cutOff(400)),
        Case("3", "another version", "GET /health HTTP/2.0\r\nHost: localhost\r\n\r\n", .cutOff(505)),
        Case("3.2", "no Host", "GET /health HTTP/1.1\r\nX: a\r\n\r\n", .refused),
        Case("3.2", "no field", "GET /health HTTP/1.1\r\n\r\n", .refused),
        Case(
            "3.2.2", "a whole address",
            "GET HTTP://localhost/health?a=b HTTP/1.1\r\nHost: evil.example\r\n\r\n",
            .answered(200)),
        Case(
            "3.2.2", "a whole address that is not ours",
            "GET http://evil.example/health HTTP/1.1\r\nHost: localhost\r\n\r\n", .answered(421)),
        Case(
            "3.2.2", "a whole address with a user",
            "GET http://localhost@evil.example/health HTTP/1.1\r\nHost: localhost\r\n\r\n", .answered(421)),
        Case(
            "3.2.2", "a whole address without Host", "GET http://localhost/health HTTP/1.1\r\n\r\n", .refused),
        Case("3.2", "two Hosts", get("Host: localhost"), .refused),
    ]

    private static let fields = [
        Case("5.1", "no blank after the colon", get("X:a"), .answered(200)),
        Case("5.1", "blanks around a value", get("X: \t a b \t"), .answered(200)),
        Case("5.1", "an empty value", get("X:"), .answered(200)),
        Case("5.1", "a space before the colon", post("Content-Length : 2", "{}"), .refused),
        Case("5.1", "a tab before the colon", post("Content-Length\t: 2", "{}"), .refused),
        Case("5.1", "no name", get(": a"), .refused),
        Case("5.1", "no colon", get("X"), .cutOff(400)),
        Case("5.1", "a name with a space", get("X Y: a"), .refused),
        Case("5.1", "a name with letters that are not ASCII", get("Ä: a"), .refused),
        Case("5.2", "a folded line", get("X: a\r\n b"), .refused),
        Case("5.2", "a folded length", post("Content-Length: 2\r\n 0", "{}"), .refused),
        Case("5.2", "a line of blanks", get("X: a\r\n  \r\nY: b"), .refused),
        Case("5.2", "a last line of blanks", get("X: a\r\n\t"), .refused),
        Case("5.2", "a folded first line", "GET /health HTTP/1.1\r\n Host: localhost\r\n\r\n", .refused),
        Case(
            "5.4", "500 cookies", get("Cookie: \(String(repeating: "a=b; ", count: 500))"), .answered(200)),
        Case(
            "5.4", "more cookies than a head has room for",
            get("Cookie: \(String(repeating: "a=b; ", count: 4_000))"), .tooLarge),
        Case("5.5", "a zero byte in a value", get("X: a\0b"), .refused),
        Case("5.5", "a zero byte at the end of a length", post("Content-Length: 2\0 3", "{}"), .refused),
        Case("5.5", "a zero byte in a name", get("X\0: a"), .cutOff(400)),
        Case("5.5", "a zero byte at the begin of a line", get("\0X: a\r\nY: b"), .refused),
        // Where libmicrohttpd ends a line it writes zero bytes, so that this cannot be noticed afterwards.
        Case("5.5", "a zero byte in place of a CR", get("X: a\0\nY: b"), .answered(200)),
        Case("5.5", "an escape character in a value", get("X: \u{1B}[2J"), .refused),
    ]

    private static let lengths = [
        Case("6.2", "a length", post("Content-Length: 2", "{}"), .answered(400)),
        Case("6.2", "zeros before a length", post("Content-Length: 002", "{}"), .answered(400)),
        Case("6.2", "two lengths", post("Content-Length: 2\r\nContent-Length: 3", "{}"), .refused),
        Case("6.2", "a length twice", post("Content-Length: 2\r\ncontent-length: 2", "{}"), .refused),
        Case("6.2", "a list of lengths", post("Content-Length: 2, 2", "{}"), .refused),
        Case("6.2", "a sign", post("Content-Length: +2", "{}"), .refused),
        Case("6.2", "a negative length", post("Content-Length: -2", "{}"), .refused),
        Case("6.2", "a hexadecimal length", post("Content-Length: 0x2", "{}"), .refused),
        Case("6.2", "no length", post("Content-Length:", "{}"), .refused),
        Case("6.2", "a huge length", post("Content-Length: 99999999999999999999", ""), .refused),
        // Blanks that are allowed. libmicrohttpd takes them for a part of the number.
        Case("6.2", "a blank behind a length", post("Content-Length: 2 ", "{}"), .refused),
        Case("6.2", "a tab behind a length", post("Content-Length: 2\t", "{}"), .refused),
        Case(
            "6.3", "a length and chunks",
            post("Content-Length: 5\r\nTransfer-Encoding: chunked", "0\r\n\r\n"), .refused),
        Case(
            "6.3", "chunks and a length",
            post("Transfer-Encoding: chunked\r\nContent-Length: 5", "0\r\n\r\n"), .refused),
        Case(
            "6.3", "a length and chunks with a space before the colon",
            post("Content-Length: 5\r\nTransfer-Encoding : chunked", "0\r\n\r\n"), .refused),
        Case(
            "6.3", "a length and chunks of a folded field",
            post("Content-Length: 5\r\nTransfer-Encoding:\r\n chunked", "0\r\n\r\n"), .refused),
    ]

    private static let codings = [
        Case("6.1", "chunks", chunked("2\r\n{}\r\n0\r\n\r\n"), .answeredLast(400)),
        Case("6.1", "another coding", post("Transfer-Encoding: gzip", ""), .refused),
        Case("6.1", "two codings", post("Transfer-Encoding: gzip, chunked", "0\r\n\r\n"), .refused),
        Case("6.1", "chunks twice", post("Transfer-Encoding: chunked, chunked", "0\r\n\r\n"), .refused),
        Case("6.1", "identity", post("Transfer-Encoding: identity", ""), .refused),
        Case("6.1", "a name that is longer", post("Transfer-Encoding: xchunked", "0\r\n\r\n"), .refused),
        Case("6.1", "a vertical tab", post("Transfer-Encoding: \u{0B}chunked", "0\r\n\r\n"), .refused),
        Case("6.1", "a Kelvin sign", post("Transfer-Encoding: chun\u{212A}ed", "0\r\n\r\n"), .refused),
        Case(
            "6.1", "two fields",
            post("Transfer-Encoding: chunked\r\nTransfer-Encoding: chunked", "0\r\n\r\n"),
            .refused),
        Case(
            "6.1", "chunks in HTTP/1.0",
            chunked("0\r\n\r\n").replacingOccurrences(of: "HTTP/1.1", with: "HTTP/1.0"), .refused),
        Case("7.1", "an extension", chunked("2;a=b\r\n{}\r\n0\r\n\r\n"), .answeredLast(400)),
        Case("7.1", "trailers", chunked("2\r\n{}\r\n0\r\nX: a\r\n\r\n"), .answeredLast(400)),
        // libmicrohttpd accepts these two. Nothing behind them is read.
        Case("7.1", "chunks without CR", chunked("2\n{}\n0\n\n"), .answeredLast(400)),
        Case("7.1", "an extension without CR", chunked("2;a\nb\r\n{}\r\n0\r\n\r\n"), .cutOff(400)),
        Case("7.1", "a size that is no number", chunked("zz\r\n{}\r\n0\r\n\r\n"), .cutOff(400)),
        Case("7.1", "a size with a sign", chunked("+2\r\n{}\r\n0\r\n\r\n"), .cutOff(400)),
        Case("7.1", "a size with a prefix", chunked("0x2\r\n{}\r\n0\r\n\r\n"), .cutOff(400)),
        Case("7.1", "a huge size", chunked("fffffffffffffffff\r\n{}\r\n0\r\n\r\n"), .cutOff(413)),
        Case("7.1", "a chunk that is longer than it says", chunked("1\r\n{}\r\n0\r\n\r\n"), .cutOff(400)),
    ]

    private static func heads(_ answers: String) -> Int {
        answers.components(separatedBy: "HTTP/1.1 ").count - 1
    }

    private func check(_ test: Case, _ running: RunningServer) throws {
        let name = "\(test.section) \(test.name)"
        let client = try running.client()
        try client.send(Array((test.bytes + Self.next).utf8))
        if case .answered(let status) = test.outcome {
            let answer = try client.answer()
            #expect(answer.status == status && !answer.text.contains(#""request":"""#), "\(name)")
            #expect(try client.answer().fields["x-request-id"] == "next", "\(name)")
            return
        }
        let answers = String(decoding: try client.rest(), as: UTF8.self)
        let comment = Comment(rawValue: "\(name): \(answers.prefix(300))")
        #expect(!answers.contains("X-Request-Id: next"), comment)
        #expect(answers.contains("Connection: close"), comment)
        switch test.outcome {
        case .answered: break
        case .answeredLast(let status):
            #expect(answers.hasPrefix("HTTP/1.1 \(status) ") && Self.heads(answers) == 1, comment)
            #expect(!answers.contains(#""request":"""#), comment)
        case .refused:
            #expect(answers.hasPrefix("HTTP/1.1 400 ") && Self.heads(answers) == 1, comment)
            #expect(answers.contains(#""request":"""#), comment)
        case .tooLarge:
            #expect(answers.hasPrefix("HTTP/1.1 431 ") && Self.heads(answers) == 1, comment)
            #expect(answers.contains(#""request":"""#), comment)
        case .cutOff(let status):
            #expect(answers.hasPrefix("HTTP/1.1 \(status) ") && Self.heads(answers) == 1, comment)
            #expect(!answers.contains("\"success\""), comment)
        }
    }

    @Test
    func `a head or body whose end others could see elsewhere is refused, and nothing behind it is read`()
        async throws
    {
        let running = try await RunningServer()
        for test in Self.requestLines + Self.fields + Self.lengths + Self.codings { try check(test, running) }
        await running.server.stop()
    }

    @Test func `a head that comes byte by byte is read like one that comes at once`() async throws {
        let running = try await RunningServer()
        let long = (0..<100).map { "X-\($0): \(String(repeating: "x", count: 100))" }
        for (line, isClean) in [(long.joined(separator: "\r\n"), true), ("X: a\r\n b", false)] {
            let client = try running.client()
            for byte in Self.get(line).utf8 { try client.send([byte]) }
            #expect(try client.answer().status == (isClean ? 200 : 400))
        }
        await running.server.stop()
    }
}
