import Books
import Foundation
import Sources
import System

@testable import BooksTrack
@testable import LinuxTransport
@testable import Services

/// Reads an input as the body of every service's answers, and decodes the answers found. The first byte chooses the
/// kind of question. Also reads it as the head of an answer, and as what our own server answers to the Swift client.
enum AnswerTarget {
    private static let readers = ServiceDefinition.all.map(\.reader)
    private static let questions: [(kind: ServiceKey.Kind, texts: [String])] = [
        (.isbn, ["9780441013593", "9780140328721"]), (.title, ["dune|frank herbert"]), (.work, ["OL893415W"]),
        (.author, ["OL79034A"]), (.item, ["Q42", "Q1"]), (.authorItems, ["OL79034A"]),
        (.nameItems, ["frank herbert"]),
    ]

    static func read(_ bytes: [UInt8]) {
        guard let first = bytes.first else { return }
        let body = Array(bytes.dropFirst())
        let (kind, texts) = questions[Int(first) % questions.count]
        readFields(String(decoding: body, as: UTF8.self))
        readEvents(body, cut: 1 + Int(first))
        for reader in readers {
            _ = reader.refusal(status: 403, text: String(decoding: body, as: UTF8.self))
            _ = reader.decoded(of: body, kind, fetchedAt: 1)
            guard case .answers(let parts) = reader.read(body, kind, texts) else { continue }
            demand(parts.count == texts.count, "\(reader.name) gave \(parts.count) parts")
            for case .found(let words, let decoded) in parts {
                let again = reader.decoded(of: words, kind, fetchedAt: 1)
                demand(
                    decoded == nil || again == nil || decoded == again,
                    "\(reader.name) decodes its own part differently")
            }
        }
    }

    /// Header fields of answers. A pause is the same when it is written in seconds.
    private static func readFields(_ text: String) {
        if let pause = RetryAfter.milliseconds(text, now: 1_700_000_000_000) {
            demand((0...RetryAfter.longest).contains(pause), "a pause takes \(pause) ms")
            let again = RetryAfter.milliseconds("\(pause / 1_000)", now: 0)
            demand(again == pause, "a pause of \(pause) ms is not read back")
        }
        let response = HTTPResponse(status: 200, fields: ["etag": text, "last-modified": text])
        guard let validator = CacheValidator(response) else { return }
        demand(
            validator.fields.allSatisfy { $0.value == text && !$0.value.contains(where: \.isNewline) },
            "a validator is sent back as something else")
    }

    /// Server-sent events, and the answer to the handshake of a WebSocket: both arrive in pieces.
    private static func readEvents(_ bytes: [UInt8], cut: Int) {
        var (whole, pieces) = (EventParser(), EventParser())
        let events = whole.read(Data(bytes))
        let cut = stride(from: 0, to: bytes.count, by: cut).flatMap { start in
            pieces.read(Data(bytes[start..<min(start + cut, bytes.count)]))
        }
        demand(cut == events, "events differ when they are cut elsewhere")
        guard let url = URL(string: "ws://books.example/ws/progress") else { return }
        let handshake = SocketHandshake(
            TransportRequest(method: "GET", url: url), key: "AAAAAAAAAAAAAAAAAAAAAA==")
        guard case .accepted(let rest) = try? handshake.reply(bytes, isWhole: false) else { return }
        demand(
            (try? handshake.reply(Array(bytes.dropLast(rest.count)), isWhole: false)) == .accepted([]),
            "an answer needs what comes behind it")
    }
}
