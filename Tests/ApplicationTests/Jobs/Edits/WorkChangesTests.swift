import Books
import Foundation
import System
import TestSupport
import Testing

@testable import Contract
@testable import Database
@testable import Jobs
@testable import Queries
@testable import Store

/// Works are combined and taken apart by hand, and later imports leave it at that.
@Suite struct WorkChangesTests {
    private let library: EditedLibrary

    init() async throws { library = try await EditedLibrary() }

    private static let german = GoodreadsRows.row(
        "3", "Der Wüstenplanet", "Frank Herbert", "9783453186835", date: "2020/01/03")
    private static let german13 = "9783453186835"

    private func works() throws -> [String: Int64] {
        let read = try StoreFile.openForReading(library.path).query(
            "SELECT e.source_id, d.work FROM entries e JOIN editions d ON d.id = e.edition")
        var works: [String: Int64] = [:]
        while try read.next() { works[read.string(0)] = read.integer(1) }
        return works
    }

    private func merge(_ books: String..., isDryRun: Bool = false) async throws -> WorkChange {
        try await LibraryEdits(library.path, isDryRun: isDryRun).merge(books.map { BookReference($0) })
    }

    private func split(_ books: String...) async throws -> WorkChange {
        try await LibraryEdits(library.path).split(books.map { BookReference($0) })
    }

    @Test func `combined works stay one, whatever is imported, until the merge is undone`() async throws {
        try await library.rows([EditedLibrary.dune(), Self.german], as: "old")
        try await library.set(Self.german13, [.description: "Ein Klassiker", .title: "Der Wüstenplanet"])
        let before = try library.dump
        #expect(try await merge("id:1", "id:3", isDryRun: true).job == nil)
        #expect(try library.dump == before)
        let merged = try await merge("id:1", "id:3")
        #expect(try works()["1"] == works()["3"])
        // What the user has set in one of them is not lost.
        #expect(try library.values("id:1", .description) == ["Ein Klassiker"])
        #expect(try library.values("id:1", .title) == ["Der Wüstenplanet"])
        #expect(try library.explain("id:3").work?.reviewStatus == .userEdited)
        try library.checkStore()
        let after = try library.dump

        try await library.rows(
            [EditedLibrary.dune(date: "2021/01/01", title: "Dune, new"), Self.german], as: "new")
        #expect(try works()["1"] == works()["3"])
        #expect(try library.values("id:1", .title) == ["Der Wüstenplanet"])
        try library.checkStore()
        _ = try await library.undo("new")
        #expect(try library.dump == after)
        let undone = try await library.undo(merged.job)
        #expect(try library.dump == before)
        try library.checkStore()
        _ = try await library.undo(undone.job?.name)
        #expect(try library.dump == after)
        let refused = await #expect(throws: ETLError.self) { try await merge("id:1", "id:3") }
        #expect(refused?.kind == .usage)
    }

    @Test func `an edition that was taken out of a work stays apart, whatever is imported`() async throws {
        try await library.rows([EditedLibrary.dune(), Self.german, EditedLibrary.emma], as: "old")
        _ = try await merge("id:1", "id:3")
        let before = try library.dump
        let all = await #expect(throws: ETLError.self) { try await split("id:1", "id:3") }
        #expect(all?.kind == .usage)
        let several = await #expect(throws: ETLError.self) { try await split("id:1", "id:2") }
        #expect(several?.kind == .usage)
        #expect(try library.dump == before)

        // The edition that the provider knows is taken out of the work that has the provider's key.
        let apart = try await split(EditedLibrary.dune13)
        #expect(try works()["1"] != works()["3"])
        #expect(try library.explain("id:1").authors.map(\.author.name) == ["Frank Herbert"])
        #expect(try library.values("id:1", .title) == ["Dune"])
        try library.checkStore()
        let after = try library.dump
        try await library.rows(
            [EditedLibrary.dune(date: "2021/01/01", review: "Again"), Self.german], as: "new")
        #expect(try works()["1"] != works()["3"])
        #expect(try library.values("id:1", .review) == ["Again"])
        try library.checkStore()
        _ = try await library.undo("new")
        #expect(try library.dump == after)
        _ = try await library.undo(apart.job)
        #expect(try library.dump == before)
        try library.checkStore()
    }

    @Test func `a book that is taken out has the title of its row, not that of the other book`() async throws
    {
        var offline = library.sample
        offline.asksCatalog = false
        let apart = EditedLibrary(sample: offline)
        try await apart.rows([EditedLibrary.dune(), Self.german], as: "old")
        let before = try apart.dump
        _ = try await merge("id:1", "id:3")
        #expect(try apart.values("id:3", .title) == ["Dune"])
        let split = try await split("id:3")
        #expect(try apart.values("id:3", .title) == ["Der Wüstenplanet"])
        #expect(try apart.values("id:1", .title) == ["Dune"])
        try apart.checkStore()
        _ = try await apart.undo(split.job)
        #expect(try apart.values("id:3", .title) == ["Dune"])
        #expect(before.contains("Der Wüstenplanet"))
    }
}
