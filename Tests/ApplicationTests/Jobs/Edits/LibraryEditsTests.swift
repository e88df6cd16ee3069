import Books
import Contract
import Foundation
import System
import TestSupport
import Testing

@testable import Database
@testable import Jobs
@testable import Queries
@testable import Store

/// What the user changes by hand stays, whatever is imported later, and can be undone.
@Suite struct LibraryEditsTests {
    private let library: EditedLibrary

    init() async throws { library = try await EditedLibrary() }

    @Test func `the spelling of a name that the user has set stays`() async throws {
        func row(_ id: String, _ title: String, _ author: String) -> String {
            GoodreadsRows.row(id, title, author, "", date: "2020/01/01")
        }
        try await library.rows([row("1", "Reef", "Bell Hooks"), row("2", "Tide", "Bell Hooks")], as: "old")
        try await library.set("id:1", [.authors: "bell hooks"])
        try await library.rows([row("3", "Foam", "Bell Hooks")], as: "new")
        for book in ["id:1", "id:2", "id:3"] {
            #expect(try library.explain(book).authors.map(\.author.name) == ["bell hooks"])
        }
        try library.checkStore()
    }

    @Test func `values set by hand survive a newer export, and an undo gives back what was there`()
        async throws
    {
        try await library.rows([EditedLibrary.dune(), EditedLibrary.emma], as: "old")
        let before = try library.dump
        let report = try await library.set(
            EditedLibrary.dune13,
            [
                .title: "Der Wüstenplanet", .publisher: "Heyne", .genre: "Science Fiction; Classics",
                .rating: "4.5",
                .review: "Mine", .authors: "Frank Herbert; Somebody Else",
            ])
        #expect(report.rows.map(\.kind) == [.work, .edition, .entry])
        try library.checkStore()
        let edited = try library.dump
        #expect(edited != before && edited.contains("\"reviewStatus\":\"userEdited\""))

        try await library.rows(
            [
                EditedLibrary.dune(date: "2021/01/01", review: "Theirs", title: "Dune, again"),
                EditedLibrary.emma,
            ], as: "new")
        #expect(try library.values(EditedLibrary.dune13, .title) == ["Der Wüstenplanet"])
        #expect(try library.values(EditedLibrary.dune13, .publisher) == ["Heyne"])
        #expect(try library.values(EditedLibrary.dune13, .genre) == ["Science Fiction", "Classics"])
        #expect(try library.values(EditedLibrary.dune13, .rating) == ["4.5"])
        #expect(try library.values(EditedLibrary.dune13, .review) == ["Mine"])
        #expect(try library.values(EditedLibrary.dune13, .dateAdded) == ["2021-01-01"])
        let explained = try library.explain(EditedLibrary.dune13)
        #expect(explained.authors.map(\.author.name) == ["Frank Herbert", "Somebody Else"])
        let title = try #require(explained.work?.fields.first { $0.field == .title })
        guard case .user(let editedAt?) = title.source else {
            Issue.record("\(title)")
            return
        }
        #expect(editedAt > 0 && title.isLocked && title.rule == .edited)
        #expect(explained.entries.first?.edits.map(\.field) == [.rating, .review])
        try library.checkStore()

        let refused = await #expect(throws: ETLError.self) { try await library.undo(report.job) }
        #expect(refused?.kind == .conflict)
        _ = try await library.undo("new")
        #expect(try library.dump == edited)
        let undone = try await library.undo(report.job)
        #expect(try library.dump == before)
        _ = try await library.undo(undone.job?.name)
        #expect(try library.dump == edited)
        try library.checkStore()
    }

    @Test func `a locked field keeps its value, or stays empty, until it is unlocked`() async throws {
        try await library.rows([EditedLibrary.dune(review: "First")], as: "old")
        try await library.edit(EditedLibrary.dune13, .lock, .review, .notes)
        try await library.set(EditedLibrary.dune13, [.publisher: ""])
        let newer = EditedLibrary.dune(date: "2021/01/01", review: "Second")
        try await library.rows([newer], as: "new")
        #expect(try library.values(EditedLibrary.dune13, .review) == ["First"])
        #expect(try library.values(EditedLibrary.dune13, .publisher) == [])
        #expect(
            try library.explain(EditedLibrary.dune13).editions.first?.fields.contains {
                $0.field == .publisher
            } == true)

        try await library.edit(EditedLibrary.dune13, .unlock, .review, .publisher)
        try await library.rows([EditedLibrary.dune(date: "2022/01/01", review: "Third")], as: "newest")
        #expect(try library.values(EditedLibrary.dune13, .review) == ["Third"])
        try library.checkStore()
    }

    @Test func `nothing happens if nothing changes, and a dry run changes nothing`() async throws {
        try await library.rows([EditedLibrary.dune()], as: "old")
        let before = try library.dump
        let planned = try await library.set(EditedLibrary.dune13, isDryRun: true, [.publisher: "Heyne"])
        #expect(planned.job == nil && planned.rows.first?.fields.first?.after == ["Heyne"])
        #expect(try library.dump == before)
        try await library.set(EditedLibrary.dune13, [.publisher: "Heyne"])
        #expect(try await library.set(EditedLibrary.dune13, [.publisher: "Heyne"]).rows.isEmpty)
        #expect(try await library.edit(EditedLibrary.dune13, .lock, .publisher).job == nil)
        #expect(try JobTable(StoreFile.openForReading(library.path)).all().count == 2)
    }

    @Test func `a removed book stays away from later imports, and an undo brings it back`() async throws {
        try await library.rows([EditedLibrary.dune(), EditedLibrary.emma], as: "old")
        let before = try library.dump
        let removed = try await LibraryEdits(library.path).remove(BookReference("id:2"), library: nil)
        #expect(removed.title == "Emma" && removed.change.rows.entries.deleted == 1)
        #expect(try !library.dump.contains("Jane Austen"))
        try library.checkStore()
        let after = try library.dump
        let job = try await library.rows([EditedLibrary.dune(), EditedLibrary.emma], as: "again")
        #expect(job.counts.duplicatesSkipped == 2 && job.counts.booksCreated == 0)
        #expect(try library.dump == after)
        let warning = try StoreFile.openForReading(library.path).query("SELECT code FROM warnings")
        #expect(try warning.next() && warning.string(0) == "stays_removed")
        try library.checkStore()

        _ = try await library.undo("again")
        let undone = try await library.undo(removed.change.job?.name)
        #expect(try library.dump == before)
        try library.checkStore()
        try await library.rows([EditedLibrary.dune(), EditedLibrary.emma], as: "third")
        #expect(try library.dump == before)
        _ = try await library.undo("third")
        _ = try await library.undo(undone.job?.name)
        #expect(try library.dump == after)
        let last = try await library.rows([EditedLibrary.dune(), EditedLibrary.emma], as: "last")
        #expect(last.counts.duplicatesSkipped == 2)
        try library.checkStore()
    }

    @Test func `a removed library takes its removed books and edits along`() async throws {
        try await library.rows([EditedLibrary.dune()], as: "bens", in: "ben")
        let before = try library.dump
        try await library.rows([EditedLibrary.dune(), EditedLibrary.emma], as: "annas", in: "anna")
        _ = try await LibraryEdits(library.path).remove(BookReference("id:2"), library: "anna")
        try await library.set(EditedLibrary.dune13, library: "anna", [.rating: "1"])
        _ = try await ResultsStore(library.path, clock: ManualClock()).forget("anna", as: "gone")
        #expect(try library.dump == before)
        try library.checkStore()
    }

    @Test func `an import whose book was only locked is not undone without the lock`() async throws {
        try await library.rows([EditedLibrary.dune()], as: "old")
        try await library.edit(EditedLibrary.dune13, .lock, .editionCover)
        let before = try library.dump
        let refused = await #expect(throws: ETLError.self) { try await library.undo("old") }
        #expect(refused?.kind == .conflict)
        #expect(try library.dump == before)
        _ = try await library.undo("old", withLater: true)
        #expect(try library.dump == "")
        try library.checkStore()
    }

    @Test func `a book that is not certain is named`() async throws {
        try await library.rows([EditedLibrary.dune()], as: "bens", in: "ben")
        try await library.rows([EditedLibrary.dune()], as: "annas", in: "anna")
        let failure = await #expect(throws: ETLError.self) {
            try await library.set(EditedLibrary.dune13, [.rating: "4"])
        }
        #expect(failure?.kind == .usage && failure?.message == "`Dune` is in the libraries 2 times.")
        let missing = await #expect(throws: ETLError.self) {
            try await library.set("9780141439587", [.title: "X"])
        }
        #expect(missing?.kind == .missing)
        let row = await #expect(throws: ETLError.self) { try await library.set("row:2", [.title: "X"]) }
        #expect(row?.kind == .usage)
        let removal = await #expect(throws: ETLError.self) {
            try await LibraryEdits(library.path).remove(BookReference(EditedLibrary.dune13), library: nil)
        }
        #expect(removal?.kind == .usage)
        try await library.set(EditedLibrary.dune13, library: "anna", [.rating: "4"])
    }
}
