import Pipeline
import System
import TestSupport
import Testing

@testable import Books
@testable import Database
@testable import Formats
@testable import Store

/// A new record's rows reach the store in two ways: copied from the batch's image or inserted one by one.
@Suite struct ImageRowsTests {
    /// Removes the image from every batch or from some.
    private struct Inserted: Stage {
        let every: Int
        func process(_ batch: consuming Batch<ResultBatch>) async throws(ETLError) -> Batch<ResultBatch> {
            var batch = batch
            if batch.sequence % every == 0 { batch.payload.image = nil }
            return batch
        }
    }

    /// Books of all kinds: new ones, repeated ones near and far, and ones that no image takes.
    private static func export(_ count: Int, seed: UInt64) -> String {
        var random = SeededGenerator(seed: seed)
        var text =
            "Book Id,Title,Author,Additional Authors,ISBN13,My Rating,Average Rating,Number of Pages,"
            + "Year Published,Original Publication Year,Date Added,Exclusive Shelf,My Review\n"
        for number in 0..<count {
            // One in eight is a repetition of an earlier book.
            let isMention = number > 3 && Int.random(in: 0..<8, using: &random) == 0
            let book = isMention ? Int.random(in: max(0, number - 200)..<number, using: &random) : number
            let isbn =
                Int.random(in: 0..<3, using: &random) > 0
                ? ISBN(twelve: 978_000_000_000 + Int64(book) * 7).isbn13 : ""
            let pages = ["\(book % 900)", "", "1e3", "212.5", "ca. 300"].randomElement(using: &random) ?? ""
            let year = ["1999", "", "-8", "2004"].randomElement(using: &random) ?? ""
            let review =
                Int.random(in: 0..<20, using: &random) == 0 ? String(repeating: "good ", count: 4_000) : ""
            let additional = book % 5 == 0 ? "\"Ann Other, Bob Third, Author \(book % 40)\"" : ""
            text += "\(isMention ? "" : "\(number)"),Book \(book),Author \(book % 40),\(additional),\(isbn),"
            text += "\(book % 6),\(["3.94", "4", ""].randomElement(using: &random) ?? ""),\(pages),\(year),,"
            text += "2020/01/0\(1 + book % 9),read,\(review)\n"
        }
        return text
    }

    /// Imports a file and returns the content of all book tables with the types of the values. Authors are
    /// given by their keys because their numbers may differ.
    private static func rows(
        _ text: String, batchRecords: Int, through stages: [Flow.StageRun] = []
    ) async throws -> [String] {
        let folder = try TemporaryFolder()
        var reading = ReadSettings(files: [try folder.write(text, to: "books.csv")])
        reading.batchRecords = batchRecords
        let job = try await OfflineImport(reading, into: folder.file("s.sqlite"))
        try await job.run(batchesPerCommit: 3, through: stages)
        _ = try await job.store.end(.completed, busyMilliseconds: 0)
        let connection = try StoreFile.openForReading(folder.file("s.sqlite"))
        #expect(try connection.string("PRAGMA integrity_check") == "ok")
        var rows: [String] = []
        for table in ImageLayout.tables.map(\.name) + ["authors"] {
            let columns = try connection.prepare("SELECT name FROM pragma_table_info('\(table)')")
            var parts: [String] = []
            while try columns.next() {
                let name = columns.string(0)
                switch (table, name) {
                case ("authors", "id"): break
                case ("contributors", "author"):
                    parts.append("(SELECT key FROM authors WHERE authors.id = author)")
                default: parts.append("quote(\(name)) || typeof(\(name))")
                }
            }
            let all = try connection.prepare(
                "SELECT \(parts.joined(separator: " || '|' || ")) FROM \(table) ORDER BY 1")
            while try all.next() { rows.append("\(table): \(all.string(0))") }
        }
        return rows
    }

    @Test(arguments: [1, 7, 64, 1_024])
    func `rows copied from images equal inserted rows`(batchRecords: Int) async throws {
        let text = Self.export(600, seed: 11)
        let copied = try await Self.rows(text, batchRecords: batchRecords)
        for every in [1, 2] {
            let inserted = try await Self.rows(
                text, batchRecords: batchRecords,
                through: [.init(name: "Inserted", stage: Inserted(every: every))])
            #expect(copied == inserted)
        }
        #expect(copied.count { $0.hasPrefix("works: ") } > 400)
        #expect(copied.count { $0.hasPrefix("contributors: ") } > 700)
    }

    @Test(arguments: [1, 2, 3])
    func `a batch gives the same rows as its records one by one`(
        seed: UInt64
    ) async throws {
        let text = Self.export(500, seed: seed)
        let oneByOne = try await Self.rows(text, batchRecords: 1)
        for batchRecords in [2, 13, 500] {
            #expect(try await Self.rows(text, batchRecords: batchRecords) == oneByOne)
        }
    }

    @Test func `most new records of a batch are in its image`() async throws {
        let seen = Guarded((placed: 0, records: 0))
        struct Look: Stage {
            let seen: Guarded<(placed: Int, records: Int)>
            func process(_ batch: consuming Batch<ResultBatch>) async throws(ETLError) -> Batch<
                ResultBatch
            > {
                let placed = batch.payload.rows.count { $0.entryPlaceholder != 0 }
                let records = batch.payload.rows.count
                seen.withLock { $0 = ($0.placed + placed, $0.records + records) }
                return batch
            }
        }
        let text = Self.export(300, seed: 5)
        _ = try await Self.rows(
            text, batchRecords: 50, through: [.init(name: "Look", stage: Look(seen: seen))])
        let (placed, records) = seen.withLock { $0 }
        #expect(records == 300)
        // The longest reviews are inserted.
        #expect((270..<300).contains(placed))
    }
}
