import Books
import Database
import TestSupport
import Testing

/// Authors are stored once; of several spellings the best one stays, in whatever order they come.
@Suite struct AuthorSpellingTests {
    private static func text(_ rows: [String]) -> String {
        ([SmallLibrary.header] + rows).joined(separator: "\n") + "\n"
    }

    private static let spellings = ["ANA GARCIA", "Ana Garcia", "ana garcía", "Ana García", "ANA GARCÍA"]

    private static let rows = spellings.enumerated().map { number, name in
        SmallLibrary.row("\(number)", "Reef \(number)", name)
    }

    private func names(_ store: FilledStore) throws -> [String] {
        let rows = try store.open().prepare("SELECT name FROM authors ORDER BY key")
        var names: [String] = []
        while try rows.next() { names.append(rows.string(0)) }
        return names
    }

    @Test(arguments: [1, 2, 7])
    func `the order of the rows does not matter`(batchRecords: Int) async throws {
        var dumps: Set<String> = []
        for rows in [Self.rows, Self.rows.reversed(), Self.rows.sorted { $0.hashed < $1.hashed }] {
            let store = try FilledStore()
            store.batchRecords = batchRecords
            try await store.importing([Self.text(rows)], job: "j")
            #expect(try names(store) == ["Ana García"])
            dumps.insert(try store.open().canonicalDump())
        }
        #expect(dumps.count == 1)
    }

    @Test func `nor does the order of the jobs`() async throws {
        var dumps: Set<String> = []
        for rows in [Self.rows, Self.rows.reversed()] {
            let store = try FilledStore()
            for (number, row) in rows.enumerated() {
                try await store.importing([Self.text([row])], job: "job\(number)")
            }
            #expect(try names(store) == ["Ana García"])
            dumps.insert(try store.open().canonicalDump())
        }
        #expect(dumps.count == 1)
    }

    @Test func `a later row of the same book spells its people better`() async throws {
        let store = try FilledStore()
        let isbn = "9780306406157"
        try await store.importing(
            [Self.text([SmallLibrary.row("1", "Reef", "BO EK", isbn: isbn)])], job: "first")
        try await store.importing(
            [Self.text([SmallLibrary.row("2", "Reef", "Bo Ek", isbn: isbn)])], job: "second", library: "other"
        )
        #expect(try names(store) == ["Bo Ek"])
    }

    @Test func `the people of a book are the same whichever row comes first`() async throws {
        let isbn = "9780306406157"
        let rows = [
            SmallLibrary.row("1", "Reef", "Bo Ek", isbn: isbn),
            SmallLibrary.row("2", "Reef", "Ana Lee", isbn: isbn, others: "Bo Ek"),
        ]
        for rows in [rows, rows.reversed()] {
            let store = try FilledStore()
            for (number, row) in rows.enumerated() {
                try await store.importing([Self.text([row])], job: "job\(number)")
            }
            #expect(try names(store) == ["Ana Lee", "Bo Ek"])
        }
    }

    @Test func `a catalog's spelling stays`() async throws {
        let store = try FilledStore()
        let isbn = "9780306406157"
        store.known[isbn] = [
            KnownBook(
                .openLibrary, "OL1W", [(.workKey, "OL1W"), (.title, "Reef"), (.isbn13, isbn)],
                authors: [[(.authorName, "bo ek"), (.authorKey, "OL2A")]])
        ]
        let row = SmallLibrary.row("1", "Reef", "Bo Ek", isbn: isbn)
        try await store.importing([Self.text([row])], job: "first")
        store.known = [:]
        try await store.importing(
            [Self.text([SmallLibrary.row("2", "Reef", "Bo Ek", isbn: isbn)])], job: "second")
        #expect(try names(store) == ["bo ek"])
    }
}

extension String {
    /// A number that mixes up an order.
    fileprivate var hashed: UInt64 { utf8.reduce(7) { ($0 &* 0x100_0000_01B3) ^ UInt64($1) } }
}
