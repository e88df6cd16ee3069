import Foundation
import Jobs
import System
import TestSupport
import Testing

@testable import Books
@testable import Database
@testable import Formats
@testable import Store

/// Different books with one source id in an input, and one book listed twice.
@Suite struct SourceIDCollisionsTests {
    private static let (first, second) = (GoodreadsRows.isbn(1), GoodreadsRows.isbn(2))
    private static let faust = row("6", "Faust", first)
    private static let faustTwo = row("6", "Faust II", second)

    private var sample: SampleImport

    init() async throws {
        sample = try await SampleImport()
        sample.asksCatalog = false
    }

    private static func row(
        _ id: String, _ title: String, _ isbn: String = "", date: String = "2020/01/01", review: String = ""
    ) -> String {
        GoodreadsRows.row(id, title, "Goethe", isbn, date: date, review: review)
    }

    /// Imports rows into the store `s.sqlite` or another one.
    @discardableResult
    private func importing(_ rows: [String], into store: String = "s.sqlite") async throws -> JobCounts {
        var sample = sample
        sample.files = [try GoodreadsRows.write(rows, to: sample.folder)]
        return try await sample.run(store).job.counts
    }

    private func number(_ sql: String, of store: String = "s.sqlite") throws -> Int {
        Int(try StoreFile.openForReading(sample.folder.file(store)).number(sql))
    }

    private func warnings(_ store: String = "s.sqlite") throws -> Int {
        try number("SELECT count(*) FROM warnings WHERE code = 'duplicate_source_id'", of: store)
    }

    @Test func `two books with one id are kept apart, and the second row has a warning`() async throws {
        let counts = try await importing([Self.faust, Self.faustTwo])
        #expect(counts.booksCreated == 2)
        #expect(counts.booksUpdated == 0)
        #expect(
            try number(
                """
                SELECT count(*) FROM editions d JOIN works w ON w.id = d.work WHERE json_array_length(d.isbns) = 2
                AND (w.title, d.isbn) IN (VALUES ('Faust', \(Self.first)), ('Faust II', \(Self.second)))
                """) == 2)
        #expect(try number("SELECT count(DISTINCT edition) FROM entries") == 2)
        #expect(
            try number(
                """
                SELECT row FROM warnings WHERE code = 'duplicate_source_id' AND field = 'Book Id' AND value = '6'
                AND entry = (SELECT e.id FROM entries e JOIN editions d ON d.id = e.edition
                    JOIN works w ON w.id = d.work WHERE w.title = 'Faust II')
                """) == 3)
    }

    @Test func `the warning comes after other warnings of the row`() async throws {
        try await importing([Self.faust, Self.row("6", "Faust II", "9783150000015")])
        let numbered = "SELECT count(*) FROM warnings WHERE row = 3 AND number = "
        #expect(try number(numbered + "0 AND code = 'isbn13_check_digit'") == 1)
        #expect(try number(numbered + "1 AND code = 'duplicate_source_id'") == 1)
    }

    @Test func `importing the file again changes nothing, whatever the order of rows`() async throws {
        let third = Self.row("6", "Urfaust")
        try await importing([Self.faust, Self.faustTwo, third])
        let before = try sample.dump("s.sqlite")
        for rows in [
            [Self.faust, Self.faustTwo, third], [third, Self.faustTwo, Self.faust], [Self.faustTwo],
        ] {
            let again = try await importing(rows)
            #expect(again.duplicatesSkipped == rows.count)
            #expect(try sample.dump("s.sqlite") == before)
        }
    }

    @Test func `with a catalog importing the file again changes nothing either`() async throws {
        var sample = sample
        sample.asksCatalog = true
        sample.files = [
            try sample.folder.write(
                """
                \(GoodreadsRows.header)
                6,Dune,Frank Herbert,9780441013593,5,2020/01/01,read,
                6,Neuromancer,William Gibson,9780441569595,5,2020/01/01,read,

                """, to: "twins.csv")
        ]
        #expect(try await sample.run("s.sqlite").job.counts.booksCreated == 2)
        let before = try sample.dump("s.sqlite")
        #expect(try await sample.run("s.sqlite").job.counts.duplicatesSkipped == 2)
        sample.asksCatalog = false
        #expect(try await sample.run("s.sqlite").job.counts.booksUpdated == 0)
        #expect(try sample.dump("s.sqlite") == before)
    }

    @Test func `each book is updated by its own row of a newer export`() async throws {
        try await importing([Self.faust, Self.faustTwo])
        let newer = try await importing([
            Self.row("6", "Faust", Self.first, date: "2022/01/01", review: "one"),
            Self.row("6", "Faust II", Self.second, date: "2022/01/01", review: "two"),
        ])
        #expect(newer.booksUpdated == 2)
        let reviewed = """
            SELECT count(*) FROM entries e JOIN editions d ON d.id = e.edition JOIN works w ON w.id = d.work
            WHERE (w.title, e.review) IN (VALUES ('Faust', 'one'), ('Faust II', 'two'))
            """
        #expect(try number(reviewed) == 2)
        #expect(try number("SELECT count(*) FROM entries") == 2)
    }

    @Test func `a newer export still corrects title and ISBN of an id`() async throws {
        try await importing([Self.faust])
        let newer = try await importing([Self.row("6", "Urfaust", Self.second, date: "2022/01/01")])
        #expect(newer.booksUpdated == 1)
        #expect(newer.booksCreated == 0)
        #expect(try number("SELECT count(*) FROM entries") == 1)
        #expect(try warnings() == 0)
    }

    @Test(arguments: [true, false], ["", "fine"])
    func `a different book that a newer export has under an id becomes a separate book`(
        isFirst: Bool, review: String
    ) async throws {
        try await importing([Self.faust])
        let rows = [Self.row("6", "Faust", Self.first, review: review), Self.faustTwo]
        let newer = try await importing(isFirst ? rows.reversed() : rows)
        #expect(newer.booksCreated == 1)
        #expect(newer.booksUpdated == (isFirst || !review.isEmpty ? 1 : 0))
        let works = "SELECT count(DISTINCT d.work) FROM entries e JOIN editions d ON d.id = e.edition"
        #expect(try number(works) == 2)
        #expect(try await importing(rows).duplicatesSkipped == 2)
    }

    @Test(arguments: [
        (row("6", "Faust I", first), "its ISBN"), (row("6", "FAUST", second), "its title"),
        (row("6", "faust", ""), "its title"),
    ])
    func `a row that shares ISBN or title is the same book, and the last row wins`(
        row: String, shares: String
    ) async throws {
        let counts = try await importing([Self.faust, row + "again"])
        #expect(counts.booksCreated == 1, "\(shares)")
        #expect(counts.booksUpdated == 1, "\(shares)")
        #expect(try number("SELECT count(*) FROM entries WHERE review = 'again'") == 1)
        #expect(try warnings() == 0)
    }

    /// A row of another author than Goethe.
    private static func untitled(_ author: String, _ isbn: String) -> String {
        GoodreadsRows.row("6", "", author, isbn, date: "2020/01/01")
    }

    @Test(arguments: [
        ([untitled("Lao Tzu", first), faustTwo], 2), ([faust, untitled("Lao Tzu", "")], 1),
        ([untitled("Goethe", first), faustTwo], 2), ([untitled("Lao Tzu", first), faust], 1),
        ([row("6", "Faust"), untitled("Goethe", first)], 1),
        ([row("6", "Faust"), untitled("Lao Tzu", first)], 2),
    ])
    func `a row without a title is told from another by author and ISBN`(rows: [String], books: Int)
        async throws
    {
        try await importing(rows)
        #expect(try number("SELECT count(*) FROM entries") == books)
        let before = try sample.dump("s.sqlite")
        try await importing(rows)
        #expect(try sample.dump("s.sqlite") == before)
    }

    @Test(arguments: 1...8 as ClosedRange<UInt64>)
    func `a file of rows with few ids is complete after one import`(seed: UInt64) async throws {
        let rows = Self.many(seed)
        try await importing(rows)
        let before = try sample.dump("s.sqlite")
        let again = try await importing(rows)
        #expect(again.booksCreated == 0)
        #expect(try sample.dump("s.sqlite") == before)
    }

    @Test func `an export that only fills gaps keeps both books`() async throws {
        try await importing([Self.row("1", "Egmont", GoodreadsRows.isbn(3), date: "2024/01/01")])
        let older = try await importing([Self.faust, Self.faustTwo])
        #expect(older.booksCreated == 2)
        #expect(try warnings() == 1)
        #expect(try await importing([Self.faust, Self.faustTwo]).duplicatesSkipped == 2)
    }

    // MARK: In any order of events

    /// Rows with few ids and few titles.
    private static func many(_ seed: UInt64) -> [String] {
        var random = SeededGenerator(seed: seed)
        return (0..<60).map { _ in
            let book = Int.random(in: 1...9, using: &random)
            let hasISBN = Int.random(in: 0..<3, using: &random) > 0
            let hasTitle = !hasISBN || Int.random(in: 0..<4, using: &random) > 0
            return GoodreadsRows.row(
                "\(Int.random(in: 1...6, using: &random))", hasTitle ? "Book \(book)" : "",
                "Author \(Int.random(in: 1...3, using: &random))", hasISBN ? GoodreadsRows.isbn(book) : "",
                date: "2020/01/01", review: "\(Int.random(in: 0..<3, using: &random))")
        }
    }

    @Test(arguments: [1, 2, 3] as [UInt64])
    func `batches, workers and keys on disk do not matter`(seed: UInt64) async throws {
        var sample = sample
        let text = ([GoodreadsRows.header] + Self.many(seed)).joined(separator: "\n") + "\n"
        sample.files = [try sample.folder.write(text, to: "many.csv")]
        sample.batchRecords = 1
        let reference = try await sample.run("reference.sqlite").job.counts
        #expect(try warnings("reference.sqlite") > 5)
        for (number, records) in [2, 7, 1_024].enumerated() {
            var other = sample
            other.batchRecords = records
            other.limits = ResultsStore.Limits(
                recentKeys: number == 0 ? 1 : 1 << 17, usesFilters: number == 1)
            let store = "\(records).sqlite"
            let counts = try await other.run(
                store, reshaping: { $0.delayed(seed: seed, workers: 4) }
            ).job.counts
            #expect(counts == reference)
            #expect(try sample.dump(store) == sample.dump("reference.sqlite"))
            #expect(try warnings(store) == warnings("reference.sqlite"))
        }
    }

    @Test func `a job that is rolled back and run again stores the same`() async throws {
        let text = ([GoodreadsRows.header] + Self.many(5)).joined(separator: "\n") + "\n"
        var reading = ReadSettings(files: [try sample.folder.write(text, to: "many.csv")])
        reading.batchRecords = 4
        for store in ["once.sqlite", "again.sqlite"] {
            let job = try await OfflineImport(reading, into: sample.folder.file(store))
            try await job.run(batchesPerCommit: 2)
            if store == "again.sqlite" {
                try await job.store.beginRollback()
                try await job.run(batchesPerCommit: 2)
                try await job.store.commitRollback()
            }
            _ = try await job.store.end(.completed, busyMilliseconds: 0)
        }
        #expect(try sample.dump("again.sqlite") == sample.dump("once.sqlite"))
        #expect(try warnings("once.sqlite") > 5)
        #expect(try warnings("again.sqlite") == warnings("once.sqlite"))
    }

    // MARK: With a later import in between

    private static let egmont = row("6", "Egmont", review: "great")
    private static let newerFaust = row("6", "Faust", first, date: "2022/01/01")

    /// Whether the store has the two books, each with its own review, and a warning about their id.
    private func hasBoth(_ store: String) throws -> Bool {
        let own = """
            SELECT count(*) FROM entries e JOIN editions d ON d.id = e.edition JOIN works w ON w.id = d.work
            WHERE (w.title, ifnull(e.review, '')) IN (VALUES ('Faust', ''), ('Egmont', 'great'))
            """
        return try number(own, of: store) == 2 && number("SELECT count(*) FROM entries", of: store) == 2
            && warnings(store) > 0
    }

    @Test func `a job rolled back and run again after a later import keeps both books`() async throws {
        let reading = ReadSettings(files: [
            try GoodreadsRows.write([Self.faust, Self.egmont], to: sample.folder)
        ])
        do {
            let job = try await OfflineImport(reading, into: sample.folder.file("s.sqlite"))
            try await job.run(batchesPerCommit: 1)
            _ = try await job.store.end(.failed, busyMilliseconds: 0)
        }
        let later = try await importing([Self.newerFaust, Self.egmont])
        try #require(later.booksUpdated == 1)
        try #require(later.duplicatesSkipped == 1)

        let job = try await OfflineImport(reading, into: sample.folder.file("s.sqlite"))
        try await job.store.beginRollback()
        try await job.run(batchesPerCommit: 1)
        try await job.store.commitRollback()
        let ended = try await job.store.end(.completed, busyMilliseconds: 0)
        #expect(ended?.counts.booksCreated == 2)
        #expect(try hasBoth("s.sqlite"))
        #expect(try warnings() == 2, "one from each import")
    }

    @Test(arguments: [[newerFaust], [newerFaust, egmont], [egmont, newerFaust]])
    func `a job stopped anywhere and resumed after a later import keeps both books`(
        later: [String]
    ) async throws {
        var sample = sample
        sample.files = [try GoodreadsRows.write([Self.faust, Self.egmont], to: sample.folder)]
        sample.batchRecords = 1
        sample.batchesPerCommit = 1
        let copies = CommitCopies(of: "whole.sqlite", in: sample.folder)
        try await sample.run("whole.sqlite", observingCommits: copies.take)
        #expect(copies.names.count >= 4)
        for name in copies.names {
            try await importing(later, into: name)
            let resumed = try await sample.run(name)
            #expect(resumed.job.counts.totalProcessed == 2, "\(name)")
            #expect(try hasBoth(name), "\(name)")
        }
    }

    // MARK: Kills

    @Test func `an import killed at any commit resumes to the same result`() async throws {
        var sample = sample
        let text = ([GoodreadsRows.header] + Self.many(4)).joined(separator: "\n") + "\n"
        sample.files = [try sample.folder.write(text, to: "many.csv")]
        try await sample.expectResumption { (name: String) throws -> Void in
            #expect(try warnings(name) == warnings("whole.sqlite"), "\(name)")
        }
    }
}
