import FakeServices
import Foundation
import Pipeline
import TestSupport
import Testing

/// Refreshes that meet on one store, and signals to a refresh that waits.
@Suite(
    .enabled(if: FileManager.default.isExecutableFile(atPath: ProjectFiles.tool), "needs the built tool"))
struct ConcurrentRefreshTests {
    /// What a refresh waits for when the signal comes.
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
        _ = asked.fileHandleForReading.availableData

        let second = try tool.ending(["enrich", "--all", "--db", store])
        #expect(second.status == 75)
        #expect(second.errors.contains("is in use by another etl process"), "\(second.errors)")
        #expect(second.errors.contains("etl cancel --db \(store) night"), "\(second.errors)")

        let raised = SystemClock().nanoseconds()
        first.send(SIGTERM)
        let ending = try first.wait()
        #expect(SystemClock().nanoseconds() - raised < Self.limit)
        #expect(ending.status == 143 && !ending.isSignal)
        // The lock is free, and the job can continue.
        let status = try tool.ending(["status", "--db", store, "--json", "night"])
        #expect(status.output.contains("\"running\":false") && status.output.contains("processing"))
    }
}
