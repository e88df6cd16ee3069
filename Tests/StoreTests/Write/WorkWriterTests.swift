import Books
import Database
import Queries
import TestSupport
import Testing

@Suite struct WorkWriterTests {
    private static let one = "9780306406157"
    private static let other = "9780441013593"

    /// An answer about an edition.
    private static func answer(_ work: String, _ isbn: String) -> KnownBook {
        KnownBook(
            .openLibrary, "edition of \(isbn)", [(.workKey, work), (.title, "Twin"), (.isbn13, isbn)])
    }

    private static func text(_ rows: String...) -> String {
        ([SmallLibrary.header] + rows).joined(separator: "\n") + "\n"
    }

    private func works(_ store: FilledStore) throws -> [String] {
        let rows = try store.open().prepare("SELECT key FROM works ORDER BY id")
        var keys: [String] = []
        while try rows.next() { keys.append(rows.string(0)) }
        return keys
    }

    @Test func `a merged work is found by each of its former Open Library keys`() async throws {
        let store = try FilledStore()
        // An unknown book, and another whose work changes from one key to another.
        try await store.importing(
            [Self.text(SmallLibrary.row("1", "Alone", "A", isbn: Self.one))], job: "alone")
        for (job, work) in [("first", "OL1W"), ("second", "OL2W")] {
            store.known = [Self.other: [Self.answer(work, Self.other)]]
            try await store.importing(
                [
                    Self.text(
                        SmallLibrary.row(
                            "2", "Twin", "A", isbn: Self.other, rating: job == "first" ? "1" : "2"))
                ],
                job: job)
        }
        #expect(try works(store).count == 2)
        // Now the first book turns out to be that work.
        store.known = [Self.one: [Self.answer("OL1W", Self.one)]]
        try await store.importing(
            [Self.text(SmallLibrary.row("1", "Alone", "A", isbn: Self.one, rating: "4"))], job: "folding")
        #expect(try works(store).count == 1)
        // Further editions of either key belong to the one work.
        store.known = [
            "9780826497529": [Self.answer("OL1W", "9780826497529")],
            "9780262033848": [Self.answer("OL2W", "9780262033848")],
        ]
        try await store.importing(
            [
                Self.text(
                    SmallLibrary.row("3", "Twin", "A", isbn: "9780826497529"),
                    SmallLibrary.row("4", "Twin", "A", isbn: "9780262033848"))
            ], job: "further")
        #expect(try works(store).count == 1)
        #expect(try StoreCheck(try store.open()).problems().isEmpty)
    }
}
