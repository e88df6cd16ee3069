import Pipeline
import System
import TestSupport
import Testing

@testable import Database
@testable import Queries
@testable import Store

@Suite struct LibraryListTests {
    private func query(
        _ columns: [String], sort: [(String, Bool)] = [], where condition: String? = nil,
        library: String? = nil, limit: Int? = nil
    ) throws -> LibraryList.Query {
        LibraryList.Query(
            columns: columns.compactMap { StoredBookField.field(named: $0) },
            order: sort.compactMap { name, isDescending in
                StoredBookField.field(named: name).map { ($0, isDescending) }
            },
            condition: try condition.map {
                try RecordExpression($0, over: StoredBookField.schema, as: .condition)
            }, library: library, limit: limit)
    }

    private func rows(_ store: FilledStore, _ query: LibraryList.Query) throws -> [[String]] {
        var rows: [[String]] = []
        try LibraryList(try store.open(), query).visit { cells throws(ETLError) in rows.append(cells) }
        return rows
    }

    @Test func `every field can be shown, in any order of books`() async throws {
        let store = try await SmallLibrary.store()
        let all = try rows(store, query(StoredBookField.all.map(\.name)))
        #expect(all.count == 3 && all.allSatisfy { $0.count == StoredBookField.all.count })
        for field in StoredBookField.all {
            #expect(try rows(store, query(["key"], sort: [(field.name, true)])).count == 3, "\(field.name)")
        }
        let byTitle = try rows(store, query(["title"], sort: [("title", false)]))
        #expect(byTitle == [["A Wizard of Earthsea"], ["Broken \"Number\""], ["Dune"]])
        // A missing value comes last, whatever the order.
        let byRating = try rows(
            store, query(["title", "rating"], sort: [("rating", true), ("title", true)]))
        #expect(byRating == [["Dune", "5"], ["Broken \"Number\"", ""], ["A Wizard of Earthsea", ""]])
    }

    @Test func `a condition, a library and a limit choose books`() async throws {
        let store = try await SmallLibrary.store()
        try await store.importing(
            [SmallLibrary.header + "\n" + SmallLibrary.dune], job: "theirs", library: "another")
        #expect(try rows(store, query(["title"], where: "rating >= 4")).count == 2)
        #expect(try rows(store, query(["title"], where: "rating >= 4", library: "another")) == [["Dune"]])
        #expect(
            try rows(store, query(["title"], where: "review is not missing")) == [["A Wizard of Earthsea"]])
        #expect(try rows(store, query(["title"], where: "title = 'none'")).isEmpty)
        #expect(try rows(store, query(["title"], limit: 2)).count == 2)
        #expect(throws: ETLError.self) { try rows(store, query(["title"], library: "none")) }
    }

    @Test func `copies are listed with their details, without books that one does not own`() async throws {
        let table = """
            Title,Author,ISBN,Quantity,Location,Lent To,Price,Condition,Barcode
            Reef,Ana Lee,9780306406157,1,Office,,,worn,
            Reef,Ana Lee,9780306406157,1,Home,Bo Ek,9.50,,K2
            Salt,Ana Lee,,0,,,,,

            """
        let columns = ["title", "location", "lentTo", "price", "condition", "barcode"]
        var query = try query(columns, sort: [("title", false)])
        query.isOfCopies = true
        let (copies, count) = try await LayoutTrip.importing(Array(table.utf8), as: "copies.csv") { store in
            var rows: [[String]] = []
            let count = try LibraryList(store, query).visit { cells throws(ETLError) in rows.append(cells) }
            return (rows, count)
        }
        #expect(count == .init(entries: 2, books: 1))
        #expect(
            copies == [["Reef", "Office", "", "", "worn", ""], ["Reef", "Home", "Bo Ek", "9.50", "", "K2"]])
    }

    @Test func `formats for programs have the same values`() async throws {
        let store = try await SmallLibrary.store()
        func written(_ format: LibraryList.Format) throws -> ByteCollector {
            let collector = ByteCollector()
            let query = try query(["title", "genres", "rating"], sort: [("title", false)])
            let count = try LibraryList(try store.open(), query).write(as: format) {
                (piece) throws(ETLError) in collector.take(piece)
            }
            #expect(count == 3)
            return collector
        }
        #expect(try written(.csv).records[0] == ["title", "genres", "rating"])
        #expect(try written(.csv).records[3] == ["Dune", "Science Fiction", "5"])
        #expect(
            try written(.ndjson).lines[2]
                == #"{"key":"isbn:9780441013593","title":"Dune","genres":["Science Fiction"],"rating":5}"#)
        #expect(try written(.json).text.hasPrefix("["))
        #expect(
            try written(.ids).lines == [
                "title:a wizard of earthsea|ursula k le guin|", "title:broken number|somebody|",
                "isbn:9780441013593",
            ])
    }
}
