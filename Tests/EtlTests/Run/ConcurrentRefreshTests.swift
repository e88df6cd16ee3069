import FakeServices
import Foundation
import System
import TestSupport
import Testing

/// Refreshes that meet on one store, and signals to a refresh that waits.
@Suite(
    .enabled(if: FileManager.default.isExecutableFile(atPath: ProjectFiles.tool), "needs the built tool"))
struct ConcurrentRefreshTests {
    /// Reason why a refresh waits when the signal comes.
    enum Phase: CaseIterable, Sendable {
        /// A response that does not arrive.
        case silent
        /// The end of a pause that a service has asked for.
        case paused
        /// The next request that the rate limit allows.
        case limited

        var reply: FakeReply? {
            switch self {
            case .silent: return FakeReply(manner: .silent)
            case .paused:
                var reply = FakeReply.json("{}", status: 429)
                reply.fields["Retry-After"] = "60"
                return reply
            case .limited: return nil
            }
        }
    }

    // The sanitizer makes the tests ten times slower, and the machine busy.
    #if THREAD_SANITIZER
    private static let limit: UInt64 = 20_000_000_000
    #else
    private static let limit: UInt64 = 2_000_000_000
    #endif

    @Test(arguments: Phase.allCases)
    func `a second refresh ends with 75 and names the first, which ends within two seconds of a signal`(
        phase: Phase
    ) throws {
        let (asked, services) = (Pipe(), FakeServices())
        let tool = try ToolWithServices(rate: phase == .limited ? 1 : 100, services: ["google-books"]) {
            try? asked.fileHandleForWriting.write(contentsOf: Data([1]))
            return phase.reply ?? services.answer($0)
        }
        defer { tool.server.stop() }
        let (library, store) = (try tool.library("library.csv", records: 50), tool.folder.file("s.sqlite"))
        #expect(try tool.ending(["import", "--quiet", "--offline", "--db", store, library]).status == 0)
        let first = try tool.start(["enrich", "--quiet", "--all", "--job", "night", "--db", store])
        try first.waitForBytes(at: asked.fileHandleForReading)

        let second = try tool.ending(["enrich", "--all", "--db", store])
        #expect(second.status == 75)
        #expect(second.errors.contains("is in use by another etl process"), "\(second.errors)")
        #expect(second.errors.contains("etl cancel --db \(store) night"), "\(second.errors)")

        let raised = SystemClock().nanoseconds()
        first.send(SIGTERM)
        let ending = try first.wait()
        #expect(SystemClock().nanoseconds() - raised < Self.limit)
        #expect(ending.status == 143 && !ending.isSignal, "\(ending)")
        // The lock is free, and the job can continue.
        let status = try tool.ending(["status", "--db", store, "--json", "night"])
        #expect(status.output.contains("\"running\":false") && status.output.contains("processing"))
    }

    @Test func `a refresh whose budget is spent says how far it is, and is resumed by its name`() throws {
        let services = FakeServices()
        let tool = try ToolWithServices(rate: 1_000, services: ["google-books"]) { services.answer($0) }
        defer { tool.server.stop() }
        let (library, store) = (try tool.library("library.csv", records: 40), tool.folder.file("s.sqlite"))
        #expect(try tool.ending(["import", "--quiet", "--offline", "--db", store, library]).status == 0)
        let events = tool.folder.file("events")
        let spent = try tool.ending([
            "enrich", "--all", "--job", "night", "--max-calls", "3", "--events", events, "--db", store,
        ])
        #expect(spent.status == 75)
        let payloads = try BuiltTool.messages(in: events).compactMap { $0["payload"] as? [String: Any] }
        // Records without the services' answers are not finished, at no time.
        let counts = payloads.compactMap { $0["processedCount"] as? Int }
        let last = try #require(counts.last)
        #expect(counts == counts.sorted() && (1...3).contains(last), "\(counts)")
        #expect(
            payloads.last?["status"] as? String
                == "Refreshed \(last) of 40 books, and the others wait for the next run")
        #expect((payloads.first?["estimatedDuration"] as? Int ?? 0) > 100)

        let resumed = try tool.ending(["resume", "night", "--db", store])
        #expect(resumed.status == 0, "\(resumed.errors)")
        #expect(resumed.output.contains("Refreshed 40 books"), "\(resumed.output)")
        let files = try tool.ending(["resume", "night", library, "--db", store])
        #expect(files.status == 0, "it has completed")
        #expect(try tool.ending(["resume", "--db", store]).errors.contains("nothing to resume"))
    }

    @Test func `a refresh is resumed without files, and left alone by a retry of imports`() throws {
        let tool = try ToolWithServices(rate: 1_000, services: ["google-books"]) { _ in
            .json("{}", status: 500)
        }
        defer { tool.server.stop() }
        let (library, store) = (try tool.library("library.csv", records: 4), tool.folder.file("s.sqlite"))
        #expect(try tool.ending(["import", "--quiet", "--offline", "--db", store, library]).status == 0)
        #expect(
            try tool.ending(["enrich", "--quiet", "--all", "--job", "night", "--db", store]).status == 75)
        let files = try tool.ending(["resume", "night", library, "--db", store])
        #expect(files.status == 64)
        #expect(
            files.errors.contains("Job `night` refreshes stored books and reads no files."), "\(files.errors)"
        )
        let retry = try tool.ending(["retry", "--db", store])
        #expect(retry.status == 0 && retry.errors.contains("nothing to do"), "\(retry.errors)")
    }
}
