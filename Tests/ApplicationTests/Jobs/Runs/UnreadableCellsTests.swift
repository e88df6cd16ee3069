import Books
import Foundation
import Jobs
import Pipeline
import System
import TestSupport
import Testing

@testable import Database
@testable import Store

/// Cells that a spreadsheet has made unreadable do not replace readable values in the store.
@Suite struct UnreadableCellsTests {
    private static let header =
        "Book Id,Title,Author,ISBN13,My Rating,Average Rating,Date Read,Date Added,Exclusive Shelf,My Review,Read Count,Owned Copies\n"
    private static let whole = "7,Reef,Ann Lee,9780306406157,4,3.5,2020/05/06,2020/01/02,read,Good,2,1"
    private static let damaged = "7,Reef,Ann Lee,9780306406157,?,3.5,########,########,read,Good,?,########"

    private let sample: SampleImport

    init() async throws {
        var sample = try await SampleImport()
        sample.asksCatalog = false
        self.sample = sample
    }

    /// Imports rows with the common header as one file.
    @discardableResult
    private func run(
        _ rows: String..., store: String = "s.sqlite", change: (inout SampleImport) -> Void = { _ in }
    ) async throws -> JobCounts {
        var sample = sample
        let text = Self.header + rows.joined(separator: "\n") + "\n"
        sample.files = [try sample.folder.write(text, to: "\(UUID().uuidString).csv")]
        change(&sample)
        return try await sample.run(store).job.counts
    }

    private func entry(_ columns: String, _ store: String = "s.sqlite") throws -> String {
        let connection = try StoreFile.openForReading(sample.folder.file(store))
        guard let read = try connection.row("SELECT \(columns) FROM entries WHERE source_id = '7'") else {
            return ""
        }
        return (0..<Int32(columns.split(separator: ",").count)).map { read.string($0) }.joined(separator: "|")
    }

    private static let readers = "rating,date_read,date_added,read_count,owned_copies"

    @Test func `a damaged cell keeps the stored value and is reported`() async throws {
        try await run(Self.whole)
        let stored = try sample.dump("s.sqlite")
        let again = try await run(Self.damaged)
        #expect(again.duplicatesSkipped == 1 && again.booksUpdated == 0)
        #expect(try sample.dump("s.sqlite") == stored)
        let connection = try StoreFile.openForReading(sample.folder.file("s.sqlite"))
        let read = try connection.query("SELECT code, field FROM warnings ORDER BY field")
        var warnings: [String] = []
        while try read.next() { warnings.append("\(read.string(0)) \(read.string(1))") }
        #expect(
            warnings == [
                "date_damaged Date Added", "date_damaged Date Read", "rating_damaged My Rating",
                "number_damaged Owned Copies", "number_damaged Read Count",
            ])
        // Importing the undamaged export again changes nothing.
        #expect(try await run(Self.whole).duplicatesSkipped == 1)
        #expect(try sample.dump("s.sqlite") == stored)
    }

    @Test func `other cells of a damaged row are imported`() async throws {
        try await run(Self.whole)
        #expect(try await run(Self.damaged.replacing("Good", with: "Better")).booksUpdated == 1)
        #expect(try entry(Self.readers + ",review") == "4.0|2020-05-06|2020-01-02|2|1|Better")
        // A new community rating in a row that is still damaged.
        let third = Self.damaged.replacing("Good", with: "Better").replacing("3.5", with: "3.9")
        #expect(try await run(third).duplicatesSkipped == 1)
        #expect(try entry(Self.readers + ",review") == "4.0|2020-05-06|2020-01-02|2|1|Better")
        #expect(try sample.dump("s.sqlite").contains("\"2020/05/06\""))
    }

    @Test func `an empty cell still clears the value`() async throws {
        try await run(Self.whole)
        let empty = "7,Reef,Ann Lee,9780306406157,0,3.5,,2020/06/01,read,Good,,"
        #expect(try await run(empty).booksUpdated == 1)
        #expect(try entry(Self.readers) == "||2020-06-01||")
    }

    @Test func `a date that is none is not stored, and a readable one fills the gap`() async throws {
        try await run(Self.damaged)
        #expect(try entry(Self.readers) == "||||")
        #expect(try await run(Self.whole).booksUpdated == 1)
        #expect(try entry(Self.readers) == "4.0|2020-05-06|2020-01-02|2|1")
    }

    @Test func `an older export fills values the newer one could not provide`() async throws {
        let other = "8,Emma,Jane Austen,9780140449136,3,3.5,,2022/01/01,read,,1,1"
        try await run(Self.damaged, other)
        let old = Self.whole.replacing("Good", with: "Withdrawn").replacing(",read,", with: ",to-read,")
        #expect(try await run(old).booksUpdated == 1)
        // In other columns the newer export wins.
        #expect(try entry(Self.readers + ",shelf,review") == "4.0|2020-05-06|2020-01-02|||read|Good")
        #expect(try await run(old).duplicatesSkipped == 1)
        // A damaged older export has nothing to fill with.
        let worse = Self.damaged.replacing("########", with: "?")
        #expect(try await run(worse).duplicatesSkipped == 1)
        #expect(try entry("rating,date_read") == "4.0|2020-05-06")
    }

    @Test func `in another layout columns are found by name`() async throws {
        try await run(Self.whole)
        let path = try sample.folder.write(
            "Book Id,Date Read,Title,Author,ISBN13,My Rating,Exclusive Shelf\n"
                + "7,########,Reef,Ann Lee,9780306406157,?,read\n", to: "short.csv")
        var shorter = sample
        shorter.files = [path]
        try await shorter.run("s.sqlite")
        #expect(try entry("rating,date_read") == "4.0|2020-05-06")
        #expect(try sample.dump("s.sqlite").contains("\"2020/05/06\""))
    }

    @Test func `a stopped import gives the same result`() async throws {
        let isbns = FakeClient.isbns(known: 60, unknown: 1).known
        let whole = isbns.enumerated().map { number, isbn in
            "\(number + 7),Row \(number),Ann Lee,\(isbn.isbn13),4,3.5,2020/05/06,2020/01/02,read,Good,2,1"
        }.joined(separator: "\n")
        let broken = whole.replacing("2020/05/06", with: "########").replacing(",4,", with: ",?,")
        for store in ["a.sqlite", "b.sqlite"] { try await run(whole, store: store) }
        try await run(broken, store: "a.sqlite")

        var sample = sample
        (sample.batchRecords, sample.batchesPerCommit) = (1, 1)
        sample.files = [try sample.folder.write(Self.header + broken + "\n", to: "stopped.csv")]
        let stop = StopSignal()
        let first = try await sample.run(
            "b.sqlite", stop: stop,
            observing: { event in if case .ran(.committed) = event { stop.raise() } })
        #expect(first.end == .stopped)
        try await sample.run("b.sqlite")
        #expect(try sample.dump("a.sqlite") == sample.dump("b.sqlite"))
        #expect(try entry("rating,date_read", "b.sqlite") == "4.0|2020-05-06")
    }

    @Test func `a changed community rating is stored even if nothing else changed`() async throws {
        try await run(Self.whole)
        let renewed = Self.whole.replacing("3.5", with: "3.99")
        let counts = try await run(renewed)
        #expect(counts.duplicatesSkipped == 1 && counts.booksUpdated == 0)
        let connection = try StoreFile.openForReading(sample.folder.file("s.sqlite"))
        #expect(try connection.integer("SELECT round(average_rating * 100) FROM editions") == 399)
        // An older export does not change it.
        try await run("8,Emma,Jane Austen,9780140449136,3,3.5,,2022/01/01,read,,1,1")
        try await run(Self.whole.replacing("3.5", with: "1.5"))
        #expect(
            try connection.integer("SELECT round(average_rating * 100) FROM editions WHERE work = 1") == 399)
    }

    @Test func `unreadable numbers of a book are reported, and stored ones stay`()
        async throws
    {
        func run(_ average: String, _ pages: String) async throws -> JobCounts {
            var sample = sample
            let text =
                "Book Id,Title,Author,ISBN13,Average Rating,Number of Pages,Date Added,Exclusive Shelf\n"
                + "7,Reef,Ann Lee,9780306406157,\(average),\(pages),2020/01/02,read\n"
            sample.files = [try sample.folder.write(text, to: "\(UUID().uuidString).csv")]
            return try await sample.run("s.sqlite").job.counts
        }
        func stored() throws -> [String] {
            let connection = try StoreFile.openForReading(sample.folder.file("s.sqlite"))
            guard let read = try connection.row("SELECT average_rating, page_count FROM editions") else {
                return []
            }
            return [read.string(0), read.string(1)]
        }
        func warnings() throws -> [String] {
            let connection = try StoreFile.openForReading(sample.folder.file("s.sqlite"))
            let read = try connection.query("SELECT code, field FROM warnings ORDER BY field")
            var warnings: [String] = []
            while try read.next() { warnings.append("\(read.string(0)) \(read.string(1))") }
            return warnings
        }
        let explicit = ["number_damaged Average Rating", "number_damaged Number of Pages"]
        _ = try await run("########", "########")
        #expect(try stored() == ["", ""])
        #expect(try warnings() == explicit)
        #expect(try await run("\"4,20\"", "300").booksUpdated == 1)
        #expect(try stored() == ["4.2", "300"])
        let dump = try sample.dump("s.sqlite")
        #expect(try await run("########", "########").duplicatesSkipped == 1)
        #expect(try stored() == ["4.2", "300"])
        #expect(try sample.dump("s.sqlite") == dump)
        #expect(try warnings() == explicit.flatMap { [$0, $0] })
        // An empty cell or a dash is not damage.
        _ = try await run("-", " ")
        #expect(try warnings().count == 4)
    }
}
