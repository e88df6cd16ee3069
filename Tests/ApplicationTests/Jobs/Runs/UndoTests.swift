import Foundation
import System
import TestSupport
import Testing

@testable import Database
@testable import Jobs
@testable import Queries
@testable import Store

/// Whole jobs are undone: the library is exactly as before (`docs/history.md`).
@Suite struct UndoTests {
    private let folder: TemporaryFolder
    private let sample: SampleImport

    init() async throws {
        sample = try await SampleImport()
        folder = sample.folder
    }

    /// Imports the sample's files as a job.
    private func importing(_ sample: SampleImport, as name: String) async throws -> Job {
        var request = try sample.request(store: folder.file("s.sqlite"))
        request.jobName = name
        return try await ImportJob(request, clock: ManualClock()).run().job
    }

    private func rows(_ rows: [String], as name: String, in library: String = "default") async throws -> Job {
        var sample = sample
        sample.library = library
        sample.files = [try GoodreadsRows.write(rows, to: folder)]
        return try await importing(sample, as: name)
    }

    @discardableResult
    private func undo(
        _ jobs: String..., withLater: Bool = false, as name: String = UUID().uuidString
    ) async throws -> LibraryChange {
        try await ResultsStore(folder.file("s.sqlite"), clock: ManualClock()).undo(
            UndoRequest(jobs: jobs, withLater: withLater, name: name))
    }

    private var dump: String { get throws { try sample.dump("s.sqlite") } }

    private func job(_ name: String) throws -> Job? {
        try JobTable(StoreFile.openForReading(folder.file("s.sqlite"))).job(named: name)
    }

    /// The store is intact, and its key indexes lead to the same rows as if they were built from the rows.
    private func checkStore() async throws {
        let path = folder.file("s.sqlite")
        #expect(try StoreCheck(StoreFile.openForReading(path)).problems().isEmpty)
    }

    private static let dune = GoodreadsRows.row(
        "1", "Dune", "Frank Herbert", "9780441172719", date: "2020/01/01")
    private static let emma = GoodreadsRows.row("2", "Emma", "Jane Austen", "", date: "2020/01/02")

    @Test func `an undone import leaves an empty library, and undoing that brings it back`() async throws {
        _ = try await importing(sample, as: "first")
        let before = try dump
        let undone = try await undo("first", as: "back")
        #expect(try dump == "")
        #expect(undone.rows.entries.deleted > 100)
        #expect(try job("first")?.undoneBy == "back")
        try await checkStore()

        let redone = try await undo("back", as: "forth")
        #expect(redone.redone.map(\.name) == ["first"])
        #expect(try dump == before)
        #expect(try job("first")?.undoneBy == nil)
        try await checkStore()
        try await undo("first")
        #expect(try dump == "")
    }

    @Test func `an undone newer export gives back what it had changed`() async throws {
        _ = try await rows([Self.dune, Self.emma], as: "old")
        let before = try dump
        let reviewed = GoodreadsRows.row(
            "2", "Emma", "Jane Austen", "9780141439587", date: "2021/01/02", review: "Good")
        let newer = [
            Self.dune, reviewed, GoodreadsRows.row("3", "Ulysses", "James Joyce", "", date: "2021/02/01"),
        ]
        let job = try await rows(newer, as: "new")
        #expect(job.counts.booksUpdated == 1 && job.counts.booksCreated == 1)
        let after = try dump
        #expect(after != before)
        try await undo("new", as: "back")
        #expect(try dump == before)
        try await checkStore()
        try await undo("back")
        #expect(try dump == after)
        // It is the newest export again, and another import of it changes nothing.
        #expect(try await rows(newer, as: "again").counts.duplicatesSkipped == 3)
    }

    @Test func `after an undo the same file is imported anew`() async throws {
        _ = try await importing(sample, as: "first")
        let before = try dump
        try await undo("first", as: "back")
        let again = try await importing(sample, as: "second")
        #expect(again.counts.booksCreated > 100)
        #expect(try dump == before)
        try await checkStore()
        // The books are there again, so the undo can no longer be undone.
        await expectConflict(naming: "second") { try await undo("back") }
    }

    @Test func `a merge of two works is taken apart`() async throws {
        // Two rows without a common key; then one that has the title of one and the ISBN of the other.
        var bare = sample
        bare.asksCatalog = false
        bare.files = [
            try GoodreadsRows.write(
                [
                    GoodreadsRows.row("1", "Dune", "Frank Herbert", "9780441172719", date: "2020/01/01"),
                    GoodreadsRows.row("2", "Dune Book", "F Herbert", "9780340960196", date: "2020/01/01"),
                ], to: folder)
        ]
        _ = try await importing(bare, as: "bare")
        let before = try dump
        var known = sample
        known.files = [
            try GoodreadsRows.write(
                [
                    GoodreadsRows.row("1", "Dune", "Frank Herbert", "9780441172719", date: "2021/01/01"),
                    GoodreadsRows.row("2", "Dune", "Frank Herbert", "9780340960196", date: "2021/01/01"),
                ], to: folder)
        ]
        _ = try await importing(known, as: "known")
        try await undo("known")
        #expect(try dump == before)
        try await checkStore()
    }

    @Test func `a job that others have built on is not undone`() async throws {
        _ = try await rows([Self.dune, Self.emma], as: "first")
        let before = try dump
        // The same book in another person's library.
        _ = try await rows([Self.dune], as: "hers", in: "her")
        await expectConflict(naming: "hers") { try await undo("first") }
        #expect(try job("first")?.undoneBy == nil)
        try await undo("hers")
        #expect(try dump == before)
        // Without it, nothing stands in the way.
        try await undo("first")
        #expect(try dump == "")
    }

    @Test func `a later job with the same records counts as built on it, even if it changed nothing`()
        async throws
    {
        _ = try await rows([Self.dune], as: "first")
        _ = try await rows([Self.dune, Self.emma], as: "second")
        await expectConflict(naming: "second") { try await undo("first") }
        let undone = try await undo("first", withLater: true, as: "both")
        #expect(undone.undone.map(\.name) == ["second", "first"])
        #expect(try dump == "")
    }

    @Test func `a later job about other books stays`() async throws {
        _ = try await rows([Self.dune], as: "first")
        _ = try await rows([Self.emma], as: "second", in: "her")
        try await undo("first")
        let left = try dump
        #expect(left.contains("Emma") && !left.contains("Dune"))
        try await checkStore()
    }

    @Test(arguments: [EditableField.rating, .title, .publisher])
    func `a later correction of another book keeps nothing of an undone job`(field: EditableField)
        async throws
    {
        _ = try await rows([Self.emma], as: "hers", in: "anna")
        let edits = { (value: String) in
            _ = try await LibraryEdits(folder.file("s.sqlite")).edit(
                BookReference("id:2"), library: "anna", pipeline: "set", [(field, .set([value]))])
        }
        try await edits("4")
        let before = try dump
        _ = try await rows([Self.dune], as: "his", in: "ben")
        try await edits("5")
        let change = try await undo("his")
        #expect(change.rows.entries.deleted == 1 && change.rows.works.deleted == 1)
        try await edits("4")
        #expect(try dump == before)
        try await checkStore()
    }

    private func preview(_ job: String, withLater: Bool = false) throws -> LibraryChange {
        try UndoPreview.change(undoing: [job], withLater: withLater, in: folder.file("s.sqlite"))
    }

    @Test func `a preview changes nothing and tells what would change`() async throws {
        _ = try await rows([Self.dune, Self.emma], as: "first")
        let before = try dump
        let undone = try preview("first")
        #expect(undone.rows.entries == .init(deleted: 2, restored: 0))
        #expect(try dump == before)
        #expect(try job("first")?.undoneBy == nil)
        #expect(try JobTable(StoreFile.openForReading(folder.file("s.sqlite"))).all().count == 1)
    }

    @Test func `a preview needs no lock, and tells the same as the undo`() async throws {
        _ = try await rows([Self.dune, Self.emma], as: "first")
        _ = try await rows([Self.dune], as: "hers", in: "her")
        let before = try dump
        let path = folder.file("s.sqlite")
        do {
            // A run of another process, in the middle of a transaction.
            let lock = try StoreLock(store: path)
            let writer = try Connection(path, .readWrite)
            try writer.execute("BEGIN IMMEDIATE")
            #expect(throws: ETLError.self) { try preview("first") }
            let planned = try preview("first", withLater: true)
            #expect(planned.undone.map(\.name) == ["hers", "first"] && planned.job == nil)
            #expect(planned.rows.entries.deleted == 3)
            try writer.execute("ROLLBACK")
            withExtendedLifetime(lock) {}
        }
        #expect(try dump == before)
        let planned = try preview("first", withLater: true)
        let undone = try await undo("first", withLater: true)
        #expect(planned.rows == undone.rows && planned.undone.map(\.id) == undone.undone.map(\.id))
    }

    @Test func `a preview finds books again whose keys are not on disk yet`() async throws {
        _ = try await rows([Self.dune], as: "first")
        try await undo("first", as: "back")
        _ = try await rows([Self.dune], as: "second")
        // As a kill leaves it.
        let connection = try Connection(folder.file("s.sqlite"), .readWrite)
        try LibraryIndexes.clear(in: connection)
        await expectConflict(naming: "second") { _ = try preview("back") }
    }

    @Test func `an undone job is not undone twice, and unknown ones are named`() async throws {
        _ = try await rows([Self.dune], as: "first")
        try await undo("first", as: "back")
        await #expect(throws: ETLError.self) { try await undo("first") }
        await #expect(throws: ETLError.self) { try await undo("nothing") }
        try await undo("back", as: "forth")
        // What `back` took away is there again, so there is nothing to bring back.
        await #expect(throws: ETLError.self) { try await undo("back") }
        await #expect(throws: ETLError.self) { try await undo("forth") }
    }

    private func expectConflict(naming job: String, _ body: () async throws -> Void) async {
        do {
            try await body()
            Issue.record("no conflict")
        } catch let failure as ETLError {
            #expect(failure.kind == .conflict)
            #expect(failure.message.contains("`\(job)`"))
        } catch {
            Issue.record(error)
        }
    }
}
