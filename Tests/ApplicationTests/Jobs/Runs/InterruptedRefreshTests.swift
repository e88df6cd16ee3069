import Formats
import Foundation
import System
import TestSupport
import Testing

@testable import Database
@testable import Jobs
@testable import Store

/// Refreshes that are killed or stopped at every commit. A copy of the store at a commit is what `kill -9` at that
/// moment would leave.
@Suite struct InterruptedRefreshTests {
    private let sample: SampleImport
    private let before: String

    private static let violating = ["expect=changed <= 5 %", "on_violation=undo"]

    /// A library that was imported without a catalog.
    init() async throws {
        var sample = try await SampleImport()
        let catalog = sample
        sample.asksCatalog = false
        self.sample = catalog
        var request = try sample.request(store: sample.folder.file("s.sqlite"))
        request.reading.limit = 40
        _ = try await ImportJob(request, clock: ManualClock()).run()
        before = try sample.dump("s.sqlite")
    }

    private func copy(to name: String) {
        SampleImport.copy(sample.folder.file("s.sqlite"), to: sample.folder.file(name))
    }

    @discardableResult
    private func refresh(
        _ store: String, expecting: [String] = [], stop: StopSignal = StopSignal(),
        observingCommits: (@Sendable (ResultsStore.CommitPoint) -> Void)? = nil
    ) async throws -> ImportOutcome {
        let request = try RefreshRuns.request(
            sample.folder.file(store), RefreshOptions(), catalogs: [sample.catalog], name: "night",
            batchRecords: 8, sink: expecting)
        return try await ImportJob(
            request, clock: ManualClock(), stop: stop, observingCommits: observingCommits
        ).run()
    }

    private func night(_ store: String) throws -> Job? {
        try JobTable(StoreFile.openForReading(sample.folder.file(store))).job(named: "night")
    }

    private func undo(_ store: String) async throws {
        _ = try await ResultsStore(sample.folder.file(store), clock: ManualClock()).undo(
            UndoRequest(jobs: ["night"], name: UUID().uuidString))
    }

    private func isTakenBack(_ outcome: ImportOutcome) -> Bool {
        if case .violated(_, undoneBy: .some) = outcome.end { true } else { false }
    }

    @Test func `a refresh killed at any commit and started again leaves what an uninterrupted one does`()
        async throws
    {
        copy(to: "whole.sqlite")
        try await refresh("whole.sqlite")
        let whole = try sample.dump("whole.sqlite")
        #expect(whole != before)

        copy(to: "watched.sqlite")
        let copies = CommitCopies(of: "watched.sqlite", in: sample.folder)
        try await refresh("watched.sqlite", observingCommits: copies.take)
        #expect(copies.names.count > 20)
        for name in copies.names {
            // The last commits are after the job's end.
            if try night(name)?.status != .completed {
                let again = try await refresh(name)
                #expect(again.end == .completed, "\(name)")
            }
            #expect(try sample.dump(name) == whole, "\(name)")
            try await undo(name)
            #expect(try sample.dump(name) == before, "\(name)")
        }
    }

    @Test func `a job that is undone because it changes too much can be killed at any commit`()
        async throws
    {
        copy(to: "watched.sqlite")
        let copies = CommitCopies(of: "watched.sqlite", in: sample.folder)
        let whole = try await refresh(
            "watched.sqlite", expecting: Self.violating, observingCommits: copies.take)
        #expect(isTakenBack(whole))
        var endedBeforeUndo = 0
        for name in copies.names {
            let left = try night(name)
            if left?.undoneBy == nil {
                if left?.endedAt != nil { endedBeforeUndo += 1 }
                let again = try await refresh(name, expecting: Self.violating)
                #expect(isTakenBack(again), "\(name)")
            }
            #expect(try sample.dump(name) == before, "\(name)")
        }
        #expect(endedBeforeUndo > 0)
    }

    @Test func `a refresh stopped at any commit, or while it is undone, ends the same later`()
        async throws
    {
        var undoStopped = 0
        for commit in 1...200 {
            copy(to: "stopped.sqlite")
            let stop = StopSignal()
            let left = Guarded(commit)
            var first: ImportOutcome?
            do {
                first = try await refresh("stopped.sqlite", expecting: Self.violating, stop: stop) { point in
                    guard point == .committing else { return }
                    let isDue = left.withLock { left in
                        left -= 1
                        return left == 0
                    }
                    if isDue { stop.raise() }
                }
            } catch let failure as ETLError {
                // It was looking for its books.
                #expect(failure.kind == .temporary)
                #expect(try night("stopped.sqlite") == nil)
            }
            guard stop.isRaised else {
                #expect(commit > 10 && first.map(isTakenBack) == true)
                break
            }
            if first.map(isTakenBack) != true {
                if let first {
                    #expect(first.end == .stopped, "stopped at commit \(commit)")
                    #expect(first.job.status == .processing, "stopped at commit \(commit)")
                    if first.job.counts.totalProcessed == 40 { undoStopped += 1 }
                }
                let again = try await refresh("stopped.sqlite", expecting: Self.violating)
                #expect(isTakenBack(again), "stopped at commit \(commit)")
            }
            #expect(try sample.dump("stopped.sqlite") == before, "stopped at commit \(commit)")
        }
        #expect(undoStopped > 0)
    }

    @Test func `a refresh stopped while it looks for its books begins no job`() async throws {
        let stop = StopSignal()
        stop.raise()
        do {
            try await refresh("s.sqlite", stop: stop)
            Issue.record("it began")
        } catch let failure as ETLError {
            #expect(failure.kind == .temporary)
        }
        #expect(try night("s.sqlite") == nil)
        #expect(try sample.dump("s.sqlite") == before)
        #expect(try await refresh("s.sqlite").end == .completed)
    }
}
