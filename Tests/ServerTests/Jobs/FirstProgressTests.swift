import Books
import Foundation
import Jobs
import Pipeline
import System
import TestSupport
import Testing

@testable import Server

/// The progress of a job from its beginning.
@Suite(.ownThread) struct FirstProgressTests {
    @Test func `a job tells its progress before its first record is finished`() async throws {
        let services = HeldTransport(isOpen: false)
        let running = try await RunningServer(clock: SystemClock()) { settings in
            var asked = ServiceSettings.fake(
                at: "http://fake.test", ["google-books"], limits: FakeClient.limits)
            asked.transport = services
            let imports = asked
            settings.jobs.imports.services = { (_, _, _) throws(ETLError) in imports }
        }
        let isbns = FakeClient.isbns(known: 3, unknown: 0).known.map(\.isbn13)
        let (job, token) = try running.accepted("ISBN13\n" + isbns.joined(separator: "\n") + "\n")
        await services.asked.wait()
        let client = try running.client()
        try client.send("GET /v1/jobs/\(job)/stream?token=\(token) HTTP/1.1\nHost: localhost\n\n")
        _ = try client.head()
        var text = ""
        while RunningServer.events(text).count < 2 {
            text += String(decoding: try client.chunk(), as: UTF8.self)
        }
        let events = RunningServer.events(text)
        #expect(events.map(\.event).prefix(2) == ["started", "progress"])
        let payload = try #require(events[1].data["payload"] as? [String: Any])
        #expect(payload["progress"] as? Double == 0 && payload["processedCount"] as? Int == 0)
        services.opened.raise()
        try running.wait(for: job, token)
        await running.server.stop()
    }

    @Test func `an import that clients watch advances by a twentieth, any other by whole batches`()
        async throws
    {
        for (isWatched, least) in [(true, 20), (false, 2)] {
            var sample = try SampleImport(sharing: try await RunningServer.catalog.value)
            sample.batchRecords = 512
            sample.batchesPerCommit = nil
            let rows = (1...1_000).map { "Title \($0),Author \($0 % 7)" }
            let file = sample.folder.file("rows.csv")
            try Data(("Title,Author\n" + rows.joined(separator: "\n") + "\n").utf8)
                .write(to: URL(fileURLWithPath: file))
            sample.files = [file]
            var request = try sample.request(store: sample.folder.file("library-\(isWatched).sqlite"))
            request.admitsReaders = isWatched
            let steps = Guarded<[Int]>([])
            _ = try await ImportJob(
                request, clock: ManualClock(),
                observing: { event in
                    if case .ran(.committed(_, let records, _)) = event {
                        steps.withLock { $0.append(records) }
                    }
                }
            ).run()
            let counts = steps.withLock { $0 }
            #expect(counts.count == least && counts.reduce(0, +) == 1_000, "\(counts)")
        }
    }
}
