import Books
import Contract
import Foundation
import System
import TestSupport
import Testing

@testable import Database
@testable import Queries
@testable import Store

/// A book of the store is found by all of its titles.
@Suite struct StoreSearchTests {
    private let store: FilledStore

    init() async throws {
        store = try FilledStore()
        store.known = [
            "9780156012195": [
                KnownBook(
                    .openLibrary, "OL1M",
                    [
                        (.workKey, "OL1W"), (.title, "Le Petit Prince"), (.editionKey, "OL1M"),
                        (.editionTitle, "The Little Prince"), (.isbn13, "9780156012195"),
                    ], authors: [[(.authorName, "Antoine de Saint-Exupéry"), (.authorKey, "OL1A")]])
            ],
            "1984": [
                KnownBook(
                    .openLibrary, "OL2W", match: .titleAuthor,
                    [(.workKey, "OL2W"), (.title, "Nineteen Eighty-Four")],
                    authors: [[(.authorName, "George Orwell"), (.authorKey, "OL2A")]])
            ],
        ]
        try await store.importing(
            [
                [
                    SmallLibrary.header,
                    SmallLibrary.row("1", "The Little Prince", "Saint-Exupery", isbn: "9780156012195"),
                    SmallLibrary.row("2", "1984", "George Orwell"),
                    SmallLibrary.row("3", "A Little Princess (Classics, #3)", "F. H. Burnett"),
                ].joined(separator: "\n")
            ], job: "first")
    }

    private func titles(_ query: SearchQuery) throws -> [String] {
        try StoreSearch(store.path).find(query).map { book in
            let others = [
                book.work.originalTitle.map { " [\($0)]" },
                book.foundTitle.flatMap { $0 == book.work.title ? nil : " (\($0))" },
            ]
            return book.work.title + others.compactMap(\.self).joined()
        }
    }

    @Test func `an edition that ISBNdb knows says when ISBNdb was asked, while the answer is cached`() throws
    {
        func asked() throws -> [Int64?] {
            let found = try StoreSearch(store.path).find(.title("little prince")).first
            return [found?.edition?.lastISBNDBSync, found?.work.lastISBNDBSync]
        }
        #expect(try asked() == [nil, nil])
        let writer = try StoreFile.openForWriting(store.path)
        try writer.execute("UPDATE editions SET isbndb = '9780156012195' WHERE title = 'The Little Prince'")
        #expect(try asked() == [nil, nil])
        try writer.execute(
            """
            INSERT INTO answers(service, key, version, fetched_at, body)
            VALUES ('isbndb', 'isbn:9780156012195', 1, 1700000000000, X'')
            """)
        #expect(try asked() == [1_700_000_000_000, 1_700_000_000_000])
    }

    @Test func `a book is found by its edition's title and by the one in the user's row`() throws {
        #expect(try titles(.title("little prince")).first == "The Little Prince [Le Petit Prince]")
        #expect(try titles(.title("litle prinse")).first == "The Little Prince [Le Petit Prince]")
        #expect(try titles(.title("1984")) == ["Nineteen Eighty-Four (1984)"])
        #expect(try titles(.advanced(title: "1984", author: "orwell")) == ["Nineteen Eighty-Four (1984)"])
        #expect(try titles(.title("le petit prince")) == ["The Little Prince [Le Petit Prince]"])
        #expect(try titles(.author("orwell")) == ["Nineteen Eighty-Four"])
        #expect(try titles(.title("1984 orwell")) == ["Nineteen Eighty-Four (1984)"])
    }

    @Test func `among equally good titles the work's own comes first`() async throws {
        #expect(try titles(.title("1984")) == ["Nineteen Eighty-Four (1984)"])
        try await store.importing(
            [
                SmallLibrary.header + "\n"
                    + SmallLibrary.row("9", "1984", "Somebody Else", isbn: "9780306406157")
            ],
            job: "second")
        #expect(try titles(.title("1984")) == ["1984", "Nineteen Eighty-Four (1984)"])
    }

    @Test func `titles added later to an indexed book are found`() async throws {
        #expect(try titles(.title("kleine prinz")).isEmpty)
        try await store.importing(
            [
                SmallLibrary.header + "\n"
                    + SmallLibrary.row("1", "Der kleine Prinz", "Saint-Exupery", isbn: "9780156012195")
            ], job: "second", library: "german")
        #expect(
            try titles(.title("kleine prinz")) == ["The Little Prince [Le Petit Prince] (Der kleine Prinz)"])
        // A changed title is found under its new name and no longer under the old one.
        try await store.importing(
            [
                SmallLibrary.header + "\n"
                    + SmallLibrary.row("1", "Klein Prinzlein", "Saint-Exupery", isbn: "9780156012195")
            ], job: "third", library: "german")
        #expect(try titles(.title("prinzlein")) == ["The Little Prince [Le Petit Prince] (Klein Prinzlein)"])
        #expect(try titles(.title("der")).isEmpty)
    }

    // MARK: The index file

    private var indexPath: String { store.path + ".search" }

    @Test func `an index that another search is writing is left alone, and one in memory is used`() throws {
        #expect(try titles(.title("1984")).count == 1)
        let writer = try Connection(indexPath, .readWrite)
        try writer.begin()
        try writer.execute("CREATE TABLE other(done)")
        try Connection(store.path, .readWrite).execute("UPDATE jobs SET updated = updated + 1")
        let index = try StoreIndex(of: store.open(), at: indexPath, busyMilliseconds: 0)
        #expect(index.connection.path == ":memory:")
        #expect(try index.connection.integer("SELECT works FROM indexed") ?? 0 > 0)

        try writer.commit()
        // The other table is in the index file: that file was not replaced.
        #expect(try Connection(indexPath, .readOnly).integer("SELECT count(*) FROM other") == 0)
        #expect(try StoreIndex(of: store.open(), at: indexPath).connection.path == indexPath)
    }

    private func update() throws -> IndexUpdate {
        try StoreIndex.update(of: store.open(), at: indexPath, stop: StopSignal())
    }

    @Test func `while the index is updated its last state can be read`() throws {
        #expect(try StoreIndex(existingAt: indexPath, of: store.open()) == nil, "there is none")
        #expect(try update() == .current)
        let writer = try Connection(indexPath, .readWrite)
        try writer.begin()
        try writer.execute("DELETE FROM search_document; CREATE TABLE other(done)")
        #expect(try update() == .current, "nothing to write")
        let found = try StoreSearch(store.path, updatesIndex: false).find(.title("1984"))
        #expect(found.map(\.work.title) == ["Nineteen Eighty-Four"])
        try Connection(store.path, .readWrite).execute("UPDATE jobs SET updated = updated + 1")
        #expect(try update() == .inUse)
        writer.rollBack()
        #expect(try update() == .current)
    }

    @Test func `an update that is stopped leaves the index as it was`() throws {
        #expect(try update() == .current)
        try Connection(store.path, .readWrite).execute("UPDATE jobs SET updated = updated + 1")
        let stop = StopSignal()
        stop.raise()
        guard case .failed = try StoreIndex.update(of: store.open(), at: indexPath, stop: stop) else {
            Issue.record("it was not stopped")
            return
        }
        let found = try StoreSearch(store.path, updatesIndex: false).find(.title("1984"))
        #expect(found.map(\.work.title) == ["Nineteen Eighty-Four"])
    }

    @Test func `the index of another store is not searched`() async throws {
        #expect(try update() == .current)
        let other = try FilledStore()
        try await other.importing(
            [SmallLibrary.header + "\n" + SmallLibrary.row("9", "Gamma Elephant", "Ana Lee")], job: "other")
        let copy = other.path + ".search"
        try FileManager.default.copyItem(atPath: indexPath, toPath: copy)
        #expect(try StoreIndex(existingAt: copy, of: other.open()) == nil)
        #expect(!BookSearch.hasIndex(other.path))
        #expect(BookSearch.updateIndex(of: other.path) == .current && BookSearch.hasIndex(other.path))
        #expect(BookSearch.updateIndex(of: other.path + "x") == .noStore)
    }

    @Test func `an index whose words are lost is made again`() async throws {
        #expect(try update() == .current)
        let searcher = StoreSearcher(store.path)
        #expect(try await searcher.find(.title("1984")).count == 1)
        try Connection(indexPath, .readWrite).execute("DROP TABLE search_typo")
        let failure = await #expect(throws: ETLError.self) { try await searcher.find(.title("ninteen")) }
        #expect(failure?.message == BookSearch.indexingMessage)
        #expect(!BookSearch.hasIndex(store.path))
        #expect(try update() == .current)
        #expect(try await searcher.find(.title("1984")).count == 1)
        try Connection(indexPath, .readWrite).execute("DROP TABLE search_typo")
        #expect(try titles(.title("ninteen")) == ["Nineteen Eighty-Four"])
    }

    @Test func `an open store is searched as it is now`() async throws {
        let searcher = StoreSearcher(store.path)
        func titles(_ words: String) async throws -> [String] {
            #expect(BookSearch.updateIndex(of: store.path) == .current)
            return try await searcher.find(.title(words)).map(\.work.title)
        }
        #expect(try await titles("1984") == ["Nineteen Eighty-Four"])
        func add(_ title: String, _ job: String) async throws {
            let row = SmallLibrary.row("9", title, "Ana Lee", isbn: "9780306406157")
            try await store.importing([SmallLibrary.header + "\n" + row], job: job)
        }
        let copy = try Data(contentsOf: URL(fileURLWithPath: store.path))
        try await add("Gamma Elephant", "second")
        #expect(try await titles("elephant") == ["Gamma Elephant"])
        #expect(try await titles("elephnat") == ["Gamma Elephant"], "words of the present index")
        // Another store in its place.
        for file in ["", "-wal", "-shm"] { unlink(store.path + file) }
        #expect(try await searcher.find(.title("elephant")).isEmpty)
        try copy.write(to: URL(fileURLWithPath: store.path))
        try await add("Delta Giraffe", "another")
        #expect(try await titles("giraffe") == ["Delta Giraffe"])
        #expect(try await titles("elephant").isEmpty)
        // Another index in its place.
        unlink(indexPath)
        #expect(try await titles("giraffe") == ["Delta Giraffe"])
        try Connection(store.path, .readWrite).execute("CREATE TABLE later(of)")
        #expect(try await titles("giraffe") == ["Delta Giraffe"])
    }

    @Test func `a store restored from a copy and changed differently is indexed again`() async throws {
        func add(_ title: String, job: String) async throws {
            let row = SmallLibrary.row("9", title, "Ana Lee", isbn: "9780306406157")
            try await store.importing([SmallLibrary.header + "\n" + row], job: job)
        }
        let copy = try Data(contentsOf: URL(fileURLWithPath: store.path))
        try await add("Gamma Elephant", job: "one-way")
        #expect(try titles(.title("elephant")) == ["Gamma Elephant"])
        for file in ["", "-wal", "-shm"] { unlink(store.path + file) }
        try copy.write(to: URL(fileURLWithPath: store.path))
        try await add("Delta Giraffe", job: "another")
        #expect(try titles(.title("giraffe")) == ["Delta Giraffe"])
        #expect(try titles(.title("elephant")).isEmpty)
    }

    @Test func `a damaged index is rebuilt`() throws {
        #expect(try titles(.title("1984")).count == 1)
        var bytes = try Data(contentsOf: URL(filePath: indexPath))
        bytes.replaceSubrange(100..<bytes.count, with: Data(repeating: 0xA5, count: bytes.count - 100))
        try bytes.write(to: URL(filePath: indexPath))
        #expect(try titles(.title("1984")) == ["Nineteen Eighty-Four (1984)"])
        #expect(try Connection(indexPath, .readOnly).integer("SELECT count(*) FROM indexed") == 1)
    }

    @Test func `what is not an index is left as it is, and one in memory is used`() throws {
        let precious = store.folder.file("precious")
        func check(_ path: String, _ what: Comment) throws {
            let before = try Data(contentsOf: URL(filePath: path))
            #expect(try titles(.title("1984")) == ["Nineteen Eighty-Four (1984)"], what)
            #expect(try Data(contentsOf: URL(filePath: path)) == before, what)
        }
        _ = try store.folder.write(String(repeating: "a diary\n", count: 100), to: "library.sqlite.search")
        try check(indexPath, "a text")
        #expect(rename(indexPath, precious) == 0 && link(precious, indexPath) == 0)
        try check(precious, "a text with another name")
        for path in [indexPath, precious] { unlink(path) }

        try Connection(precious, .create).execute("CREATE TABLE indexed(mine); CREATE TABLE diary(day)")
        #expect(symlink(precious, indexPath) == 0)
        try check(precious, "a link to another database")
        #expect(rename(precious, indexPath) == 0)
        try check(indexPath, "another database")
        unlink(indexPath)

        #expect(symlink("library.sqlite", indexPath) == 0)
        try check(store.path, "a link to the store itself")
    }

    @Test func `an index in another layout is rebuilt`() throws {
        #expect(try titles(.title("1984")) == ["Nineteen Eighty-Four (1984)"])
        // Rows instead of blocks, of the same store.
        try Connection(indexPath, .readWrite).execute(
            """
            DROP TABLE search_title; DROP TABLE search_term; DROP TABLE search_typo;
            CREATE TABLE search_title(
                key INTEGER NOT NULL, place INTEGER NOT NULL, PRIMARY KEY(key, place)) WITHOUT ROWID;
            CREATE TABLE search_term(term TEXT PRIMARY KEY, documents INTEGER NOT NULL) WITHOUT ROWID;
            CREATE TABLE search_typo(
                key INTEGER NOT NULL, term TEXT NOT NULL, PRIMARY KEY(key, term)) WITHOUT ROWID;
            UPDATE indexed SET stamp = 'titles' || substr(stamp, instr(stamp, '|'));
            """)
        #expect(try titles(.title("1984")) == ["Nineteen Eighty-Four (1984)"])
        #expect(try titles(.title("nineteeen eighty-four")) == ["Nineteen Eighty-Four"])
    }
}

extension StoreSearcher {
    /// The books of all libraries, for somebody whose language is not known.
    func find(_ query: SearchQuery) throws(ETLError) -> [FoundBook] {
        try find(query, in: nil, EditionOrder(languages: []))
    }
}
