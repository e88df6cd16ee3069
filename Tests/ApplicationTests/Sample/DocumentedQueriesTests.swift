import Foundation
import System
import TestSupport
import Testing

@testable import Database
@testable import Jobs
@testable import Store

/// The queries in `docs/store.md`, on the sample library.
@Suite struct DocumentedQueriesTests {
    /// Every `sql` block of the page.
    private static func queries() throws -> [String] {
        let page = try String(contentsOfFile: "\(ProjectFiles.root)/docs/store.md", encoding: .utf8)
        return page.components(separatedBy: "```sql\n").dropFirst().map { block in
            block.components(separatedBy: "\n```")[0]
        }
    }

    private func store() async throws -> (folder: TemporaryFolder, path: String) {
        let sample = try await SampleImport()
        let path = sample.folder.file("library.sqlite")
        var request = try sample.request(store: path)
        request.freshName = "first"
        let outcome = try await ImportJob(request).run()
        #expect(outcome.end == .completed)
        return (sample.folder, path)
    }

    @Test func `each query runs and finds something`() async throws {
        let (folder, path) = try await store()
        defer { withExtendedLifetime(folder) {} }
        let connection = try StoreFile.openForReading(path)
        let queries = try Self.queries()
        #expect(queries.count >= 18)
        for query in queries {
            let read = try connection.query(query)
            #expect(try read.next(), "\(query)")
        }
    }

    @Test(
        .enabled(
            if: FileManager.default.isExecutableFile(atPath: "/usr/bin/sqlite3"), "needs the program sqlite3")
    )
    func `the program sqlite3 runs the queries on a store that is opened read-only`() async throws {
        let (folder, path) = try await store()
        let script = try Self.queries().joined(separator: "\n")
        let input = FileHandle(forReadingAtPath: try folder.write(script, to: "queries.sql"))
        let process = try ChildProcess(
            "/usr/bin/sqlite3", ["-bail", "-batch", "file:\(path)?mode=ro"],
            input: .file(try #require(input)), output: .pipe, errors: .pipe)
        let output = try #require(process.output).readDataToEndOfFile()
        let errors = try #require(process.errors).readDataToEndOfFile()
        #expect(try process.wait().status == 0)
        #expect(String(decoding: errors, as: UTF8.self).isEmpty)
        #expect(output.split(separator: 10).count > 40)
    }

    /// Runs a Python script with the path of the store and of the queries, which end in semicolons.
    private func run(_ python: String, _ script: String) async throws -> String {
        let (folder, path) = try await store()
        let queries = try Self.queries().filter { !$0.hasPrefix("PRAGMA") }
        let list = try folder.write(queries.joined(separator: "\n"), to: "queries.sql")
        let process = try ChildProcess(
            "/usr/bin/env", [python, "-c", script, path, list], output: .pipe, errors: .pipe)
        let output = try #require(process.output).readDataToEndOfFile()
        let errors = try #require(process.errors).readDataToEndOfFile()
        #expect(try process.wait().status == 0, "\(String(decoding: errors, as: UTF8.self))")
        return String(decoding: output, as: UTF8.self)
    }

    private static let splitting = "queries = [q for q in open(sys.argv[2]).read().split(';') if q.strip()]"

    @Test(
        .enabled(if: FileManager.default.isExecutableFile(atPath: "/usr/bin/python3"), "needs python3"))
    func `the queries run on a store that is opened as Datasette does`() async throws {
        let output = try await run(
            "/usr/bin/python3",
            """
            import sqlite3, sys
            \(Self.splitting)
            store = sqlite3.connect('file:' + sys.argv[1] + '?mode=ro', uri=True, check_same_thread=False)
            store.execute('PRAGMA query_only = 1')
            print(sum(len(store.execute(q).fetchall()) > 0 for q in queries) >= len(queries) - 1)
            """)
        #expect(output == "True\n")
    }

    /// A Python with `duckdb` and `duckdb-extension-sqlite-scanner` of the same version.
    private static let duckDB = ProcessInfo.processInfo.environment["DUCKDB_PYTHON"]

    @Test(.enabled(if: duckDB != nil, "needs $DUCKDB_PYTHON, a Python with DuckDB"))
    func `the queries run in DuckDB, which passes them on to SQLite`() async throws {
        let output = try await run(
            try #require(Self.duckDB),
            """
            import duckdb, duckdb_extension_sqlite_scanner as e, glob, os, sqlite3, sys
            \(Self.splitting)
            c = duckdb.connect()
            c.execute("LOAD '" + glob.glob(os.path.dirname(e.__file__) + '/**/*.duckdb_extension', recursive=True)[0] + "'")
            c.execute("ATTACH '" + sys.argv[1] + "' AS library (TYPE sqlite, READ_ONLY)")
            store = sqlite3.connect(sys.argv[1])
            for q in queries:
                rows = c.execute("FROM sqlite_query('library', ?)", [q.strip()]).fetchall()
                print(len(rows) == len(store.execute(q).fetchall()))
            for view in ['books', 'readings', 'shelves', 'genres', 'changes', 'problems']:
                rows = c.execute("FROM sqlite_scan('" + sys.argv[1] + "', '" + view + "')").fetchall()
                print(len(rows) == store.execute('SELECT count(*) FROM ' + view).fetchone()[0])
            """)
        let answers = output.split(separator: "\n")
        #expect(answers.count >= 24 && answers.allSatisfy { $0 == "True" }, "\(output)")
    }

    @Test func `a view has one row for each thing, with names instead of codes`() async throws {
        let store = try await SmallLibrary.store()
        let connection = try store.open()
        func rows(_ sql: String) throws -> [String] {
            let read = try connection.query(sql)
            var rows: [String] = []
            while try read.next() { rows.append(read.string(0)) }
            return rows
        }
        #expect(try connection.integer("SELECT count(*) FROM books") == 3)
        #expect(
            try rows(
                "SELECT authors || ' | ' || review_status || ' | ' || isbn13 FROM books WHERE source_id = '1'"
            )
                == ["Frank Herbert | verified | 9780441013593"])
        #expect(try rows("SELECT series FROM books WHERE source_id = '2'") == ["Earthsea Cycle #1"])
        #expect(try rows("SELECT gender FROM authors_view WHERE name = 'Frank Herbert'") == ["Male"])
        #expect(try rows("SELECT DISTINCT shelf || kind FROM shelves") == ["readstatus"])
        #expect(try rows("SELECT DISTINCT effect FROM changes") == ["added"])
        #expect(try connection.integer("SELECT count(*) FROM changes WHERE kind = 'entry'") == 3)
        #expect(try rows("SELECT kind FROM problems ORDER BY kind").contains("rejected"))
        #expect(try connection.integer("SELECT count(*) FROM works_view") == 3)
        #expect(try connection.integer("SELECT sum(editions) FROM works_view") == 3)
        #expect(try connection.integer("SELECT count(*) FROM editions_view") == 3)
        #expect(try rows("SELECT genre FROM genres WHERE title = 'Dune'").contains("Science Fiction"))
        let writer = try StoreFile.openForWriting(store.path)
        try writer.execute(
            "UPDATE entries SET shelves = 'a, b \"c\",,read', date_read = '2020-05' WHERE source_id = '1'")
        #expect(
            try rows("SELECT shelf FROM shelves WHERE kind = 'shelf' ORDER BY 1") == ["a", "b \"c\""])
        #expect(try connection.integer("SELECT year FROM readings WHERE finished = '2020-05'") == 2020)
    }
}
