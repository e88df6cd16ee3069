import Books
import Queries
import TestSupport
import Testing

/// Records that are already stored must give the same result in a batch as one by one.
@Suite struct DeferredRecordsTests {
    private static func isbn(_ book: Int) -> String { ISBN(twelve: 978_050_000_000 + Int64(book)).isbn13 }

    /// Answers for five of six books: works with three editions, some of which name each other's ISBNs, by
    /// authors whose names are spelled in two ways.
    private static func known(_ books: Int, _ random: inout SeededGenerator) -> [String: [KnownBook]] {
        var known: [String: [KnownBook]] = [:]
        for book in 0..<books where book % 6 != 5 {
            let work = "OL\(100 + book / 3)W"
            let author = book % 5
            var fields: [(Field, String)] = [
                (.workKey, work), (.title, "Work \(book / 3)"), (.isbn13, isbn(book)),
                (.publisher, "House \(Int.random(in: 0..<3, using: &random))"),
            ]
            if book % 7 == 0 { fields.append((.isbn13, isbn(max(0, book - 4)))) }
            known[isbn(book)] = [
                KnownBook(
                    .openLibrary, work, fields,
                    authors: [
                        [
                            (.authorName, book % 2 == 0 ? "Author \(author)" : "A. Author \(author)"),
                            (.authorKey, "OL\(10 + author)A"),
                        ]
                    ])
            ]
        }
        return known
    }

    private static func export(_ records: Int, books: Int, _ random: inout SeededGenerator) -> String {
        var rows = [SmallLibrary.header]
        for _ in 0..<records {
            let book = Int.random(in: 0..<books, using: &random)
            let hasISBN = Int.random(in: 0..<5, using: &random) > 0
            rows.append(
                SmallLibrary.row(
                    "\(book * 2 + (hasISBN ? 0 : 1))", "Work \(book / 3)", "Author \(book % 5)",
                    isbn: hasISBN ? isbn(book) : "", rating: "\(Int.random(in: 0...5, using: &random))"))
        }
        return rows.joined(separator: "\n") + "\n"
    }

    private static func dump(_ seed: UInt64, batchRecords: Int) async throws -> String {
        var random = SeededGenerator(seed: seed)
        let store = try FilledStore()
        store.batchRecords = batchRecords
        for job in ["first", "second", "third"] {
            // Providers know something different each time.
            store.known = job == "first" ? [:] : known(90, &random)
            try await store.importing(
                [export(120, books: 90, &random)], job: job, replaces: job == "third")
        }
        let connection = try store.open()
        #expect(try StoreCheck(connection).problems().isEmpty)
        return try connection.canonicalDump()
    }

    @Test(arguments: [1, 2, 3, 4, 5, 6])
    func `known records give the same result in batches of any size`(seed: UInt64) async throws {
        let oneByOne = try await Self.dump(seed, batchRecords: 1)
        for batchRecords in [3, 17, 200] {
            #expect(try await Self.dump(seed, batchRecords: batchRecords) == oneByOne)
        }
    }
}
