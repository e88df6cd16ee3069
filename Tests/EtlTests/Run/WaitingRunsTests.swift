import FakeServices
import Foundation
import TestSupport
import Testing

/// View of other processes on a run that waits for slow services, and time until it is canceled.
@Suite(
    .enabled(if: FileManager.default.isExecutableFile(atPath: ProjectFiles.tool), "needs the built tool"))
struct WaitingRunsTests {
    private static func object(_ text: String) throws -> [String: Any] {
        try #require(try JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String: Any])
    }

    private static func messages(_ file: String) -> [[String: Any]] {
        let text = (try? String(contentsOfFile: file, encoding: .utf8)) ?? ""
        // The last line may be half written.
        return text.split(separator: "\n").compactMap { try? object(String($0)) }
    }

    private static func count(_ message: [String: Any]?) -> Int? {
        ((message?["payload"] as? [String: Any]) ?? [:])["processedCount"] as? Int
    }

    @Test func `status, events and cancellation of a run that waits for a slow service`() throws {
        let services = FakeServices()
        // Twenty seconds of questions.
        let tool = try ToolWithServices(rate: 5, services: ["google-books"]) { services.answer($0) }
        defer { tool.server.stop() }
        let library = try tool.library("library.csv", records: 100)
        let (events, store) = (tool.folder.file("events.ndjson"), tool.folder.file("s.sqlite"))
        let run = try tool.start([
            "import", "--quiet", "--db", store, "--job", "slow", "--events", events, library,
        ])
        var seen: [Int] = []
        while seen.count < 4 {
            guard let count = Self.count(Self.messages(events).last) else { continue }
            let status = try tool.ending(["status", "--db", store, "--json", "slow"])
            guard status.status == 0 else { continue }
            let object = try Self.object(status.output)
            let processed = try #require(object["processedCount"] as? Int)
            let progress = try #require(object["progress"] as? Double)
            #expect(progress < 1 && object["status"] as? String == "processing")
            // Between two looks at most a batch is finished.
            #expect(abs(processed - count) <= 10, "status \(processed), events \(count)")
            if seen.last != processed { seen.append(processed) }
            if let left = object["secondsLeft"] as? Int { #expect((1...120).contains(left)) }
        }
        #expect(zip(seen, seen.dropFirst()).allSatisfy { $0 < $1 && $1 - $0 <= 10 }, "\(seen)")
        let asked = ContinuousClock.now
        #expect(try tool.ending(["cancel", "--db", store, "slow"]).status == 0)
        #expect(try run.wait().status == 75)
        #expect(ContinuousClock.now - asked < .seconds(4), "two seconds, and the starts of two processes")
        let last = try #require(Self.messages(events).last)
        #expect(last["type"] as? String == "error")
        let status = try Self.object(try tool.ending(["status", "--db", store, "--json", "slow"]).output)
        #expect(status["status"] as? String == "canceled" && status["running"] as? Bool == false)
        #expect((status["progress"] as? Double ?? 1) < 1)
    }
}
