import Foundation
import Services
import System
import TestSupport
import Testing

@testable import Server

/// A receiver of webhooks, as a server of its own, which checks signatures like any receiver must.
private final class Receiver: RequestHandler {
    struct Message: Sendable {
        var fields: [String: String]
        var body: [UInt8]
    }

    let messages = Guarded<[Message]>([])
    /// The statuses of the next answers; 204 if there is none.
    let statuses = Guarded<[Int]>([])
    let whenStopping = Response(503, .bytes([]))
    func refusal(of head: HeadFault) -> Response { Response(400, .bytes([])) }

    func begin(_ exchange: Exchange) -> (any BodyReceiver)? {
        let names: [StaticString] = [
            "X-Etl-Signature", "X-Etl-Timestamp", "X-Etl-Delivery", "X-Etl-Event", "Content-Type",
        ]
        let fields = Dictionary(uniqueKeysWithValues: names.map { ("\($0)", exchange.head[$0] ?? "") })
        return TextReceiver(limit: 1 << 20) { [self] body in
            messages.withLock { $0.append(Message(fields: fields, body: body ?? [])) }
            let status = statuses.withLock { $0.isEmpty ? 204 : $0.removeFirst() }
            exchange.answer(Response(status, .bytes([])))
        }
    }

    func end(_ exchange: Exchange, status: Int?, isComplete: Bool) {}
}

/// Messages about ended jobs, over real connections.
@Suite(.ownThread) struct WebhookTests {
    private let clock = SetClock()
    private let receiver = Receiver()
    private let http: HTTPServer
    private let url: String
    private static let secret = "only both sides know this"

    init() throws {
        let socket = try ListeningSocket.open(at: .init(address: "127.0.0.1", port: 0))
        url = "http://127.0.0.1:\(ListeningSocket.port(of: socket) ?? 0)/ended"
        http = try HTTPServer(socket, HTTPServer.Settings(), clock: SystemClock(), handler: receiver)
    }

    private func server(_ sample: SampleImport? = nil, importing: Bool = false) async throws -> RunningServer
    {
        let transport = try CurlClient(version: "0", contact: nil, environment: [:])
        return try await RunningServer(sample, clock: clock, importing: importing) { settings in
            settings.webhook = .init(url: url, secret: Array(Self.secret.utf8), transport: transport)
        }
    }

    /// Waits until the receiver has a number of messages, and the server has noted its answer to the last one.
    private func messages(_ count: Int, from running: RunningServer) async throws -> [Receiver.Message] {
        while receiver.messages.withLock({ $0.count }) < count {
            running.server.backend.tick()
            await Task.yield()
        }
        let queue = running.server.backend.jobs.queue
        while try await queue.nextDelivery(at: clock.epochMilliseconds()).delivery != nil {
            await Task.yield()
        }
        return receiver.messages.withLock { $0 }
    }

    private func object(_ message: Receiver.Message) throws -> [String: Any] {
        try #require(try JSONSerialization.jsonObject(with: Data(message.body)) as? [String: Any])
    }

    @Test func `a message that has arrived is not sent again because the queue cannot be written`()
        async throws
    {
        let running = try await server()
        let queue = running.server.backend.jobs.queue
        let now = clock.epochMilliseconds()
        for id in ["first", "second"] {
            try await queue.put(
                WebhookDelivery(id: id, event: "job.completed", body: [], madeAt: now, dueAt: now + 60_000))
        }
        try await queue.refuseWrites(true)
        clock.advance(seconds: 60)
        // Each attempt would find the message again.
        while receiver.messages.withLock({ $0.isEmpty }) { running.server.backend.tick() }
        for _ in 0..<50 {
            running.server.backend.tick()
            _ = try running.request("GET", "/health")
        }
        try await queue.refuseWrites(false)
        let arrived = try await messages(2, from: running).map { $0.fields["X-Etl-Delivery"] }
        #expect(arrived == ["first", "second"])
        await running.server.stop()
    }

    @Test func `the end of a job is told with a signature that only the secret makes`() async throws {
        let running = try await server()
        let (job, token) = try running.accepted("Title,Author\nReef,Ana Lee\n")
        try running.wait(for: job, token)
        let message = try #require(try await messages(1, from: running).first)
        let object = try object(message)
        #expect(object["event"] as? String == "job.completed" && object["jobId"] as? String == job)
        #expect(
            object["status"] as? String == "completed"
                && object["id"] as? String == message.fields["X-Etl-Delivery"])
        #expect((object["summary"] as? [String: Any])?["successCount"] as? Int == 1)
        let results = try #require(object["resultsUrl"] as? String)
        #expect(try running.request("GET", "\(results)?token=\(token)").status == 200)
        #expect(object["timestamp"] is String && message.fields["Content-Type"] == "application/json")
        #expect(message.fields["X-Etl-Event"] == "job.completed")
        let time = try #require(message.fields["X-Etl-Timestamp"])
        let code = MessageCode.sha256(of: Array("\(time).".utf8) + message.body, key: Array(Self.secret.utf8))
        #expect(message.fields["X-Etl-Signature"] == "sha256=\(code)")
        let forged = MessageCode.sha256(of: Array("\(time).".utf8) + message.body, key: Array("guess".utf8))
        #expect(code != forged)
        await running.server.stop()
        http.stop()
    }

    @Test func `failures and cancellations are told too`() async throws {
        let running = try await server(importing: true)
        let (failed, token) = try running.accepted("No,Columns,Of,Books\n1,2,3,4\n")
        try running.wait(for: failed, token)
        let first = try object(try #require(try await messages(1, from: running).first))
        #expect(first["event"] as? String == "job.failed" && first["status"] as? String == "failed")
        let summary = try #require(first["summary"] as? [String: Any])
        #expect(summary["code"] is String && summary["message"] is String)
        let lock = HeldLock()
        try #require(lock.take(running.store))
        let (canceled, other) = try running.accepted("Title\nReef\n")
        _ = try running.request("DELETE", "/v1/jobs/\(canceled)", [("Authorization", "Bearer \(other)")])
        let second = try object(try await messages(2, from: running)[1])
        #expect(second["event"] as? String == "job.canceled" && second["jobId"] as? String == canceled)
        lock.release()
        await running.server.stop()
        http.stop()
    }

    @Test func `what was not taken is sent again with the same id, also by the next server`() async throws {
        receiver.statuses.withLock { $0 = [500, 302, 404] }
        let first = try await server()
        let (job, token) = try first.accepted("Title\nReef\n")
        try first.wait(for: job, token)
        _ = try await messages(1, from: first)
        for _ in 0..<100 {
            first.server.backend.tick()
            await Task.yield()
        }
        #expect(receiver.messages.withLock { $0.count } == 1, "it waits before the next attempt")
        clock.advance(seconds: 11)
        _ = try await messages(2, from: first)
        await first.server.stop()
        let second = try await server(first.sample)
        clock.advance(seconds: 60)
        _ = try await messages(3, from: second)
        clock.advance(seconds: 120)
        let all = try await messages(4, from: second)
        #expect(Set(all.map(\.body)).count == 1 && Set(all.map { $0.fields["X-Etl-Delivery"] }).count == 1)
        #expect(Set(all.map { $0.fields["X-Etl-Timestamp"] }).count == 4, "each attempt is signed anew")
        let webhook = try #require(second.server.backend.webhook)
        while webhook.counts.waiting > 0 {
            second.server.backend.tick()
            await Task.yield()
        }
        #expect(try second.request("GET", "/metrics").text.contains("etl_webhooks_waiting 0\n"))
        await second.server.stop()
        http.stop()
    }

    @Test func `a receiver that is gone delays no job`() async throws {
        http.stop()
        let running = try await server()
        for _ in 1...3 {
            let (job, token) = try running.accepted("Title\nReef\n")
            #expect(try running.wait(for: job, token).last?.event == "completed")
        }
        await running.server.stop()
    }
}
