import Foundation
import TestSupport
import Testing

@testable import Database
@testable import Store

/// The views of a store. `docs/store.md` describes exactly their columns.
@Suite struct StoreViewsTests {
    /// Scripts rely on these columns: add new ones at the end of a list, never remove one.
    static let columns: [String: [String]] = [
        "books": [
            "entry", "library", "source", "source_id", "title", "subtitle", "authors", "series", "isbn13",
            "publisher", "published", "first_published", "pages", "format", "language", "original_language",
            "genres", "rating", "average_rating", "ratings_count", "status", "shelves", "date_read",
            "date_added",
            "read_count", "owned_copies", "review", "notes", "review_status", "quality", "work", "edition",
            "date_started", "earlier_readings", "location", "lent_to", "price", "condition", "barcode",
        ],
        "works_view": [
            "work", "title", "subtitle", "authors", "translators", "series", "first_published",
            "original_language", "genres", "subjects", "description", "cover", "open_library", "wikidata",
            "providers", "quality", "review_status", "editions",
        ],
        "editions_view": [
            "edition", "work", "title", "subtitle", "isbn13", "isbns", "publisher", "published", "pages",
            "format", "language", "average_rating", "ratings_count", "cover", "description", "open_library",
            "goodreads", "librarything", "asin", "google_books", "isbndb", "providers", "quality",
        ],
        "authors_view": [
            "author", "name", "gender", "nationality", "region", "birth_year", "death_year", "open_library",
            "wikidata", "identified", "works",
        ],
        "readings": [
            "entry", "library", "title", "authors", "status", "finished", "year", "times", "rating", "pages",
            "started",
        ],
        "shelves": ["entry", "library", "shelf", "kind", "title"],
        "genres": ["work", "title", "genre"],
        "changes": ["run", "job", "changed_at", "kind", "effect", "id", "title"],
        "problems": [
            "job", "library", "kind", "code", "file", "row", "line", "field", "value", "message", "entry",
        ],
    ]

    private func views(of connection: Connection) throws -> [String: [String]] {
        let read = try connection.prepare(
            """
            SELECT v.name, c.name FROM sqlite_schema v, pragma_table_info(v.name) c
            WHERE v.type = 'view' ORDER BY v.name, c.cid
            """)
        var views: [String: [String]] = [:]
        while try read.next() { views[read.string(0), default: []].append(read.string(1)) }
        return views
    }

    @Test func `a new store has the views, with these columns`() throws {
        let folder = try TemporaryFolder()
        let connection = try StoreFile.openForWriting(folder.file("library.sqlite"))
        #expect(try views(of: connection) == Self.columns)
    }

    @Test func `a store with other views gets those of this version, and keeps its schema version`() throws {
        let folder = try TemporaryFolder()
        let path = folder.file("library.sqlite")
        let old = try StoreFile.openForWriting(path)
        try old.execute("DROP VIEW genres; DROP VIEW readings; CREATE VIEW readings AS SELECT 1 AS one")
        let connection = try StoreFile.openForWriting(path)
        #expect(try views(of: connection) == Self.columns)
        #expect(try connection.integer("PRAGMA user_version") == Schema.version)
    }

    @Test func `the page describes every column of every view`() throws {
        let page = try String(contentsOfFile: "\(ProjectFiles.root)/docs/store.md", encoding: .utf8)
        let start = try #require(page.range(of: "\n## Views\n")).upperBound
        let section = page[start...].prefix(
            upTo: page[start...].range(of: "\n## ")?.lowerBound ?? page.endIndex)
        var described: [String: Set<String>] = [:]
        var view = ""
        for line in section.split(separator: "\n") {
            if line.hasPrefix("### ") { view = String(line.dropFirst(4)) }
            guard line.hasPrefix("| `"), let cell = line.split(separator: "|").first else { continue }
            described[view, default: []].formUnion(cell.matches(of: #/`([a-z0-9_]+)`/#).map { String($0.1) })
        }
        #expect(described == Self.columns.mapValues(Set.init))
    }
}
