import Foundation
import System
import TestSupport
import Testing

@testable import Jobs
@testable import Queries
@testable import Store

/// Corrections, merges, splits, removals and undos that are killed at every commit. A copy of the store at a commit is what
/// `kill -9` at that moment would leave.
@Suite struct KilledEditsTests {
    enum Change: CaseIterable, Sendable {
        case set, lock, merge, split, remove, forget, undo, redo
    }

    private let library: EditedLibrary

    init() async throws {
        library = try await EditedLibrary()
        try await library.rows([EditedLibrary.dune(), EditedLibrary.emma], as: "first")
        try await library.rows([EditedLibrary.dune(review: "Hers.")], as: "anna", in: "anna")
        let ulysses = GoodreadsRows.row("3", "Ulysses", "James Joyce", "", date: "2020/01/03")
        try await library.rows([EditedLibrary.dune(review: "Good."), ulysses], as: "second")
    }

    private func apply(
        _ change: Change, to store: String,
        observing observe: (@Sendable (ResultsStore.CommitPoint) -> Void)? = nil
    ) async throws -> String {
        let path = library.folder.file(store)
        func edits() throws -> LibraryEdits { try LibraryEdits(path, observingCommits: observe) }
        func results() throws -> ResultsStore {
            try ResultsStore(path, clock: ManualClock(), observingCommits: observe)
        }
        let (dune, emma) = (BookReference("id:1"), BookReference("id:2"))
        let job =
            switch change {
            case .set:
                try await edits().edit(
                    emma, library: "default", pipeline: "set",
                    [(.review, .set(["Mine."])), (.publisher, .set(["Ace"])), (.title, .set(["Emma!"]))]
                ).job
            case .lock:
                try await edits().edit(emma, library: "default", pipeline: "lock", [(.review, .lock)]).job
            case .merge: try await edits().merge([emma, BookReference("id:3")]).job
            case .split: try await edits().split([emma]).job
            case .remove: try await edits().remove(dune, library: "default").change.job?.name
            case .forget: try await results().forget("anna", as: "forgotten").job?.name
            case .undo: try await results().undo(UndoRequest(jobs: ["second"], name: "back")).job?.name
            case .redo: try await results().undo(UndoRequest(jobs: ["back"], name: "forth")).job?.name
            }
        return try #require(job)
    }

    @Test(arguments: Change.allCases)
    func `a change killed at any commit is not there or complete, and can be undone`(
        change: Change
    ) async throws {
        switch change {
        case .split: _ = try await apply(.merge, to: "s.sqlite")
        case .redo: _ = try await apply(.undo, to: "s.sqlite")
        default: break
        }
        let before = try library.dump
        SampleImport.copy(library.path, to: library.folder.file("watched.sqlite"))
        let copies = CommitCopies(of: "watched.sqlite", in: library.folder)
        let job = try await apply(change, to: "watched.sqlite", observing: copies.take)
        let after = try library.sample.dump("watched.sqlite")
        #expect(change == .lock || after != before)

        var missing = 0
        for name in copies.names {
            let path = library.folder.file(name)
            var made = job
            if try JobTable(StoreFile.openForReading(path)).job(named: job) == nil {
                missing += 1
                #expect(try library.sample.dump(name) == before, "\(name)")
                made = try await apply(change, to: name)
            }
            #expect(try library.sample.dump(name) == after, "\(name)")
            _ = try await ResultsStore(path, clock: ManualClock()).undo(
                UndoRequest(jobs: [change == .redo ? "second" : made], name: UUID().uuidString))
            #expect(try library.sample.dump(name) == before, "\(name)")
            #expect(try StoreCheck(StoreFile.openForReading(path)).problems().isEmpty, "\(name)")
        }
        #expect(missing > 0 && missing < copies.names.count)
    }
}
