import TestSupport
import Testing

@testable import Database

/// Rows that are one book without an ISBN as evidence.
@Suite struct KeyComposerTests {
    private func books(_ rows: [String]) async throws -> (works: [String], editions: [String], entries: Int) {
        let store = try FilledStore()
        try await store.importing([(["Title,Author"] + rows).joined(separator: "\n")], job: "j")
        let connection = try store.open()
        func keys(_ table: String) throws -> [String] {
            let query = try connection.query("SELECT key FROM \(table) ORDER BY key")
            var keys: [String] = []
            while try query.next() { keys.append(query.string(0)) }
            return keys
        }
        return (
            try keys("works"), try keys("editions"),
            Int(try connection.number("SELECT count(*) FROM entries"))
        )
    }

    @Test(arguments: [
        ["C,Ann Writer", "C++,Ann Writer", "C#,Ann Writer"],
        ["???,Ann Writer", "!!!,Ann Writer", "🐉,Ann Writer", "$,Ann Writer"],
        ["+/-,🦄", "#,🐉"], ["Rain,???", "Rain,!!!"],
        ["C Primer Plus,Ann Writer", "C++ Primer Plus,Ann Writer"],
    ]) func `titles and names that differ in symbols are different books`(rows: [String]) async throws {
        let books = try await books(rows)
        #expect(books.works.count == rows.count)
        #expect(books.editions.count == rows.count)
        #expect(books.entries == rows.count)
    }

    @Test(arguments: [
        ["Resume,Ann Writer", "Résumé,Ann Writer", "RESUME:,Ann Writer"],
        ["Don't Go,Ann Writer", "Dont Go.,Ann-Writer"], ["???,!!!", "? ? ?,! !!"],
    ]) func `spellings of a title are one book`(rows: [String]) async throws {
        let books = try await books(rows)
        #expect(books.works.count == 1)
        #expect(books.editions.count == 1)
    }

    @Test func `keys of ordinary titles are stable because stores contain them`() async throws {
        let books = try await books([
            "\"Dune: Messiah, Book 1/2 (abridged)\",Frank Herbert", "Résumé,Zoë O'Brien-Łem",
            "C++,Ann Writer",
            "???,!!!",
        ])
        #expect(
            books.works == [
                "title:???|!!!|", "title:c ++|ann writer|",
                "title:dune messiah book 1 2 abridged|frank herbert|",
                "title:resume|zoe obrien lem|",
            ])
    }
}
