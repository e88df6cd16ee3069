import BooksTrack
import Foundation
import TestSupport
import Testing

@testable import Server

/// The Swift client while a job waits for another program that uses the store.
struct WaitingJobsTests {
    @Test func `a job that fails or is canceled ends as what it is, over each channel`() async throws {
        let server = try await RunningServer(importing: true)
        let client = try server.app()
        let broken = try await client.importFile(Data("%PDF-1.7 is no table".utf8), named: "a.pdf")
        let lock = HeldLock()
        try #require(lock.take(server.store))
        let job = try await client.importFile(Data(try RunningServer.export.utf8), named: "library.csv")
        try await client.cancel(job)
        for channel in EventChannel.allCases {
            let failure = try await client.updates(of: broken, over: [channel]).last
            #expect(failure?.kind == .failed, "\(channel)")
            // A status has no reason.
            #expect(failure?.error?.code == (channel == .polling ? nil : .csvProcessingFailed))
            #expect(try await client.updates(of: job, over: [channel]).last?.kind == .canceled, "\(channel)")
        }
        #expect(try await client.status(of: job).status == .canceled)
        lock.release()
    }

    @Test func `a close code is a typed error, and other channels take its place`() async throws {
        let server = try await RunningServer(importing: true) {
            $0.socketLimit = 1
            $0.hasPrivateResults = true
        }
        let lock = HeldLock()
        try #require(lock.take(server.store))
        let transport = WatchedTransport()
        let client = try server.app(attempts: 1, transport: transport)
        let job = try await client.importFile(Data("Title\nReef\n".utf8), named: "a.csv")
        let first = Task { try await client.updates(of: job, over: [.webSocket]) }
        await transport.waitForMessage()
        // The server is full now.
        await #expect(throws: BooksTrackError.closed(.tryAgainLater)) {
            try await client.updates(of: job, over: [.webSocket])
        }
        let second = Task { try await client.updates(of: job, over: [.webSocket, .stream]) }
        var wrong = job
        wrong.token = "wrong"
        await #expect(throws: BooksTrackError.closed(.policyViolation)) {
            try await client.updates(of: wrong, over: [.webSocket])
        }
        await #expect {
            try await client.updates(of: wrong, over: [.webSocket, .stream])
        } throws: {
            guard case BooksTrackError.service(let error) = $0 else { return false }
            return error.code == .unauthorized
        }
        lock.release()
        #expect(try await first.value.last?.kind == .completed)
        #expect(try await second.value.last?.kind == .completed)
    }

    @Test func `a server that stops says so`() async throws {
        let server = try await RunningServer(importing: true)
        let lock = HeldLock()
        try #require(lock.take(server.store))
        let transport = WatchedTransport()
        let client = try server.app(attempts: 1, transport: transport)
        let job = try await client.importFile(Data("Title\nReef\n".utf8), named: "a.csv")
        let following = Task { try await client.updates(of: job, over: [.webSocket]) }
        await transport.waitForMessage()
        await server.server.stop()
        await #expect(throws: BooksTrackError.closed(.goingAway)) { try await following.value }
        lock.release()
    }

    @Test func `a token is renewed while its job is followed, and the client knows it`() async throws {
        let clock = SetClock()
        let server = try await RunningServer(clock: clock, importing: true)
        let lock = HeldLock()
        try #require(lock.take(server.store))
        let transport = WatchedTransport()
        let client = try server.app(
            transport: transport,
            date: { Date(timeIntervalSince1970: Double(clock.epochMilliseconds()) / 1_000) })
        let job = try await client.importFile(Data("Title\nReef\n".utf8), named: "a.csv")
        let following = Task { try await client.updates(of: job, over: [.stream]) }
        var arrivals = transport.arrivals.makeAsyncIterator()
        // The upload's answer, and the stream's head and first bytes.
        for _ in 0..<4 { _ = await arrivals.next() }
        clock.advance(seconds: 91 * 60)
        // Comments keep the connection open, and the client hears them.
        var rounds = 0
        while await client.tokenEnd(of: job) == job.expiresAt, rounds < 100 {
            rounds += 1
            clock.advance(seconds: 30)
            server.server.backend.tick()
            _ = await arrivals.next()
        }
        let end = await client.tokenEnd(of: job)
        #expect(end > job.expiresAt.addingTimeInterval(80 * 60))
        clock.advance(seconds: Int(end.timeIntervalSince1970) - Int(clock.epochMilliseconds() / 1_000) - 1)
        #expect(try await client.status(of: job).id == job.id)
        lock.release()
        #expect(try await following.value.last?.kind == .completed)
    }
}
