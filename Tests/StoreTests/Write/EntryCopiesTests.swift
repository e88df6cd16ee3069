import Foundation
import Jobs
import System
import TestSupport
import Testing

@testable import Books
@testable import Database
@testable import Formats
@testable import Queries
@testable import Store

/// Rows of one book that differ in what they say about a copy.
@Suite struct EntryCopiesTests {
    private static let header = "Title,Author,ISBN,Location,Lent To,Price,Condition,Barcode,Rating"
    private static let isbn = "9780306406157"
    private static let (office, home) = (row("Office", rating: "4"), row("Home", lentTo: "Bo", price: "9.50"))

    private var sample: SampleImport

    init() async throws {
        sample = try await SampleImport()
        sample.asksCatalog = false
    }

    private static func row(
        _ location: String, lentTo: String = "", price: String = "", barcode: String = "",
        isbn: String = isbn,
        rating: String = ""
    ) -> String {
        "Tidal Song,Ana Lee,\(isbn),\(location),\(lentTo),\(price),,\(barcode),\(rating)"
    }

    private func file(_ rows: [String], named name: String = "copies.csv") throws -> String {
        try sample.folder.write(([Self.header] + rows).joined(separator: "\n") + "\n", to: name)
    }

    @discardableResult
    private func importing(_ rows: [String], into store: String = "s.sqlite") async throws -> JobCounts {
        var sample = sample
        sample.files = [try file(rows)]
        return try await sample.run(store).job.counts
    }

    /// Location, borrower, price and number of each copy, in their order.
    private func copies(_ store: String = "s.sqlite") throws -> [String] {
        let rows = try StoreFile.openForReading(sample.folder.file(store)).query(
            "SELECT location, lent_to, price, barcode FROM entries")
        var copies: [String] = []
        while try rows.next() {
            copies.append((0..<4).compactMap { rows.optionalString($0) }.joined(separator: "/"))
        }
        return copies.sorted()
    }

    private func number(_ sql: String, of store: String = "s.sqlite") throws -> Int {
        Int(try StoreFile.openForReading(sample.folder.file(store)).number(sql))
    }

    @Test(arguments: [isbn, ""]) func `two copies of one edition are two copies`(isbn: String) async throws {
        let rows = [
            Self.row("Office", isbn: isbn, rating: "4"),
            Self.row("Home", lentTo: "Bo", price: "9.50", isbn: isbn),
        ]
        let counts = try await importing(rows)
        #expect(counts.booksCreated == 2 && counts.booksUpdated == 0)
        #expect(try copies() == ["Home/Bo/9.50", "Office"])
        #expect(try number("SELECT count(DISTINCT edition) FROM entries") == 1)
        #expect(try number("SELECT count(*) FROM editions") == 1)
        #expect(try number("SELECT count(*) FROM works") == 1)
        #expect(try number("SELECT count(*) FROM warnings") == 0)
        let store = try StoreFile.openForReading(sample.folder.file("s.sqlite"))
        #expect(try StoreCheck(store).problems().isEmpty)
    }

    @Test func `importing the file again doubles no copy, whatever the order of rows`() async throws {
        let third = Self.row("Cellar")
        try await importing([Self.office, Self.home, third])
        let before = try sample.dump("s.sqlite")
        for rows in [
            [Self.office, Self.home, third], [third, Self.home, Self.office], [Self.home],
            [Self.home, third],
        ] {
            let again = try await importing(rows)
            #expect(again.duplicatesSkipped == rows.count)
            #expect(try sample.dump("s.sqlite") == before)
        }
    }

    @Test func `a copy that has moved is the same copy`() async throws {
        try await importing([Self.office, Self.home])
        let moved = Self.row("Attic", lentTo: "Bo", price: "9.50")
        for rows in [[Self.office, moved], [moved, Self.office]] {
            try await importing(rows)
            #expect(try copies() == ["Attic/Bo/9.50", "Office"])
        }
        try await importing([Self.row("Shed", rating: "4"), moved, Self.row("Home")])
        #expect(try copies() == ["Attic/Bo/9.50", "Home", "Shed"])
    }

    @Test func `copies with numbers are told apart by them`() async throws {
        let (one, two) = (Self.row("Office", barcode: "K1"), Self.row("Office", barcode: "K2"))
        try await importing([one, two])
        #expect(try copies() == ["Office/K1", "Office/K2"])
        // Another import has only the second one, and moves it.
        try await importing([Self.row("Home", barcode: "K2")])
        #expect(try copies() == ["Home/K2", "Office/K1"])
        // A new number is a new copy, even alone in its file.
        try await importing([Self.row("Home", barcode: "K3")])
        #expect(try copies() == ["Home/K2", "Home/K3", "Office/K1"])
    }

    @Test func `rows with the same details are one copy, and the last row wins`() async throws {
        let counts = try await importing([Self.office, Self.row("Office", rating: "2"), Self.home])
        #expect(counts.booksCreated == 2 && counts.booksUpdated == 1)
        #expect(try number("SELECT count(*) FROM entries WHERE rating = 2") == 1)
        #expect(try number("SELECT count(*) FROM warnings WHERE code = 'row_replaced'") == 1)
        let before = try sample.dump("s.sqlite")
        try await importing([Self.office, Self.row("Office", rating: "2"), Self.home])
        #expect(try sample.dump("s.sqlite") == before)
    }

    @Test func `two exports in one import have the copies once`() async throws {
        var sample = sample
        sample.files = [
            try file([Self.office, Self.home], named: "old.csv"),
            try file([Self.row("Attic", rating: "4"), Self.home], named: "new.csv"),
        ]
        try await sample.run("s.sqlite")
        #expect(try copies() == ["Attic", "Home/Bo/9.50"])
    }

    @Test func `an export of ours has all copies, and an import of it finds them`() async throws {
        try await importing([Self.office, Self.home])
        let store = try StoreFile.openForReading(sample.folder.file("s.sqlite"))
        let csv = ByteCollector()
        _ = try Export(store).write(.books, as: .csv) { (piece) throws(ETLError) in csv.take(piece) }
        let json = ByteCollector()
        _ = try Export(store).write(.books, as: .ndjson) { (piece) throws(ETLError) in json.take(piece) }
        #expect(
            json.lines.filter { $0.contains(#""location":"Home","lentTo":"Bo","price":"9.50""#) }.count == 1)
        var sample = sample
        sample.files = [try sample.folder.write(csv.text, to: "books.csv")]
        try await sample.run("again.sqlite")
        #expect(try copies("again.sqlite") == copies())
        let before = try self.sample.dump("again.sqlite")
        try await sample.run("again.sqlite")
        #expect(try self.sample.dump("again.sqlite") == before)
    }

    @Test func `a removed copy stays away, and the other one stays`() async throws {
        try await importing([Self.office, Self.home])
        for location in ["Office", "Home"] {
            let name = "\(location).sqlite"
            SampleImport.copy(sample.folder.file("s.sqlite"), to: sample.folder.file(name))
            do {
                let store = try ResultsStore(sample.folder.file(name), clock: ManualClock())
                let entry = try number("SELECT id FROM entries WHERE location = '\(location)'", of: name)
                _ = try await store.remove(
                    entries: [Int64(entry)], library: "default", as: "gone",
                    note: EditNote(book: "Tidal Song", books: 1, fields: 0))
            }
            for _ in 0..<2 {
                try await importing([Self.office, Self.home], into: name)
                #expect(try copies(name) == (location == "Office" ? ["Home/Bo/9.50"] : ["Office"]))
            }
        }
    }

    @Test func `an undo leaves the copies of earlier imports`() async throws {
        try await importing([Self.office])
        let before = try sample.dump("s.sqlite")
        try await importing([Self.office, Self.home])
        let jobs = try JobTable(StoreFile.openForReading(sample.folder.file("s.sqlite"))).all()
        do {
            let store = try ResultsStore(sample.folder.file("s.sqlite"), clock: ManualClock())
            let last = try #require(jobs.max { $0.id < $1.id }).name
            _ = try await store.undo(UndoRequest(jobs: [last], withLater: true, name: "back"))
        }
        #expect(try sample.dump("s.sqlite") == before)
        try await importing([Self.home, Self.office])
        #expect(try copies() == ["Home/Bo/9.50", "Office"])
    }

    @Test func `an undo of an import in the middle hides no later copy`() async throws {
        func numbered(_ number: String) -> String { Self.row("Office", barcode: number) }
        for number in ["K1", "K2", "K3"] { try await importing([numbered(number)]) }
        let jobs = try JobTable(StoreFile.openForReading(sample.folder.file("s.sqlite"))).all()
        do {
            let store = try ResultsStore(sample.folder.file("s.sqlite"), clock: ManualClock())
            let middle = jobs.sorted { $0.id < $1.id }[1].name
            _ = try await store.undo(UndoRequest(jobs: [middle], withLater: false, name: "back"))
        }
        #expect(try copies() == ["Office/K1", "Office/K3"])
        for number in ["K3", "K4", "K2"] { try await importing([numbered(number)]) }
        #expect(try copies() == (1...4).map { "Office/K\($0)" })
    }

    // MARK: In any batches, and after kills

    /// Rows of few books with few places.
    private static func many(_ seed: UInt64) -> [String] {
        var random = SeededGenerator(seed: seed)
        return (0..<60).map { _ in
            let book = Int.random(in: 1...6, using: &random)
            let place = ["", "Office", "Home", "Attic"][Int.random(in: 0..<4, using: &random)]
            let barcode =
                Int.random(in: 0..<5, using: &random) == 0 ? "K\(Int.random(in: 1...9, using: &random))" : ""
            let isbn = book % 2 == 0 ? GoodreadsRows.isbn(book) : ""
            return
                "Book \(book),Ana Lee,\(isbn),\(place),,,,\(barcode),\(Int.random(in: 1...3, using: &random))"
        }
    }

    @Test(arguments: [1, 2, 3] as [UInt64])
    func `batches and workers do not matter, and a second import adds nothing`(seed: UInt64) async throws {
        var sample = sample
        sample.files = [try file(Self.many(seed))]
        sample.batchRecords = 1
        let reference = try await sample.run("reference.sqlite").job.counts
        #expect(reference.booksCreated > 12)
        for records in [2, 7, 1_024] {
            var other = sample
            other.batchRecords = records
            if records == 2 { other.limits = ResultsStore.Limits(recentKeys: 1, usesFilters: false) }
            let counts = try await other.run(
                "\(records).sqlite", reshaping: { $0.delayed(seed: seed, workers: 4) }
            ).job.counts
            #expect(counts == reference)
            #expect(try sample.dump("\(records).sqlite") == sample.dump("reference.sqlite"))
        }
        let before = try sample.dump("reference.sqlite")
        let again = try await sample.run("reference.sqlite").job.counts
        #expect(again.booksCreated == 0)
        #expect(try sample.dump("reference.sqlite") == before)
    }

    @Test func `an import killed at any commit resumes to the same result`() async throws {
        var sample = sample
        sample.files = [try file(Self.many(4))]
        try await sample.expectResumption()
    }
}
