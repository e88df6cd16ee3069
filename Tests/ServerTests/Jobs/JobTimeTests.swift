import Books
import Foundation
import Jobs
import Services
import System
import TestSupport
import Testing

@testable import Server

/// Jobs that run for as long as one may.
@Suite(.ownThread) struct JobTimeTests {
    @Test func `a job that runs too long ends as failed, and says how to go on`() async throws {
        let (clock, transport) = (ForwardClock(), HeldTransport(isOpen: false))
        let running = try await RunningServer(clock: clock) { settings in
            settings.jobs.jobTime = 1_800_000_000_000
            var services = ServiceSettings.fake(at: "http://fake.test", limits: FakeClient.limits)
            services.transport = transport
            let asked = services
            settings.jobs.imports.services = { (_, _, _) throws(ETLError) in asked }
        }
        let isbns = FakeClient.isbns(known: 3, unknown: 0).known.map(\.isbn13)
        let (job, token) = try running.accepted("ISBN13\n" + isbns.joined(separator: "\n") + "\n")
        await transport.asked.wait()
        clock.advance(seconds: 1_800)
        running.server.backend.tick()
        // A stopped run awaits the answers to what it has sent.
        transport.opened.raise()
        let last = try #require(try running.wait(for: job, token).last)
        #expect(last.event == "failed")
        let payload = try #require(last.data["payload"] as? [String: Any])
        let message = try #require(payload["message"] as? String)
        #expect(
            message.wholeMatch(
                of:
                    #/The job has run for 30 min, as long as one may\. \d of 3 records are imported\. Import the others in smaller files, or ask the server's administrator for more time\./#
            ) != nil, "\(message)")
        #expect(try running.data("/v1/jobs/\(job)", token: token)["status"] as? String == "failed")
        await running.server.stop()
    }
}
