import Store
import System
import TestSupport
import Testing

@testable import Books
@testable import Formats

/// Cost of an import of new books, in counts that do not depend on a clock: a change that doubles one of them
/// fails here.
@Suite struct CostTests {
    private static let records = 4_000

    /// A Goodreads export of books that share nothing but some authors.
    private static func export() -> String {
        var text =
            "Book Id,Title,Author,ISBN13,My Rating,Publisher,Number of Pages,Date Added,Exclusive Shelf\n"
        for number in 0..<records {
            let isbn = ISBN(twelve: 978_000_000_000 + Int64(number)).isbn13
            text += "\(number),A Title of Its Own \(number),Author \(number % 700),\(isbn),4,"
            text += "Some Publisher,\(100 + number % 700),2020/01/02,read\n"
        }
        return text
    }

    @Test func `a new record costs less than half a statement and three times its bytes`() async throws {
        let folder = try TemporaryFolder()
        let path = try folder.write(Self.export(), to: "books.csv")
        let bytes = Self.export().utf8.count
        let reading = ReadSettings(files: [path], batchRecords: 1_000)
        let running = try await OfflineImport(reading, into: folder.file("s.sqlite"))
        let before = await running.store.cost
        try await running.run(batchesPerCommit: 8)
        let after = await running.store.cost
        let job = try #require(try await running.store.end(.completed, busyMilliseconds: 0))
        #expect(job.counts.booksCreated == Self.records)
        #expect(Double(after.statements - before.statements) / Double(Self.records) < 0.5)
        // No batch is committed twice: four batches are at most four commits.
        #expect((1...4).contains(after.commits - before.commits))
        #expect((after.pages - before.pages) * 16_384 < bytes * 8)
    }
}
