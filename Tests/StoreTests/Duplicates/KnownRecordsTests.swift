import Books
import Formats
import Foundation
import Jobs
import System
import TestSupport
import Testing

@testable import Store

/// What a library has of a file before it is imported.
@Suite struct KnownRecordsTests {
    private static let header =
        "Book Id,Title,Author,ISBN13,My Rating,Date Read,Date Added,Exclusive Shelf,My Review\n"

    /// Goodreads rows of books 1 to `count`.
    private static func goodreads(
        _ count: Int, added: String, read: String = "", rating: Int = 4
    ) -> String {
        (1...count).reduce(into: header) { text, book in
            let isbn = GoodreadsRows.isbn(book)
            // A file with one day says when it was made.
            let day = added.isEmpty || !book.isMultiple(of: 2) ? added : "\(added.dropLast())9"
            text += "\(book),Book \(book),Ana Lee,\(isbn),\(rating),\(read),\(day),read,\n"
        }
    }

    private let folder: TemporaryFolder
    private var sample: SampleImport

    init() async throws {
        sample = try await SampleImport()
        sample.asksCatalog = false
        folder = sample.folder
    }

    private mutating func run(_ text: String, samePerson: Bool = false) async throws -> ImportOutcome {
        sample.files = [try folder.write(text, to: "\(UUID().uuidString).csv")]
        var request = try sample.request(store: folder.file("s.sqlite"))
        request.isSamePerson = samePerson
        return try await ImportJob(request, clock: ManualClock()).run()
    }

    private func known(_ text: String, library: String = "default") throws -> KnownRecords {
        let path = try folder.write(text, to: "\(UUID().uuidString).csv")
        let (formatName, records) = try ReadSettings(files: [path]).facts(ofFile: 0, atMost: 1_000)
        return try KnownRecords(
            records, formatName: formatName, library: library,
            in: StoreFile.openForReading(folder.file("s.sqlite")))
    }

    @Test
    mutating func `records of the same program are updates, those of another one are books already there`()
        async throws
    {
        _ = try await run(Self.goodreads(6, added: "2020/01/02"))
        let again = try known(Self.goodreads(8, added: "2020/01/02"))
        #expect(again.updates == 6 && again.others.isEmpty && !again.areAnotherPersons)
        let isbns = [3, 4, 9].map(GoodreadsRows.isbn)
        let other = try known(
            "Title,Authors,ISBN/UID,Read Status,Last Date Read,Star Rating\n"
                + isbns.map { "Book,Ana Lee,\($0),read,,4.0\n" }.joined())
        #expect(other.updates == 0 && other.others == [OtherPrograms(format: "generic", count: 2)])
        #expect(try known(Self.goodreads(6, added: "2021/05/06"), library: "ben") == KnownRecords())
    }

    @Test mutating func `a book without a number is found by title and author`() async throws {
        _ = try await run(Self.header + "1,Reef,Ana Lee,,4,,2020/01/02,read,\n")
        let other = try known(
            "Title,Authors,ISBN/UID,Read Status,Last Date Read,Star Rating\nREEF,Ana Lee,,read,,4.0\nGarden,Ana Lee,,read,,\n"
        )
        #expect(other.others == [OtherPrograms(format: "generic", count: 1)])
    }

    @Test mutating func `a file with other dates of adding is another person's, and is not imported`()
        async throws
    {
        _ = try await run(Self.goodreads(6, added: "2020/01/02", read: "2020/02/03"))
        let before = try sample.dump("s.sqlite")
        let others = Self.goodreads(5, added: "2021/05/06", read: "2021/06/07", rating: 1)
        let found = try known(others)
        #expect(found.areAnotherPersons && found.dated == 5 && found.otherwiseDated == 5)
        var error: ETLError?
        do { _ = try await run(others) } catch let refusal as ETLError { error = refusal }
        #expect(error?.kind == .conflict)
        let message = error?.message ?? ""
        #expect(
            message.contains("of 5 books") && message.contains("“Book 1” on 2021-05-06 instead of 2020-01-02")
        )
        #expect(try sample.dump("s.sqlite") == before)
        #expect(try await run(others, samePerson: true).job.counts.booksUpdated == 5)
    }

    @Test(arguments: [
        // Another time zone; a new account, whose books were read on the same days; few books; no days.
        ("2020/01/03", "2020/02/03", 6), ("2024/01/01", "2020/02/03", 6), ("2024/01/01", "2024/01/01", 4),
        ("", "2024/01/01", 6),
    ])
    mutating func `a file of the same person is not refused`(added: String, read: String, count: Int)
        async throws
    {
        _ = try await run(Self.goodreads(6, added: "2020/01/02", read: "2020/02/03"))
        let own = Self.goodreads(count, added: added, read: read)
        #expect(try !known(own).areAnotherPersons)
        #expect(try await run(own).end == .completed)
    }

    @Test mutating func `half of the books, or a file of one day, show nothing`() async throws {
        let own = Self.goodreads(6, added: "2020/01/02")
        _ = try await run(own)
        func lines(_ text: String) -> [Substring] { text.split(separator: "\n") }
        let others = Self.goodreads(6, added: "2021/05/06")
        let half = lines(own).prefix(4) + lines(others).suffix(3)
        let found = try known(half.joined(separator: "\n"))
        #expect(found.dated == 6 && found.otherwiseDated == 3 && !found.areAnotherPersons)
        #expect(
            try known((lines(own).prefix(3) + lines(others).suffix(4)).joined(separator: "\n"))
                .areAnotherPersons)
        #expect(try !known(others.replacing("2021/05/09", with: "2021/05/06")).areAnotherPersons)
    }

    @Test mutating func `a book that was removed is neither an update nor an error`() async throws {
        let job = try await run(Self.goodreads(6, added: "2020/01/02")).job
        let store = try ResultsStore(folder.file("s.sqlite"), limits: .init())
        _ = try await store.undo(UndoRequest(jobs: [job.name], name: "undo"))
        #expect(try known(Self.goodreads(6, added: "2021/05/06")) == KnownRecords())
    }
}
