import Foundation
import Jobs
import Services
import Store
import TestSupport
import Testing

@testable import Database
@testable import FakeServices
@testable import System

/// Answers reach the library while others are still waited for, over real sockets.
@Suite struct ArrivingAnswersTests {
    /// Fake services that answer as a closure decides.
    private func server(
        _ change: @escaping @Sendable (FakeRequest, FakeReply) -> FakeReply
    ) throws -> FakeServer {
        let services = FakeServices()
        return try FakeServer { change($0, services.answer($0)) }
    }

    /// Expected library if all services answer.
    private func reference(_ library: NetworkImport) async throws -> String {
        let calm = try server { $1 }
        defer { calm.stop() }
        var settings = library.settings(calm)
        settings.stateFolder = nil
        let outcome = try await library.run("calm.sqlite", settings)
        #expect(outcome.job.pending == 0)
        return try library.dump("calm.sqlite")
    }

    @Test(arguments: ["wikidata", "isbndb", "google-books"])
    func `one silent service does not keep the others' answers out`(silent: String) async throws {
        let library = try NetworkImport(records: 120)
        let reference = try await reference(library)
        let isSilent = Guarded(true)
        let server = try server { request, reply in
            let isAffected = request.path.hasPrefix("/\(silent)") && isSilent.withLock { $0 }
            return isAffected ? FakeReply(manner: .reset) : reply
        }
        defer { server.stop() }
        var settings = library.settings(server)
        // No answer is in time for the first pass.
        settings.firstWaitPolicy = .timeout(0)
        let clock = ManualClock()
        let first = try await library.run("s.sqlite", settings, clock: clock)
        #expect(first.end == .completed)
        #expect(first.job.pending > 40)
        #expect(try library.editions("s.sqlite", with: "openlibrary") > 60)

        // Asking again changes nothing while the service is silent.
        let before = try library.dump("s.sqlite")
        await clock.sleep(nanoseconds: 61_000_000_000)
        let second = try await library.run("s.sqlite", settings, again: true, clock: clock)
        #expect(second.job.pending == first.job.pending)
        #expect(try library.dump("s.sqlite") == before)

        isSilent.withLock { $0 = false }
        await clock.sleep(nanoseconds: 3_600_000_000_000)
        let third = try await library.run("s.sqlite", settings, again: true, clock: clock)
        #expect(third.job.pending == 0)
        #expect(try library.dump("s.sqlite") == reference)
    }

    @Test func `editions reach the library although their works are not answered`() async throws {
        let library = try NetworkImport(records: 120)
        let isSilent = Guarded(true)
        let server = try server { request, reply in
            let isAffected = request.path.hasPrefix("/openlibrary/works") && isSilent.withLock { $0 }
            return isAffected ? FakeReply(manner: .reset) : reply
        }
        defer { server.stop() }
        var settings = library.settings(server)
        settings.asked["google-books"] = nil
        settings.asked["isbndb"] = nil
        let clock = ManualClock()
        let first = try await library.run("s.sqlite", settings, clock: clock)
        #expect(first.job.pending > 40)
        #expect(try library.editions("s.sqlite", with: "openlibrary") > 60)

        isSilent.withLock { $0 = false }
        await clock.sleep(nanoseconds: 3_600_000_000_000)
        _ = try await library.run("s.sqlite", settings, again: true, clock: clock)
        let full = try await library.run("all.sqlite", settings, clock: clock)
        #expect(full.job.pending == 0)
        #expect(try library.dump("s.sqlite") == library.dump("all.sqlite"))
    }

    @Test func `a stop keeps what has arrived, and the next run does the rest`() async throws {
        let library = try NetworkImport(records: 120)
        let reference = try await reference(library)
        let stop = StopSignal()
        let asked = Guarded(0)
        // An author is asked for when the book and the work are known.
        let server = try server { request, reply in
            guard request.path.hasPrefix("/openlibrary/authors") else { return reply }
            if asked.withLock({
                $0 += 1
                return $0
            }) == 20 {
                stop.raise()
            }
            return reply
        }
        defer { server.stop() }
        var settings = library.settings(server)
        settings.firstWaitPolicy = .timeout(0)
        let stopped = try await library.run("s.sqlite", settings, stop: stop)
        #expect(stopped.end == .stopped)
        #expect(stopped.job.pending > 0)
        #expect(try library.editions("s.sqlite", with: "openlibrary") > 0)
        #expect(stopped.job.counts.totalProcessed == 120)
        // Everything that was answered is in the library: running again without a network adds nothing.
        let before = try library.dump("s.sqlite")
        var offline = settings
        offline.asked = [:]
        _ = try await library.run("s.sqlite", offline, again: true)
        #expect(try library.dump("s.sqlite") == before)
        let resumed = try await library.run("s.sqlite", settings, again: true)
        #expect(resumed.end == .completed && resumed.job.pending == 0)
        #expect(try library.dump("s.sqlite") == reference)
    }

    // The sanitized tool runs the job again so slowly that the held requests exceed their time limit.
    #if !THREAD_SANITIZER
    @Test func `while a slow service is waited for, the library fills`() async throws {
        let library = try NetworkImport(records: 120)
        let reference = try await reference(library)
        // The service answers its later half only after the library was seen with the earlier half.
        let held = DispatchSemaphore(value: 0)
        let asked = Guarded(0)
        let server = try server { request, reply in
            guard request.path.hasPrefix("/google-books") else { return reply }
            let number = asked.withLock {
                $0 += 1
                return $0
            }
            if number > 40 {
                held.wait()
                held.signal()
            }
            return reply
        }
        defer { server.stop() }
        var settings = library.settings(server)
        settings.firstWaitPolicy = .timeout(0)
        let run = Task { [settings] in try await library.run("s.sqlite", settings) }
        // The job is run again at most ten seconds after an answer.
        let deadline = ContinuousClock.now + .seconds(120)
        while ((try? library.editions("s.sqlite", with: "google-books")) ?? 0) < 20,
            ContinuousClock.now < deadline
        {
            await Task.yield()
        }
        #expect(try library.editions("s.sqlite", with: "google-books") >= 20)
        held.signal()
        #expect(try await run.value.end == .completed)
        // On a slow machine, requests may be held for longer than they wait. They are asked again.
        for _ in 0..<3 where try await library.run("s.sqlite", settings, again: true).job.pending > 0 {}
        #expect(try library.dump("s.sqlite") == reference)
    }
    #endif
}
