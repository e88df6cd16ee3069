import Foundation
import System
import TestSupport
import Testing

@testable import Books
@testable import Contract
@testable import Database
@testable import Jobs
@testable import Queries
@testable import Store

/// The user corrects an ISBN: the book is found by it from then on, and later imports leave it.
@Suite struct ISBNEditsTests {
    private let library: EditedLibrary

    init() async throws { library = try await EditedLibrary() }

    /// A row with an ISBN that belongs to another book of the catalog.
    private static let wrong = "9780141439587"
    private static let right = "9780441172719"

    private static func dune(_ isbn: String, date: String = "2020/01/01", review: String = "") -> String {
        GoodreadsRows.row("1", "Dune", "Frank Herbert", isbn, date: date, review: review)
    }

    private func keys() throws -> [String] {
        let read = try StoreFile.openForReading(library.path).query(
            "SELECT key FROM editions UNION ALL SELECT key FROM works ORDER BY 1")
        var keys: [String] = []
        while try read.next() { keys.append(read.string(0)) }
        return keys
    }

    private func findsByISBN(_ isbn: String) throws -> Bool {
        do {
            _ = try library.explain(isbn)
            return true
        } catch let failure as ETLError where failure.kind == .missing {
            return false
        }
    }

    @Test func `a book without an ISBN gets one and keeps it`() async throws {
        try await library.rows([Self.dune(""), EditedLibrary.emma], as: "old")
        let before = try library.dump
        let set = try await library.set("id:1", [.isbn: "0-441-17271-7"])
        #expect(set.rows.flatMap(\.fields).map(\.after) == [[Self.right]])
        #expect(try findsByISBN(Self.right))
        try library.checkStore()
        try await library.rows([Self.dune("", date: "2021/01/01", review: "Again")], as: "new")
        #expect(try library.values("id:1", .isbn) == [Self.right])
        #expect(try library.values("id:1", .review) == ["Again"])
        // A row with the ISBN is about this book.
        try await library.rows([Self.dune(Self.right)], as: "hers", in: "her")
        #expect(try StoreFile.openForReading(library.path).number("SELECT count(*) FROM editions") == 2)
        _ = try await library.undo("hers")
        _ = try await library.undo("new")
        _ = try await library.undo(set.job)
        #expect(try library.dump == before)
        #expect(try !findsByISBN(Self.right))
        try library.checkStore()
    }

    @Test func `a wrong ISBN is replaced, whatever later exports say, and is free for its own book`()
        async throws
    {
        try await library.rows([Self.dune(Self.wrong), EditedLibrary.emma], as: "old")
        let before = try library.dump
        let set = try await library.set("id:1", [.isbn: Self.right])
        #expect(try !findsByISBN(Self.wrong) && findsByISBN(Self.right))
        #expect(
            try library.explain("id:1").editions.first?.fields.first { $0.field == .isbn13 }?.isLocked == true
        )
        let after = try library.dump

        try await library.rows([Self.dune(Self.wrong, date: "2021/01/01", review: "Again")], as: "new")
        #expect(try library.values("id:1", .isbn) == [Self.right])
        #expect(try library.values("id:1", .review) == ["Again"])
        _ = try await library.undo("new")
        #expect(try library.dump == after)

        let other = GoodreadsRows.row("7", "Persuasion", "Jane Austen", Self.wrong, date: "2021/01/02")
        try await library.rows([other], as: "hers", in: "her")
        #expect(try findsByISBN(Self.wrong))
        #expect(Set(try keys()).count == (try keys().count) - 2)
        try library.checkStore()
        // The ISBN would be that of two books.
        let refused = await #expect(throws: ETLError.self) { try await library.undo(set.job) }
        #expect(refused?.kind == .conflict)
        _ = try await library.undo("hers")
        let undone = try await library.undo(set.job)
        #expect(try library.dump == before)
        #expect(try findsByISBN(Self.wrong) && !findsByISBN(Self.right))
        _ = try await library.undo(undone.job?.name)
        #expect(try library.dump == after)
        try library.checkStore()
    }

    @Test func `an ISBN is removed, and the next one is set`() async throws {
        try await library.rows([Self.dune(Self.wrong)], as: "old")
        let before = try library.dump
        let cleared = try await library.set("id:1", [.isbn: ""])
        #expect(try library.values("id:1", .isbn).isEmpty && !findsByISBN(Self.wrong))
        #expect(try keys().allSatisfy { !$0.hasPrefix("isbn:") })
        try library.checkStore()
        let set = try await library.set("id:1", [.isbn: Self.right])
        #expect(try findsByISBN(Self.right))
        _ = try await library.undo(set.job)
        _ = try await library.undo(cleared.job)
        #expect(try library.dump == before)
        try library.checkStore()
    }

    @Test func `an impossible ISBN and one of another book are refused`() async throws {
        try await library.rows([Self.dune(Self.right), EditedLibrary.emma], as: "old")
        let before = try library.dump
        for isbn in ["9780441172718", "97804411", "Dune", Self.right] {
            let failure = await #expect(throws: ETLError.self) {
                try await library.set("id:2", [.isbn: isbn])
            }
            #expect(failure?.kind == .usage && failure?.advice != nil, "\(isbn)")
        }
        #expect(try library.dump == before)
    }

    @Test func `a refresh asks about the corrected ISBN`() async throws {
        var offline = library.sample
        offline.asksCatalog = false
        let apart = EditedLibrary(sample: offline)
        try await apart.rows([Self.dune("")], as: "old")
        try await apart.set("id:1", [.isbn: Self.right])
        let request = try RefreshRuns.request(
            apart.path, RefreshOptions(), catalogs: [library.sample.catalog], name: "night")
        let night = try await ImportJob(request, clock: ManualClock()).run()
        #expect(night.job.recordsWithISBN == 1 && night.job.recordsMatched == 1)
        #expect(try apart.values("id:1", .isbn) == [Self.right])
        try apart.checkStore()
    }

    @Test func `an edited table sets ISBNs, and another spelling is none`() async throws {
        try await library.rows([Self.dune(Self.wrong), EditedLibrary.emma], as: "old")
        func set(_ cells: String...) async throws -> SheetReport {
            let lines = cells.enumerated().map { "default,generic,\($0.offset + 1),\($0.element)\n" }
            let file = try library.folder.write(
                "library,sourceFormat,sourceId,isbn13\n" + lines.joined(), to: "books.csv")
            return try await LibraryEdits(library.path).edit(fromSheet: file)
        }
        for same in [Self.wrong, "978-0-14-143958-7", "0141439580", "9.78014E+12"] {
            let report = try await set(same)
            #expect(report.edits.rows.isEmpty && report.mistakes.isEmpty, "\(same)")
        }
        let wrong = try await set("9780141439588", Self.wrong)
        #expect(wrong.edits.rows.isEmpty && wrong.mistakes.map(\.row) == [2, 3])
        let twice = try await set(Self.right, Self.right)
        #expect(twice.edits.rows.count == 1 && twice.mistakes.map(\.row) == [3])
        #expect(try library.values("id:1", .isbn) == [Self.right])
        try library.checkStore()
    }
}
