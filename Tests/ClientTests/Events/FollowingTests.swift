import Foundation
import Synchronization
import Testing

@testable import BooksTrack

/// Following a job over WebSockets, streams and its status.
@Suite struct FollowingTests {
    private static let job = Job(id: "j1", token: "t1", expiresAt: Date(timeIntervalSince1970: 7_200))

    /// Messages to a client, and its reactions.
    private struct Following {
        var updates: [JobUpdate] = []
        var error: BooksTrackError?
        var transport: ScriptedTransport
        var clock: SkippingClock

        var kinds: [JobUpdate.Kind] { updates.map(\.kind) }
    }

    private func follow(
        _ steps: [ScriptedTransport.Step] = [], sockets: [ScriptedTransport.Socket] = [],
        over channels: Set<EventChannel> = Set(EventChannel.allCases)
    ) async throws -> Following {
        var following = Following(
            transport: ScriptedTransport(steps, sockets: sockets), clock: SkippingClock())
        let client = BooksTrackClient(
            .init(server: try #require(URL(string: "http://books.example:8787/"))),
            transport: following.transport, clock: following.clock)
        do {
            for try await update in client.events(of: Self.job, over: channels) {
                following.updates.append(update)
            }
        } catch {
            following.error = error as? BooksTrackError
        }
        return following
    }

    private static func message(_ type: String, _ more: String = "") -> String {
        #"{"type":"\#(type)","jobId":"j1","version":"1.0.0","payload":{"type":"\#(type)"\#(more)}}"#
    }

    private static func progress(_ share: Double) -> String {
        message("job_progress", #","progress":\#(share),"status":"Working","processedCount":2"#)
    }

    private static let complete = message(
        "job_complete", #","summary":{"totalProcessed":4,"successCount":3,"failureCount":1,"duration":9}"#)

    private static func status(_ state: String, _ progress: Double) -> ScriptedTransport.Step {
        .answer(
            200,
            #"{"jobId":"j1","status":"\#(state)","progress":\#(progress),"totalCount":4,"processedCount":2,"#
                + #""pipeline":"csv_import","running":true,"pending":0}"#)
    }

    private static func event(_ id: Int, _ name: String, _ progress: Double) -> String {
        "id: \(id)\nevent: \(name)\ndata: {\"type\":\"x\",\"payload\":{\"progress\":\(progress),\"status\":\"Working\"}}\n\n"
    }

    // MARK: WebSockets

    @Test func `a WebSocket is told that the client is ready, and its messages end with the job`()
        async throws
    {
        let following = try await follow(sockets: [
            .init(messages: [
                Self.message("ready_ack"), Self.message("job_started", #","totalItems":4"#),
                Self.message("ping"), Self.progress(0.5), Self.message("later"), "no message", Self.complete,
            ])
        ])
        #expect(following.kinds == [.started, .progress, .completed] && following.error == nil)
        #expect(following.updates[1].progress == 0.5 && following.updates[1].processedCount == 2)
        #expect(following.updates[2].summary?.successCount == 3 && following.updates[2].progress == 1)
        #expect(following.transport.texts == [#"{"type":"ready"}"#, #"{"type":"pong"}"#])
        let opening = try #require(following.transport.openings.first)
        #expect(opening.url.absoluteString == "http://books.example:8787/ws/progress?jobId=j1")
        #expect(opening.fields["Sec-WebSocket-Protocol"] == "bearer, t1")
        #expect(following.transport.requests.isEmpty)
    }

    @Test func `a WebSocket that breaks is opened again at once, with the state, and nothing comes twice`()
        async throws
    {
        let state = Self.message(
            "reconnected", #","progress":0.5,"status":"processing","processedCount":2,"message":"Back""#)
        let following = try await follow(sockets: [
            .init(
                messages: [Self.message("job_started"), Self.progress(0.5)], end: .unreachable("cut")),
            .init(
                messages: [state, Self.message("job_started"), Self.progress(0.5), Self.progress(0.75)],
                end: .unreachable("cut")),
            .init(messages: [Self.message("ready_ack"), Self.complete]),
        ])
        #expect(following.kinds == [.started, .progress, .progress, .completed])
        #expect(following.updates.map(\.progress) == [nil, 0.5, 0.75, 1])
        #expect(
            following.transport.openings.map { $0.url.query() } == [
                "jobId=j1", "jobId=j1&reconnect=true", "jobId=j1&reconnect=true",
            ])
        #expect(following.clock.pauses.isEmpty)
    }

    @Test(arguments: [
        (CloseCode.internalError, JobUpdate.Kind.failed), (.goingAway, .canceled), (.complete, .failed),
    ])
    func `the close code tells whether a job failed or was canceled`(
        code: CloseCode, kind: JobUpdate.Kind
    ) async throws {
        let error = Self.message(
            "error",
            #","code":"E_CSV_PROCESSING_FAILED","message":"No.","retryable":true,"details":{"lineNumber":7}"#)
        let following = try await follow(sockets: [.init(messages: [error], end: .closed(code))])
        #expect(following.kinds == [kind] && following.error == nil)
        let found = following.updates[0]
        #expect(found.text == "No.")
        #expect(found.error?.code == (kind == .failed ? .csvProcessingFailed : nil))
        #expect(found.error?.details == (kind == .failed ? ["lineNumber": "7"] : nil))
    }

    @Test func `an error whose close code was lost is decided by the state`() async throws {
        let error = Self.message("error", #","code":"E_CSV_PROCESSING_FAILED","message":"Canceled.""#)
        let following = try await follow(sockets: [
            .init(messages: [error], end: .unreachable("cut")),
            .init(
                messages: [Self.message("reconnected", #","progress":0,"status":"canceled""#), error],
                end: .closed(.complete)),
        ])
        #expect(following.kinds.last == .canceled)
    }

    @Test func `a server that stops is left alone for five seconds`() async throws {
        let following = try await follow(sockets: [
            .init(messages: [Self.progress(0.5)], end: .closed(.goingAway)), .init(messages: [Self.complete]),
        ])
        #expect(following.kinds == [.progress, .completed])
        #expect(following.clock.pauses.map { Int(($0 / .seconds(1)).rounded()) } == [5])
    }

    @Test(arguments: [CloseCode.policyViolation, .protocolError, .invalidText, .messageTooBig])
    func `a close code that stays is a typed error`(code: CloseCode) async throws {
        let following = try await follow(sockets: [.init(end: .closed(code))], over: [.webSocket])
        #expect(following.error == .closed(code))
        #expect(following.transport.openings.count == 1)
    }

    @Test(arguments: [CloseCode.goingAway, .tryAgainLater, .internalError, .unknown, .complete])
    func `a close code that may pass is one after three attempts`(code: CloseCode) async throws {
        let following = try await follow(
            sockets: Array(repeating: .init(end: .closed(code)), count: 3), over: [.webSocket])
        #expect(following.error == .closed(code))
        #expect(following.transport.openings.count == 3)
        let pauses = following.clock.pauses
        #expect(pauses.count == 2 && pauses.allSatisfy { $0 > .milliseconds(400) })
    }

    // MARK: Other channels

    private static let refusals: [BooksTrackError] = [
        .closed(.tryAgainLater), .closed(.policyViolation), .malformed("no WebSocket"),
    ]

    @Test(arguments: refusals)
    func `without a WebSocket the stream is read`(refusal: BooksTrackError) async throws {
        let following = try await follow(
            [.answer(200, ": hello\n\n" + Self.event(1, "started", 0) + Self.event(2, "completed", 1))],
            sockets: [.init(end: refusal)])
        #expect(following.kinds == [.started, .completed])
        let request = try #require(following.transport.requests.first)
        #expect(request.url.path() == "/v1/jobs/j1/stream")
        #expect(request.fields["Authorization"] == "Bearer t1")
        #expect(following.transport.openings.count == 1)
    }

    @Test func `a server that cannot be reached is tried over each channel, and then the error is told`()
        async throws
    {
        let following = try await follow()
        #expect(following.error == .unreachable("no route"))
        #expect(following.transport.openings.count == 3)
        #expect(
            following.transport.requests.map { $0.url.lastPathComponent } == [
                "stream", "stream", "stream", "j1", "j1", "j1",
            ])
    }

    @Test func `a broken stream goes on behind the last event`() async throws {
        let following = try await follow(
            [
                .broken(Self.event(1, "started", 0) + Self.event(2, "progress", 0.5)),
                .answer(200, Self.event(3, "completed", 1)),
            ], over: [.stream])
        #expect(following.kinds == [.started, .progress, .completed])
        #expect(following.transport.requests.last?.fields["Last-Event-ID"] == "2")
    }

    @Test func `without a stream the status is asked for every two seconds`()
        async throws
    {
        let polls = (0..<20).map { Self.status("processing", $0 < 3 ? 0.2 : 0.4) }
        let following = try await follow(
            [.answer(405, "")] + polls + [Self.status("completed", 1)],
            sockets: [.init(end: .malformed("no WebSocket"))])
        #expect(following.kinds == [.progress, .progress, .completed])
        let pauses = following.clock.pauses
        #expect(pauses.count == 20 && pauses.allSatisfy { abs($0 / .seconds(1) - 2) < 0.1 })
    }

    @Test(arguments: [401, 404])
    func `a job that is not there, or not ours, ends the events with an error`(status: Int) async throws {
        let following = try await follow(
            [.answer(status, "")], sockets: [.init(end: .closed(.policyViolation))])
        guard case .service(let error) = following.error else {
            Issue.record("\(String(describing: following.error))")
            return
        }
        #expect(error.status == status && following.transport.requests.count == 1)
    }

    @Test func `whoever stops reading ends everything`() async throws {
        let transport = ScriptedTransport([], sockets: [.init(messages: [Self.progress(0.1)])])
        let client = BooksTrackClient(
            .init(server: try #require(URL(string: "http://books.example"))), transport: transport)
        for try await update in client.events(of: Self.job) {
            #expect(update.progress == 0.1)
            break
        }
        let task = Task { for try await _ in client.events(of: Self.job) {} }
        task.cancel()
        _ = await task.result
    }

    @Test func `a token that the service renews meanwhile is valid for longer`() async throws {
        let now = SetDate()
        let transport = ScriptedTransport(
            [], sockets: [.init(messages: [Self.message("ping"), Self.complete])])
        let client = BooksTrackClient(
            .init(server: try #require(URL(string: "http://books.example"))), transport: transport,
            date: { now.next() })
        #expect(await client.tokenEnd(of: Self.job) == Self.job.expiresAt)
        for try await _ in client.events(of: Self.job) {}
        // Messages at 5,500 and 5,600 seconds: the token ended at 7,200.
        #expect(await client.tokenEnd(of: Self.job) == Date(timeIntervalSince1970: 5_500 + 7_200))
    }
}

/// A time of day that advances by 100 seconds at each read.
private final class SetDate: Sendable {
    private let looks = Atomic(0)

    func next() -> Date {
        Date(timeIntervalSince1970: 5_400 + 100 * Double(looks.add(1, ordering: .relaxed).newValue))
    }
}
