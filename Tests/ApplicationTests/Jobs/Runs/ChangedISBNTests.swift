import Foundation
import Jobs
import System
import TestSupport
import Testing

@testable import Books
@testable import Database
@testable import Queries
@testable import Store

/// A newer export with another ISBN for an id than the previous one.
@Suite struct ChangedISBNTests {
    private static let (old, new) = (GoodreadsRows.isbn(1), GoodreadsRows.isbn(2))
    private static let before = row("6", "Faust", "Goethe", old)
    private static let after = row("6", "Egmont", "J. W. Goethe", new, date: "2022/01/01")

    private var sample: SampleImport

    init() async throws {
        sample = try await SampleImport()
        sample.asksCatalog = false
    }

    private static func row(
        _ id: String, _ title: String, _ author: String, _ isbn: String, date: String = "2020/01/01"
    ) -> String {
        GoodreadsRows.row(id, title, author, isbn, date: date)
    }

    private func file(_ rows: [String]) throws -> String {
        try GoodreadsRows.write(rows, to: sample.folder)
    }

    @discardableResult
    private func importing(
        _ rows: [String], into store: String = "s.sqlite", library: String = "default"
    ) async throws -> JobCounts {
        var sample = sample
        sample.library = library
        sample.files = [try file(rows)]
        return try await sample.run(store).job.counts
    }

    private func number(_ sql: String, _ store: String = "s.sqlite") throws -> Int {
        Int(try StoreFile.openForReading(sample.folder.file(store)).number(sql))
    }

    private func isWhole(_ store: String = "s.sqlite") throws -> Bool {
        try StoreCheck(StoreFile.openForReading(sample.folder.file(store))).problems().isEmpty
    }

    @Test func `the entry moves to the new edition, and nothing of the old one remains`() async throws {
        try await importing([Self.before])
        let counts = try await importing([Self.after])
        #expect(counts.booksUpdated == 1)
        try await importing([Self.after], into: "fresh.sqlite")
        // As if the other edition had never existed.
        for kind in ["works", "editions", "entries", "authors", "contributors"] {
            #expect(try number("SELECT count(*) FROM \(kind)") == 1, "\(kind)")
        }
        let text = try sample.dump("s.sqlite")
        #expect(!text.contains(Self.old))
        #expect(!text.contains("Faust"))
        #expect(text == (try sample.dump("fresh.sqlite")))
        #expect(try await importing([Self.after]).booksUpdated == 0)
        #expect(try isWhole())
    }

    @Test func `the former ISBN and author are free for another book`() async throws {
        try await importing([Self.before])
        try await importing([Self.after])
        let counts = try await importing([Self.after, Self.row("7", "Faust", "Goethe", Self.old)])
        #expect(counts.booksCreated == 1)
        #expect(try number("SELECT count(*) FROM authors") == 2)
        // And it is found from now on.
        let again = try await importing([Self.row("8", "Faust", "Goethe", Self.old)])
        #expect(again.booksCreated == 1)
        #expect(try number("SELECT count(*) FROM editions") == 2)
        #expect(try isWhole())
    }

    @Test func `an edition in another user's library stays unchanged`() async throws {
        try await importing([Self.before], library: "anna")
        try await importing([Self.before], library: "ben")
        try await importing([Self.after], library: "ben")
        #expect(
            try number(
                """
                SELECT count(*) FROM editions d JOIN works w ON w.id = d.work
                WHERE (w.title, d.isbn) IN (VALUES ('Faust', \(Self.old)), ('Egmont', \(Self.new)))
                """) == 2)
        #expect(try number("SELECT count(*) FROM left_editions") == 0)
        // Until no library has it any more; the other edition is known by now.
        try await importing([Self.after], library: "anna")
        #expect(try number("SELECT count(*) FROM editions") == 1)
        #expect(try number("SELECT count(*) FROM works") == 1)
        #expect(try isWhole())
    }

    @Test func `an edition that another record of the same file has stays`() async throws {
        try await importing([Self.before])
        let counts = try await importing([Self.after, Self.row("7", "Faust", "Goethe", Self.old)])
        #expect(counts.booksCreated == 1)
        #expect(try number("SELECT count(*) FROM editions") == 2)
        #expect(
            try number("SELECT id = edition FROM entries WHERE source_id = '7'") == 0)
        #expect(try isWhole())
    }

    @Test func `a missing ISBN is added to the edition, and an older export does not remove it`()
        async throws
    {
        try await importing([Self.row("6", "Faust", "Goethe", "")])
        try await importing([Self.row("6", "Faust", "Goethe", Self.new, date: "2022/01/01")])
        #expect(try number("SELECT id FROM editions WHERE isbn = \(Self.new)") == 1)
        let text = try sample.dump("s.sqlite")
        #expect(try await importing([Self.before]).duplicatesSkipped == 1)
        #expect(try sample.dump("s.sqlite") == text)
    }

    @Test func `with a catalog that knows both books the old ISBN is not combined with the new title`()
        async throws
    {
        var sample = sample
        sample.asksCatalog = true
        for row in [
            Self.row("6", "Dune", "Frank Herbert", "9780441013593"),
            Self.row("6", "Neuromancer", "William Gibson", "9780441569595", date: "2022/01/01"),
        ] {
            sample.files = [try file([row])]
            try await sample.run("s.sqlite")
            try await sample.run(row.contains("Dune") ? "other.sqlite" : "fresh.sqlite")
        }
        #expect(try !sample.dump("s.sqlite").contains("9780441013593"))
        for kind in ["works", "editions", "entries", "authors"] {
            let count = "SELECT count(*) FROM \(kind)"
            #expect(try number(count) == number(count, "fresh.sqlite"), "\(kind)")
        }
        #expect(try isWhole())
    }

    @Test func `an ISBN of two editions leads to the second one after the first is gone`()
        async throws
    {
        let store = try FilledStore()
        func importing(_ rows: [String], job: String) async throws -> JobCounts {
            try await store.importing(
                [([GoodreadsRows.header] + rows).joined(separator: "\n") + "\n"], job: job
            ).counts
        }
        _ = try await importing([Self.before, Self.row("7", "Faust", "Goethe", Self.new)], job: "apart")
        store.known = [
            Self.new: [
                KnownBook(
                    .googleBooks, "G1", [(.title, "Faust"), (.isbn13, Self.new), (.isbn13, Self.old)])
            ]
        ]
        let newer = Self.row("7", "Faust", "Goethe", Self.new, date: "2021/01/01")
        _ = try await importing([newer], job: "together")
        let old = try #require(ISBN(Self.old))
        let first = try BookLocator(store.open()).find(old)?.editions
        try #require(first != nil)
        store.known = [:]
        let moved = Self.row("6", "Egmont", "J. W. Goethe", GoodreadsRows.isbn(3), date: "2022/01/01")
        _ = try await importing([moved], job: "moved")

        let connection = try store.open()
        let listing = try connection.number("SELECT id FROM editions WHERE isbn = \(Self.new)")
        #expect(first != [listing])
        #expect(try BookLocator(connection).find(old)?.editions == [listing])
        // The next record with that number belongs to it.
        let again = Self.row("8", "Faust", "Goethe", Self.old, date: "2022/01/01")
        #expect(try await importing([again], job: "again").booksCreated == 1)
        #expect(try store.open().number("SELECT edition FROM entries WHERE source_id = '8'") == listing)
        #expect(try store.open().number("SELECT count(*) FROM editions") == 2)
        #expect(try StoreCheck(store.open()).problems().isEmpty)
    }

    // MARK: In any order of events

    private static func export(_ seed: UInt64, year: Int) -> [String] {
        var random = SeededGenerator(seed: seed)
        return (1...40).shuffled(using: &random).map { id in
            let book = Int.random(in: 1...30, using: &random)
            return row(
                "\(id)", "Book \(book)", "Author \(book % 7)",
                Int.random(in: 0..<5, using: &random) > 0 ? GoodreadsRows.isbn(book) : "",
                date: "\(year)/01/01")
        }
    }

    @Test(arguments: [1, 2] as [UInt64])
    func `batches, keys on disk and kills do not matter`(seed: UInt64) async throws {
        let files = try (0..<3).map { try file(Self.export(seed * 10 + UInt64($0), year: 2020 + $0)) }
        func filled(_ store: String, _ sample: SampleImport) async throws -> String {
            var sample = sample
            for path in files {
                sample.files = [path]
                try await sample.run(store)
            }
            #expect(try isWhole(store))
            return try sample.dump(store)
        }
        var sample = sample
        sample.batchRecords = 1
        let reference = try await filled("reference.sqlite", sample)
        #expect(!reference.isEmpty)
        for (number, records) in [3, 1_024].enumerated() {
            sample.batchRecords = records
            sample.limits = ResultsStore.Limits(
                recentKeys: number == 0 ? 1 : 1 << 17, usesFilters: number == 1)
            #expect(try await filled("\(records).sqlite", sample) == reference)
        }

        sample.batchRecords = 7
        sample.batchesPerCommit = 1
        for path in files.dropLast() {
            sample.files = [path]
            try await sample.run("killed.sqlite")
        }
        sample.files = [files[2]]
        let copies = CommitCopies(of: "killed.sqlite", in: sample.folder)
        try await sample.run("killed.sqlite", observingCommits: copies.take)
        #expect(copies.names.count > 10)
        for name in copies.tried {
            try await sample.run(name)
            #expect(try sample.dump(name) == reference, "\(name)")
        }
    }
}
