import Foundation
import TestSupport
import Testing

@testable import Books
@testable import Database
@testable import Sources
@testable import Store
@testable import System

@Suite struct CatalogFileTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    private func failure(_ path: String) -> ETLError? {
        do throws(ETLError) {
            _ = try Catalog(path)
            return nil
        } catch {
            return error
        }
    }

    private func database(_ sql: String) throws -> String {
        let path = folder.file("some.sqlite")
        try Connection(path, .create).execute(sql)
        return path
    }

    @Test func `a missing file and a file that is not a database are rejected`() throws {
        #expect(failure(folder.file("nothing.sqlite"))?.kind == .missing)
        #expect(failure(folder.path)?.kind == .missing)
        let text = try folder.write(String(repeating: "title,author\n", count: 1_000), to: "library.csv")
        #expect(failure(text)?.message == "`\(text)` is not an SQLite database.")
    }

    @Test(.enabled(if: geteuid() != 0, "needs a user other than root, who may access everything"))
    func `a file without read permission is not reported as missing`() throws {
        let path = try database("CREATE TABLE book(id INTEGER PRIMARY KEY)")
        try FileManager.default.setAttributes([.posixPermissions: 0], ofItemAtPath: path)
        #expect(failure(path)?.kind == .permission)
    }

    @Test func `another database is rejected with a hint`() throws {
        let path = try database("CREATE TABLE book(id INTEGER PRIMARY KEY)")
        let refusal = failure(path)
        #expect(refusal?.kind == .configuration)
        #expect(refusal?.message == "`\(path)` is an SQLite database, but not a catalog.")
        #expect(refusal?.advice?.refers(to: UserSetting.store) == true)
        #expect(failure(try folder.write([], to: "empty.sqlite"))?.kind == .configuration)
    }

    @Test func `a file that is not a catalog is not overwritten`() throws {
        func refusal(_ path: String) -> ETLError? {
            do throws(ETLError) { try CatalogFile.checkPlace(path) } catch { return error }
            return nil
        }
        let store = folder.file("store.sqlite")
        _ = try ResultsStore(store)
        let (notes, other) = (
            try folder.write("notes", to: "notes.txt"), try database("CREATE TABLE book(id INTEGER)")
        )
        for path in [store, notes, other, folder.path] {
            #expect(refusal(path)?.kind == .cannotCreate)
            #expect(refusal(path)?.message.contains("is not a catalog") == true)
        }
        #expect(refusal(folder.file("nothing.sqlite")) == nil)
        #expect(refusal(try folder.write([], to: "empty.sqlite")) == nil)
        let old = folder.file("old.sqlite")
        try Connection(old, .create).execute(
            "PRAGMA application_id = \(CatalogSchema.applicationID); PRAGMA user_version = 1; CREATE TABLE t(a)"
        )
        #expect(refusal(old) == nil, "a catalog of any version may be replaced")
    }

    @Test(arguments: [0, CatalogSchema.version + 1])
    func `a catalog of another version is rejected with advice`(version: Int64) throws {
        let path = try database(
            """
            PRAGMA application_id = \(CatalogSchema.applicationID); PRAGMA user_version = \(version);
            CREATE TABLE t(a);
            """
        )
        let refusal = failure(path)
        #expect(refusal?.kind == .configuration)
        #expect(
            refusal?.message
                == "`\(path)` has catalog version \(version); this version of etl reads version \(CatalogSchema.version)."
        )
        #expect(refusal?.advice?.description.isEmpty == false)
    }

    @Test func `a damaged record is an outcome, not a failure`() async throws {
        let fixture = try await CatalogFixture([
            DumpFixture.edition(1, #""isbn_13": ["9780306406157"]"#, work: 1),
            DumpFixture.work(1, #""title": "W""#),
            DumpFixture.edition(2, #""isbn_13": ["9780140328721"]"#, work: 2),
            DumpFixture.work(2, #""title": "V""#),
            DumpFixture.edition(3, #""isbn_13": ["9780547928227"]"#, work: 2),
        ])
        // A copy, because the open catalog is locked against writers.
        let path = fixture.folder.file("damaged.sqlite")
        try FileManager.default.copyItem(atPath: fixture.path, toPath: path)
        try Connection(path, .readWrite).execute(
            """
            UPDATE edition SET body = x'0102ff' WHERE isbn = 9780306406157; DELETE FROM work WHERE id = 2;
            UPDATE edition SET body = x'01', work = 0 WHERE isbn = 9780547928227;
            """
        )
        // As if it had been built like that.
        try CatalogChecksums.append(to: path)
        let damaged = try Catalog(path)
        let isbns = try ["9780306406157", "9780140328721", "9780547928227"].map { try #require(ISBN($0)) }
        let answers = try await damaged.answer(BookQueries(queries: isbns.map { .isbn($0) }))
        #expect(answers.answers.map(\.outcome) == [.malformed, .malformed, .malformed])
        #expect(answers.values.isEmpty)
    }

    @Test(arguments: [true, false])
    func `a catalog that is overwritten while it is open gives no further answers`(
        isLonger: Bool
    ) async throws {
        let dump = try folder.write(
            DumpFixture.edition(1, #""isbn_13": ["9780306406157"]"#) + "\n", to: "dump.txt")
        let path = folder.file("catalog.sqlite")
        try await CatalogFixture.builder(folder).build(from: [dump])
        let catalog = try Catalog(path)
        let queries = BookQueries(queries: [.isbn(try #require(ISBN("9780306406157")))])
        #expect(try await catalog.answer(queries).answers.map(\.outcome) == [.found])

        let file = try FileHandle(forUpdating: URL(filePath: path))
        if isLonger {
            try file.seekToEnd()
            try file.write(contentsOf: Data([0]))
        }
        try file.close()
        // Whatever the resolution of the file system's times.
        let time = Date(timeIntervalSince1970: isLonger ? Date.now.timeIntervalSince1970 : 1)
        try FileManager.default.setAttributes([.modificationDate: time], ofItemAtPath: path)

        let failure = await #expect(throws: ETLError.self) { try await catalog.answer(queries) }
        #expect(failure?.kind == .inputOutput)
        #expect(failure?.message == "`\(path)` was overwritten by another program while it was open.")
        await #expect(throws: ETLError.self) { try await catalog.search(title: "x", author: "") }
        await #expect(throws: ETLError.self) { try await catalog.find([]) }
        #expect(try await Catalog(path).answer(queries).answers.map(\.outcome) == [.found])
    }
}
