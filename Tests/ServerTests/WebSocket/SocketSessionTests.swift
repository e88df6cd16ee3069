import Foundation
import Store
import Testing

@testable import Server

@Suite struct SocketSessionTests {
    private var session = SocketSession(job: "j", pipeline: .csvImport, now: 0)

    private static func log(_ ending: JobEvent.Kind? = nil, _ message: String = "{}") -> JobEventLog {
        var log = JobEventLog(.csvImport, sentence: "Waiting", at: 0)
        log.begin(run: 1)
        _ = log.add(.started, Array("{\"s\":1}".utf8), at: 1)
        _ = log.add(.progress, Array("{\"p\":1}".utf8), at: 2)
        if let ending { _ = log.add(ending, Array(message.utf8), at: 3) }
        return log
    }

    private static func types(_ actions: [SocketSession.Action]) -> [String] {
        actions.map { action in
            switch action {
            case .send(let bytes):
                let object = try? JSONSerialization.jsonObject(with: Data(bytes)) as? [String: Any]
                return object?["type"] as? String ?? String(decoding: bytes, as: UTF8.self)
            case .ping: return "PING"
            case .cancel: return "CANCEL"
            case .close(let code): return "CLOSE \(code.rawValue)"
            }
        }
    }

    private mutating func receive(_ text: String, now: Int64 = 1) -> [String] {
        Self.types(session.receive(Array(text.utf8), now: now, time: 1))
    }

    @Test mutating func `without ready nothing but pings is sent`() {
        #expect(session.news(Self.log()).isEmpty)
        #expect(Self.types(session.tick(now: 30_000, time: 0)) == ["ping", "PING"])
        #expect(receive(#"{"type":"ready"}"#) == ["ready_ack"])
        #expect(Self.types(session.news(Self.log())) == [#"{"s":1}"#, #"{"p":1}"#])
        #expect(session.news(Self.log()).isEmpty)
    }

    @Test(arguments: [
        (JobEvent.Kind.completed, "{}", "CLOSE 1000"), (.canceled, "{}", "CLOSE 1001"),
        (.failed, #"{"code":"E_CSV_PROCESSING_FAILED"}"#, "CLOSE 1011"),
        (.failed, #"{"code":"INTERNAL_ERROR"}"#, "CLOSE 1011"),
    ])
    mutating func `after the last message the connection is closed, with a code that says why`(
        kind: JobEvent.Kind, message: String, close: String
    ) {
        _ = receive(#"{"type":"ready"}"#)
        let actions = Self.types(session.news(Self.log(kind, message)))
        #expect(actions.suffix(2) == [message, close])
        #expect(session.tick(now: 500_000, time: 0).isEmpty && receive(#"{"type":"ping"}"#).isEmpty)
    }

    @Test mutating func `a client that reconnects gets the state at once, and then only what is newer`() {
        var log = Self.log()
        #expect(Self.types(session.reconnect(log, time: 5)) == ["reconnected"])
        #expect(session.news(log).isEmpty)
        _ = log.add(.progress, Array("{\"p\":2}".utf8), at: 3)
        #expect(Self.types(session.news(log)) == [#"{"p":2}"#])
        _ = log.add(.completed, Array("{\"c\":1}".utf8), at: 4)
        #expect(Self.types(session.news(log)) == [#"{"c":1}"#, "CLOSE 1000"])
    }

    @Test mutating func `a client that reconnects after the end gets the state and the end`() {
        #expect(Self.types(session.reconnect(Self.log(.completed), time: 5)) == ["reconnected"])
        #expect(Self.types(session.news(Self.log(.completed))) == ["{}", "CLOSE 1000"])
    }

    @Test(arguments: [
        "", "{", "[]", "7", #""ready""#, "{}", #"{"type":7}"#, #"{"type":null}"#, "{\"type\":\"ready\"}x",
    ])
    mutating func `a message that is no object with a type ends the connection`(text: String) {
        #expect(receive(text) == ["CLOSE 1002"])
        #expect(!session.isReady)
    }

    @Test mutating func `pings are answered, cancellations passed on, other types ignored`() {
        #expect(receive(#"{"type":"ping"}"#) == ["pong"])
        #expect(receive(#"{"type":"pong"}"#).isEmpty)
        #expect(receive(#"{"type":"later","x":{"type":"ready"}}"#).isEmpty)
        #expect(receive(#"{"type":"cancel"}"#) == ["CANCEL"])
        #expect(receive(#"{"type":"cancel_batch"}"#) == ["CANCEL"])
    }

    @Test mutating func `a client that is silent for ninety seconds is closed`() {
        for second in 1...89 as ClosedRange<Int64> {
            let actions = Self.types(session.tick(now: second * 1_000, time: 0))
            #expect(actions == (second % 30 == 0 ? ["ping", "PING"] : []))
        }
        var other = session
        other.hear(now: 89_000)
        #expect(Self.types(session.tick(now: 90_000, time: 0)) == ["CLOSE 1001"])
        #expect(Self.types(other.tick(now: 90_000, time: 0)) == ["ping", "PING"])
    }
}
