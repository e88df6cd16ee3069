import Foundation
import System
import TestSupport
import Testing

@testable import Database
@testable import Queries
@testable import Store

/// A store as tables for PostgreSQL.
@Suite struct PostgreSQLExportTests {
    /// Everything that COPY could misread, and a character that PostgreSQL has not.
    private static let ugly =
        "\\N \\. tab\there, back\\slash\nnew line, \u{1F4DA} \u{0}end; DROP TABLE books;--"

    private func store() async throws -> FilledStore {
        let store = try FilledStore()
        store.known = SmallLibrary.known
        store.people = [SmallLibrary.herbert]
        let row = SmallLibrary.row("9", "Odd", "Some \\Body", rating: "4", review: Self.ugly)
        let null = SmallLibrary.row("10", "\\N", "\\.")
        try await store.importing([SmallLibrary.text + row + "\n" + null + "\n"], job: "first")
        return store
    }

    private func query(_ store: FilledStore, _ sql: String) throws -> [String] {
        let rows = try store.open().query(sql)
        var texts: [String] = []
        while try rows.next() { texts.append(rows.string(0)) }
        return texts
    }

    @Test func `the tables have exactly the columns of the documented views`() async throws {
        let store = try await store()
        for view in StoreViews.all {
            let table = PostgreSQLTable.all.first { $0.source == view.name }
            let columns = try query(store, "SELECT name FROM pragma_table_info('\(view.name)')")
            #expect(table?.columns.map(\.name) == columns, "\(view.name)")
        }
        let views = Set(StoreViews.all.map(\.name))
        #expect(PostgreSQLTable.all.filter { !views.contains($0.source) }.map(\.name) == ["contributors"])
    }

    @Test func `a folder with other files is left alone, an earlier export is replaced`() async throws {
        let store = try await store()
        let folder = try TemporaryFolder()
        let export = PostgreSQLExport(try store.open())
        let first = try export.write(to: folder.path)
        #expect(try export.write(to: folder.path) == first)
        #expect(folder.names.count == PostgreSQLTable.all.count + 2)
        _ = try folder.write("mine", to: "notes.txt")
        let failure = #expect(throws: ETLError.self) { try export.write(to: folder.path) }
        #expect(failure?.kind == .cannotCreate)
        #expect(folder.names.count == PostgreSQLTable.all.count + 3)
    }

    @Test(.enabled(if: PostgreSQLServer.isThere, "needs PostgreSQL in /usr/lib/postgresql"))
    func `a real server loads the files, twice, with equal counts and texts`() async throws {
        let store = try await store()
        let folder = try TemporaryFolder()
        let written = try PostgreSQLExport(try store.open()).write(to: folder.path)
        let server = try PostgreSQLServer()
        for _ in 1...2 { _ = try server.psql("-f", "load.sql", in: folder.path) }
        for table in written {
            let source = try #require(PostgreSQLTable.all.first { $0.name == table.name }).source
            let rows = try server.psql("-c", "SELECT count(*) FROM etl.\(table.name)", in: folder.path)
            #expect(rows == "\(table.rows)\n")
            #expect(try query(store, "SELECT count(*) FROM \(source)") == ["\(table.rows)"])
        }
        #expect(try #require(written.first { $0.name == "books" }).rows == 5)
        let books = """
            SELECT string_agg(concat_ws('~', title, authors, rating, review, isbn13, pages), E'\\n' ORDER BY entry)
            FROM etl.books
            """
        let expected = try query(
            store,
            """
            SELECT title || ifnull('~' || authors, '') || iif(rating IS NULL, '', '~' || printf('%g', rating))
                || ifnull('~' || review, '') || ifnull('~' || isbn13, '')
                || ifnull('~' || pages, '')
            FROM books ORDER BY entry
            """
        ).joined(separator: "\n").replacing("\0", with: "")
        let loaded = try server.psql("-c", books, in: folder.path)
        #expect(loaded == expected + "\n")
        #expect(expected.contains("DROP TABLE books"))
        let roles =
            "SELECT role FROM etl.contributors c JOIN etl.authors USING (author) WHERE name = 'Frank Herbert'"
        #expect(try server.psql("-c", roles, in: folder.path) == "author\n")
    }
}
