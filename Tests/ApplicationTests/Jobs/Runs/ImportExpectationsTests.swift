import Foundation
import Pipeline
import TestSupport
import Testing

@testable import Jobs
@testable import Queries
@testable import Store

/// Imports that do not meet the expectations of their pipeline.
@Suite struct ImportExpectationsTests {
    private let sample: SampleImport

    init() async throws {
        sample = try await SampleImport()
        try await sample.run("s.sqlite")
    }

    /// Imports an export in which each review is another one.
    private func importChanged(
        expecting settings: [String], accepting: Bool = false, into store: String = "s.sqlite",
        observingCommits: (@Sendable (ResultsStore.CommitPoint) -> Void)? = nil
    ) async throws -> ImportOutcome {
        let file = ProjectFiles.sample("goodreads_library_export.csv")
        let text = try String(contentsOfFile: file, encoding: .utf8)
        var sample = sample
        sample.files = [
            try sample.folder.write(text.replacing(",read,", with: ",to-read,"), to: "changed.csv")
        ]
        var request = try sample.request(store: sample.folder.file(store))
        request.jobName = "changed"
        request.replaces = true
        request.acceptsViolations = accepting
        request.definition = try DefinitionFile.read(
            DefinitionFile.load("\(ProjectFiles.root)/Pipelines/csv_import.yaml"), named: "csv_import.yaml",
            overrides: settings.map { setting in try DefinitionOverride(option: "sink.settings.\(setting)") })
        return try await ImportJob(request, clock: ManualClock(), observingCommits: observingCommits).run()
    }

    private var dump: String { get throws { try sample.dump("s.sqlite") } }

    @Test func `an import that changes too much is undone, and the library is as before`() async throws {
        let before = try dump
        let outcome = try await importChanged(expecting: ["expect=changed <= 5 %", "on_violation=undo"])
        guard case .violated(let violations, undoneBy: .some) = outcome.end else {
            Issue.record("\(outcome.end)")
            return
        }
        #expect(violations.first?.hasPrefix("`changed <= 5 %`") == true)
        #expect(outcome.job.undoneBy != nil)
        #expect(try dump == before)
        #expect(try StoreCheck(StoreFile.openForReading(sample.folder.file("s.sqlite"))).problems().isEmpty)
    }

    @Test func `an import that is undone can be killed at any commit and started again`() async throws {
        let before = try dump
        let settings = ["expect=changed <= 5 %", "on_violation=undo"]
        let folder = sample.folder
        SampleImport.copy(folder.file("s.sqlite"), to: folder.file("watched.sqlite"))
        let copies = CommitCopies(of: "watched.sqlite", in: folder)
        _ = try await importChanged(
            expecting: settings, into: "watched.sqlite", observingCommits: copies.take)
        var endedBeforeUndo = 0
        for name in copies.names {
            let left = try JobTable(StoreFile.openForReading(folder.file(name))).job(named: "changed")
            if left?.undoneBy == nil {
                if left?.endedAt != nil { endedBeforeUndo += 1 }
                let again = try await importChanged(expecting: settings, into: name)
                guard case .violated(_, undoneBy: .some) = again.end else {
                    Issue.record("\(name): \(again.end)")
                    continue
                }
            }
            #expect(try sample.dump(name) == before, "\(name)")
        }
        #expect(endedBeforeUndo > 0)
    }

    @Test func `without an undo the job waits until it is accepted`() async throws {
        let expected = ["expect=changed <= 5 %"]
        let outcome = try await importChanged(expecting: expected)
        guard case .violated(_, undoneBy: nil) = outcome.end else {
            Issue.record("\(outcome.end)")
            return
        }
        #expect(outcome.job.isUnfinished)
        #expect(try await importChanged(expecting: expected, accepting: true).end == .completed)
    }
}
