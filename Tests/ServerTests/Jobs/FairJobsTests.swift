import Books
import Foundation
import Jobs
import Services
import System
import TestSupport
import Testing

@testable import Server

/// Imports of several users, over real connections. Users are told apart by the address that a proxy names.
@Suite(.ownThread) struct FairJobsTests {
    private static func server(_ transport: HeldTransport) async throws -> RunningServer {
        try await RunningServer(clock: SystemClock()) { settings in
            settings.addresses = ClientAddress(proxies: [ClientAddress.Range("127.0.0.1")].compactMap { $0 })
            let asked = ServiceSettings.fake(over: transport)
            settings.jobs.imports.services = { (names, isOffline, _) throws(ETLError) in
                names?.isEmpty == true || isOffline ? ServiceSettings() : asked
            }
        }
    }

    private static func upload(
        _ file: String, _ fields: [(String, String)], from address: String, to server: RunningServer
    ) throws -> (job: String, token: String) {
        try server.upload(file, fields: fields, headers: [("X-Forwarded-For", address)]).acceptedJob()
    }

    private static func position(_ job: (job: String, token: String), _ server: RunningServer) throws -> Int?
    {
        try server.data("/v1/jobs/\(job.job)", token: job.token)["position"] as? Int
    }

    @Test func `who listens to a job that waits for its turn is told its place`() async throws {
        let transport = HeldTransport(isOpen: false)
        let server = try await Self.server(transport)
        let isbn = try #require(FakeClient.isbns(known: 1, unknown: 0).known.first).isbn13
        let long = try Self.upload("ISBN\n\(isbn)\n", [], from: "192.0.2.1", to: server)
        await transport.asked.wait()
        let waiting = try Self.upload(
            "Title,Author\nReef,Ana Lee\n", [("providers", "none")], from: "192.0.2.1", to: server)
        let client = try server.client()
        try client.send(
            "GET /v1/jobs/\(waiting.job)/stream?token=\(waiting.token) HTTP/1.1\nHost: localhost\n\n")
        _ = try client.head()
        var told = ""
        while !told.contains("it is next") { told += String(decoding: try client.chunk(), as: UTF8.self) }
        #expect(told.contains("event: progress") && told.contains("\"type\":\"job_progress\""))
        transport.opened.raise()
        for job in [long, waiting] {
            #expect(try server.wait(for: job.job, job.token).last?.event == "completed")
        }
        await server.server.stop()
    }

    @Test func `a job that was interrupted for another user says when its turn begins at the latest`()
        async throws
    {
        let transport = HeldTransport(isOpen: false)
        let server = try await Self.server(transport)
        let isbns = FakeClient.isbns(known: 2, unknown: 0).known.map(\.isbn13)
        let first = try Self.upload(
            "ISBN\n\(isbns[0])\n", [("library", "one")], from: "192.0.2.1", to: server)
        await transport.asked.wait()
        let second = try Self.upload(
            "ISBN\n\(isbns[1])\n", [("library", "two")], from: "192.0.2.2", to: server)
        let now = SystemClock().epochMilliseconds()
        var turn: String?
        while turn == nil {
            for job in [first, second] where turn == nil {
                turn = try server.data("/v1/jobs/\(job.job)", token: job.token)["startsAt"] as? String
            }
        }
        let begins = try #require(ISO8601DateFormatter().date(from: turn ?? "")).timeIntervalSince1970
        #expect(begins >= Double(now / 1_000) && begins < Double(now / 1_000) + 3_600, "\(turn ?? "")")
        transport.opened.raise()
        for job in [first, second] {
            #expect(try server.wait(for: job.job, job.token).last?.event == "completed")
        }
        await server.server.stop()
    }

    @Test func `an import that waits for services is interrupted for another user, and goes on`() async throws
    {
        let transport = HeldTransport(isOpen: false)
        let server = try await Self.server(transport)
        let isbns = FakeClient.isbns(known: 3, unknown: 0).known.map(\.isbn13)
        let table = "Title,Author,ISBN\n" + isbns.map { "Book \($0),Ana Lee,\($0)\n" }.joined()
        let long = try Self.upload(table, [("library", "long")], from: "192.0.2.1", to: server)
        await transport.asked.wait()
        let same = try Self.upload(
            "Title,Author\nReef,Ana Lee\n", [("providers", "none"), ("library", "same")], from: "192.0.2.1",
            to: server)
        #expect(try Self.position(same, server) == 1)
        let other = try Self.upload(
            "Title,Author\nCove,Ida Ray\n", [("providers", "none"), ("library", "other")], from: "192.0.2.2",
            to: server)
        // Services answer nothing yet, so the first job cannot have ended.
        #expect(try server.wait(for: other.job, other.token).last?.event == "completed")
        #expect(
            try server.data("/v1/jobs/\(long.job)", token: long.token)["status"] as? String == "processing")
        transport.opened.raise()
        let events = try server.wait(for: long.job, long.token)
        #expect(events.map(\.event).last == "completed")
        #expect(events.count { $0.event == "started" } == 1, "its clients need not know")
        #expect(try server.wait(for: same.job, same.token).last?.event == "completed")
        #expect(try Self.position(same, server) == nil)
        await server.server.stop()
    }
}
