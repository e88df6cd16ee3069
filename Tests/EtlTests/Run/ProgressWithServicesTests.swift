import FakeServices
import Foundation
import TestSupport
import Testing

/// The built tool's reports while it waits for services.
@Suite(
    .enabled(if: FileManager.default.isExecutableFile(atPath: ProjectFiles.tool), "needs the built tool"))
struct ProgressWithServicesTests {
    @Test func `progress advances as records are looked up, to the end`() throws {
        let services = FakeServices()
        // One question per request: five seconds, of which the first pass waits for two.
        let tool = try ToolWithServices(rate: 20, services: ["google-books"]) { services.answer($0) }
        defer { tool.server.stop() }
        let library = try tool.library("library.csv", records: 100)
        let events = tool.folder.file("events.ndjson")
        let ending = try tool.ending([
            "import", "--quiet", "--db", tool.folder.file("s.sqlite"), "--events", events, library,
        ])
        #expect(ending.status == 0, "\(ending.errors)")
        var counts: [Int] = []
        for message in try BuiltTool.messages(in: events) where message["type"] as? String == "job_progress" {
            let payload = try #require(message["payload"] as? [String: Any])
            counts.append(try #require(payload["processedCount"] as? Int))
        }
        // The message after the last is that of the job's end.
        #expect(counts.count >= 3 && (96...100).contains(counts.last ?? 0), "\(counts)")
        #expect(zip(counts, counts.dropFirst()).allSatisfy { $0 < $1 }, "\(counts)")
    }
}
