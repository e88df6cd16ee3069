import Books
import Foundation
import Jobs
import Services
import System
import TestSupport
import Testing

@testable import Server

/// Jobs that work for as long as one may.
@Suite(.ownThread) struct JobTimeTests {
    private let clock = ForwardClock()

    /// Work that lasts until a test ends it.
    private final class LongWork: Sendable {
        let begun = StopSignal()
        private let end = DispatchSemaphore(value: 0)

        /// Services for an import, which are known after the work.
        func services() -> ImportRequest.Services {
            { _, _, _ throws(ETLError) in
                self.begun.raise()
                self.end.wait()
                self.end.signal()
                return ServiceSettings()
            }
        }

        func finish() { end.signal() }
    }

    private func server(
        _ sample: SampleImport? = nil, services: @escaping ImportRequest.Services
    ) async throws -> RunningServer {
        try await RunningServer(sample, clock: clock) { settings in
            settings.jobs.jobTime = 1_800_000_000_000
            settings.jobs.imports.services = services
        }
    }

    private static func message(_ job: String, _ token: String, on running: RunningServer) throws -> String {
        let last = try #require(try running.wait(for: job, token).last)
        #expect(last.event == "failed")
        let payload = try #require(last.data["payload"] as? [String: Any])
        return try #require(payload["message"] as? String)
    }

    @Test func `a job that works too long ends as failed, and says how to go on`() async throws {
        let work = LongWork()
        let running = try await server(services: work.services())
        let (job, token) = try running.accepted("Title\nReef\nShore\nCove\n")
        await work.begun.wait()
        clock.advance(seconds: 1_800)
        running.server.backend.tick()
        work.finish()
        let message = try Self.message(job, token, on: running)
        #expect(
            message.wholeMatch(
                of:
                    #/The job has worked for 30 min, as long as one may\. (Nothing is|\d of 3 records are) imported\. Import the others in smaller files, or ask the server's administrator for more time\./#
            ) != nil, "\(message)")
        #expect(try running.data("/v1/jobs/\(job)", token: token)["status"] as? String == "failed")
        await running.server.stop()
    }

    @Test func `the time before a restart counts`() async throws {
        let (earlier, later) = (LongWork(), LongWork())
        let first = try await server(services: earlier.services())
        let (job, token) = try first.accepted("Title\nReef\n")
        await earlier.begun.wait()
        clock.advance(seconds: 1_200)
        await first.server.backend.jobs.keepTime()
        let signal = try #require(first.server.backend.jobs.state.withLock { $0.stop })
        async let stopped: Void = first.server.stop()
        await signal.wait()
        earlier.finish()
        await stopped
        let second = try await server(first.sample, services: later.services())
        await later.begun.wait()
        clock.advance(seconds: 590)
        second.server.backend.tick()
        #expect(second.server.backend.jobs.isActive(job))
        clock.advance(seconds: 10)
        second.server.backend.tick()
        later.finish()
        #expect(try Self.message(job, token, on: second).contains("has worked for 30 min"))
        await second.server.stop()
    }

    @Test func `a wait for the answers of services does not count`() async throws {
        let transport = HeldTransport(isOpen: false)
        var services = ServiceSettings.fake(over: transport)
        services.firstWaitPolicy = .timeout(0)
        let running = try await server(services: services.always)
        let isbns = FakeClient.isbns(known: 3, unknown: 0).known.map(\.isbn13)
        let (job, token) = try running.accepted("ISBN13\n" + isbns.joined(separator: "\n") + "\n")
        let jobs = running.server.backend.jobs
        while !jobs.state.withLock({ $0.schedule.awaitsAnswers }) { await Task.yield() }
        clock.advance(seconds: 3_600)
        running.server.backend.tick()
        transport.opened.raise()
        #expect(try running.wait(for: job, token).last?.event == "completed")
        await running.server.stop()
    }
}
