import Foundation
import Pipeline
import System
import Testing

/// The page `WritingAStage` and the code it shows.
@Suite struct ExampleTests {
    private let texts = ["  one", "two", "  a line that is far too long", "three  ", ""]

    @Test func `the pipeline on the page runs and rejects lines that are too long`() async throws {
        let sink = KeepLines()
        let plan = try Example.plan(Example.definition, Example.registry(reading: texts, into: sink))
        let report = try await Example.run(plan)
        #expect(report.outcome == .completed && report.recordsCommitted == 5)
        let kept = sink.kept.withLock { $0 }
        #expect(kept.texts == ["one", "two", "three  ", ""])
        #expect(kept.rejected == [3])
        #expect(kept.checkpoint.record == 6)
    }

    @Test func `a wrong setting is found before any stage is made`() {
        let wrong = Example.definition.replacingOccurrences(of: "longest: 12", with: "longest: many")
        let registry = Example.registry(reading: [], into: KeepLines())
        let error = #expect(throws: PlanError.self) { try Example.plan(wrong, registry) }
        #expect(error?.problems.first?.code == .wrongValue)
    }

    @Test func `the page shows these files word for word`() throws {
        let here = URL(filePath: #filePath).deletingLastPathComponent()
        let page = here.appending(path: "../../../Sources/Pipeline/Pipeline.docc/WritingAStage.md")
            .standardized
        let shown = try String(contentsOf: page, encoding: .utf8).split(separator: "```swift\n").dropFirst()
            .map { String($0.split(separator: "\n```").first ?? "") }
        let written = try ["Lines", "TrimLines", "ReadTexts", "KeepLines", "Example"].map { name in
            let text = try String(contentsOf: here.appending(path: "\(name).swift"), encoding: .utf8)
            return text.replacing(#/import \w+\n+/#, with: "")
                .trimmingCharacters(in: .newlines)
        }
        #expect(shown == written)
    }
}
