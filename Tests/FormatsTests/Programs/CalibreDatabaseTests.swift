import Books
import Bytes
import Database
import Formats
import Foundation
import System
import TestSupport
import Testing

@Suite struct CalibreDatabaseTests {
    /// The calibre tables that etl reads, with two books.
    private static let tables = """
        CREATE TABLE authors (id INTEGER PRIMARY KEY, name TEXT);
        CREATE TABLE books (id INTEGER PRIMARY KEY, title TEXT, timestamp TEXT, pubdate TEXT, series_index REAL,
          uuid TEXT);
        CREATE TABLE books_authors_link (id INTEGER PRIMARY KEY, book INTEGER, author INTEGER);
        CREATE TABLE series (id INTEGER PRIMARY KEY, name TEXT);
        CREATE TABLE books_series_link (id INTEGER PRIMARY KEY, book INTEGER, series INTEGER);
        CREATE TABLE identifiers (id INTEGER PRIMARY KEY, book INTEGER, type TEXT, val TEXT);
        CREATE TABLE publishers (id INTEGER PRIMARY KEY, name TEXT);
        CREATE TABLE books_publishers_link (id INTEGER PRIMARY KEY, book INTEGER, publisher INTEGER);
        CREATE TABLE languages (id INTEGER PRIMARY KEY, lang_code TEXT);
        CREATE TABLE books_languages_link (id INTEGER PRIMARY KEY, book INTEGER, lang_code INTEGER);
        CREATE TABLE ratings (id INTEGER PRIMARY KEY, rating INTEGER);
        CREATE TABLE books_ratings_link (id INTEGER PRIMARY KEY, book INTEGER, rating INTEGER);
        CREATE TABLE tags (id INTEGER PRIMARY KEY, name TEXT);
        CREATE TABLE books_tags_link (id INTEGER PRIMARY KEY, book INTEGER, tag INTEGER);
        CREATE TABLE data (id INTEGER PRIMARY KEY, book INTEGER, format TEXT);
        CREATE TABLE comments (id INTEGER PRIMARY KEY, book INTEGER, text TEXT);
        INSERT INTO authors VALUES (1, 'Walter M. Miller| Jr.'), (2, 'Jane Doe');
        INSERT INTO books VALUES
          (3, 'A Canticle', '2020-01-02 03:04:05+00:00', '1959-10-01 00:00:00+00:00', 1.5, 'u-3'),
          (9, 'Bare', '2021-01-02 03:04:05+00:00', '0101-01-01 00:00:00+00:00', 1.0, 'u-9');
        INSERT INTO books_authors_link VALUES (1, 3, 1), (2, 3, 2);
        INSERT INTO series VALUES (1, 'Leibowitz');
        INSERT INTO books_series_link VALUES (1, 3, 1);
        INSERT INTO identifiers VALUES (1, 3, 'isbn', '9780060892999'), (2, 3, 'goodreads', '164154');
        INSERT INTO publishers VALUES (1, 'Lippincott');
        INSERT INTO books_publishers_link VALUES (1, 3, 1);
        INSERT INTO languages VALUES (1, 'eng');
        INSERT INTO books_languages_link VALUES (1, 3, 1);
        INSERT INTO ratings VALUES (1, 9), (2, 0);
        INSERT INTO books_ratings_link VALUES (1, 3, 1), (2, 9, 2);
        INSERT INTO tags VALUES (1, 'sf'), (2, 'classics');
        INSERT INTO books_tags_link VALUES (1, 3, 1), (2, 3, 2);
        INSERT INTO data VALUES (1, 3, 'EPUB');
        INSERT INTO comments VALUES (1, 3, '<p>Words.</p>');
        """

    private func database(_ files: WrittenFiles, named name: String = "metadata.db") throws -> String {
        let path = files.directory.appendingPathComponent(name).path
        try Connection(path, .create).execute(Self.tables)
        return path
    }

    @Test func `a book has its names, numbers, rating and texts`() async throws {
        let files = try WrittenFiles()
        let settings = ReadSettings(files: [try database(files, named: "meta data?#.db")], batchRecords: 1)
        let reading = try await Reading.of(settings)
        #expect(reading.columns?.formatName == "calibre-db")
        #expect(reading.titles == ["A Canticle", "Bare"])
        #expect(reading.fact(2) == ["Walter M. Miller Jr. as author;Jane Doe as contributor", ""])
        #expect(reading.fact(3) == ["Leibowitz#1.5", ""])
        #expect(
            reading.fact(7)[0].split(separator: "\u{1E}", omittingEmptySubsequences: false) == [
                "3", "A Canticle", "Walter M. Miller, Jr.|Jane Doe", "Leibowitz", "1.5", "9780060892999",
                "goodreads:164154, isbn:9780060892999", "Lippincott", "1959-10-01", "eng", "4.5",
                "classics, sf", "EPUB", "2020-01-02", "<p>Words.</p>", "u-3",
            ])
        #expect(
            reading.fact(7)[1] == "9\u{1E}Bare" + String(repeating: "\u{1E}", count: 12)
                + "2021-01-02\u{1E}\u{1E}u-9")
        let raw = try #require(CalibreDatabase().cells(ofRaw: Array(reading.fact(6)[0].utf8)))
        #expect(
            raw.map { String(decoding: $0, as: UTF8.self) }.joined(separator: "\u{1E}") == reading.fact(7)[0])
    }

    @Test func `a day that began in the evening before in Greenwich is the user's day`() throws {
        let files = try WrittenFiles()
        let path = try database(files)
        try Connection(path, .readWrite).execute(
            """
            UPDATE books SET pubdate = '1999-12-31 23:00:00+00:00', timestamp = '2021-05-05 18:30:00+00:00' WHERE id = 3;
            UPDATE books SET pubdate = '2000-01-01 08:00:00+00:00', timestamp = '2021-05-05 23:00:07+00:00' WHERE id = 9
            """)
        let facts = try RowFacts.of(path, [.yearPublished, .dateAdded]).rows
        #expect(facts == [["2000-01-01", "2021-05-06"], ["2000-01-01", "2021-05-05"]])
    }

    @Test func `tables that are defined behind the first pages are found`() async throws {
        let files = try WrittenFiles()
        let path = files.directory.appendingPathComponent("metadata.db").path
        let comment = String(repeating: "long ", count: 300)
        let padding = (0..<60).map { "CREATE TABLE padding_\($0) (a TEXT /* \(comment) */);" }.joined()
        try Connection(path, .create).execute(padding + Self.tables)
        let head = try Data(contentsOf: URL(fileURLWithPath: path)).prefix(64 * 1024)
        #expect(CalibreDatabase().evidence(in: Array(head)) == nil)
        #expect(try await Reading.of(ReadSettings(files: [path])).titles == ["A Canticle", "Bare"])
    }

    @Test func `calibre's author for no author is none`() async throws {
        let files = try WrittenFiles()
        let path = try database(files)
        try Connection(path, .readWrite).execute("UPDATE authors SET name = 'Unknown' WHERE id = 1")
        let reading = try await Reading.of(ReadSettings(files: [path]))
        #expect(reading.fact(2) == ["Jane Doe as author", ""])
    }

    @Test func `identifiers are read by their kind`() throws {
        let files = try WrittenFiles()
        let path = try database(files)
        #expect(try RowFacts.of(path, [.goodreadsBook, .asin]).rows == [["164154", ""], ["", ""]])
    }

    /// Columns of every kind that users add, one of which calibre computes.
    private static let custom = """
        CREATE TABLE custom_columns (id INTEGER PRIMARY KEY, label TEXT, name TEXT, datatype TEXT,
          mark_for_delete BOOL DEFAULT 0, editable BOOL DEFAULT 1, display TEXT DEFAULT '{}', is_multiple BOOL DEFAULT 0,
          normalized BOOL);
        INSERT INTO custom_columns (id, label, name, datatype, mark_for_delete, is_multiple, normalized) VALUES
          (1, 'read', 'Gelesen?', 'bool', 0, 0, 0), (2, 'date_read', 'Read on', 'datetime', 0, 0, 0),
          (3, 'genre', 'Genre', 'text', 0, 1, 1), (4, 'mine', 'My stars', 'rating', 0, 0, 1),
          (5, 'pages', 'Pages', 'int', 0, 0, 0), (6, 'sum', 'Sum', 'composite', 0, 0, 0),
          (7, 'gone', 'Gone', 'text', 1, 0, 1), (8, 'saga', 'Saga', 'series', 0, 0, 1),
          (9, 'lost', 'Lost', 'text', 0, 0, 1);
        CREATE TABLE custom_column_1 (id INTEGER PRIMARY KEY, book INTEGER, value BOOL);
        INSERT INTO custom_column_1 VALUES (1, 3, 1), (2, 9, 0);
        CREATE TABLE custom_column_2 (id INTEGER PRIMARY KEY, book INTEGER, value TIMESTAMP);
        INSERT INTO custom_column_2 VALUES (1, 3, '2021-05-06 00:00:00+00:00');
        CREATE TABLE custom_column_3 (id INTEGER PRIMARY KEY, value TEXT);
        INSERT INTO custom_column_3 VALUES (1, 'Science Fiction'), (2, 'Satire');
        CREATE TABLE books_custom_column_3_link (id INTEGER PRIMARY KEY, book INTEGER, value INTEGER);
        INSERT INTO books_custom_column_3_link VALUES (1, 3, 1), (2, 3, 2);
        CREATE TABLE custom_column_4 (id INTEGER PRIMARY KEY, value INTEGER);
        INSERT INTO custom_column_4 VALUES (1, 7);
        CREATE TABLE books_custom_column_4_link (id INTEGER PRIMARY KEY, book INTEGER, value INTEGER);
        INSERT INTO books_custom_column_4_link VALUES (1, 3, 1);
        CREATE TABLE custom_column_5 (id INTEGER PRIMARY KEY, book INTEGER, value INT);
        INSERT INTO custom_column_5 VALUES (1, 3, 320);
        CREATE TABLE custom_column_8 (id INTEGER PRIMARY KEY, value TEXT);
        INSERT INTO custom_column_8 VALUES (1, 'Flame');
        CREATE TABLE books_custom_column_8_link (id INTEGER PRIMARY KEY, book INTEGER, value INTEGER, extra REAL);
        INSERT INTO books_custom_column_8_link VALUES (1, 3, 1, 2.0);
        """

    @Test func `the user's own columns are read, kept, and used where their names say what they are`()
        async throws
    {
        let files = try WrittenFiles()
        let path = try database(files)
        try Connection(path, .readWrite).execute(Self.custom)
        let reading = try await Reading.of(ReadSettings(files: [path]))
        #expect(
            reading.columns?.names.suffix(6) == ["#read", "#date_read", "#genre", "#mine", "#pages", "#saga"])
        #expect(
            reading.fact(7)[0].split(separator: "\u{1E}", omittingEmptySubsequences: false).suffix(6) == [
                "True", "2021-05-06", "Science Fiction, Satire", "3.5", "320", "Flame [2.0]",
            ])
        let facts = try RowFacts.of(path, [.exclusiveShelf, .dateRead, .subjects, .pageCount])
        #expect(
            facts.rows == [
                ["read", "2021-05-06", "Science Fiction;  Satire", "320"], ["", "", "", ""],
            ])
    }

    @Test func `a language is read as its two-letter code`() throws {
        let files = try WrittenFiles()
        let path = try database(files)
        #expect(try RowFacts.of(path, [.title, .language]).rows == [["A Canticle", "en"], ["Bare", ""]])
    }

    @Test func `damage of any kind is handled`() async throws {
        let files = try WrittenFiles()
        let sound = try Data(contentsOf: URL(filePath: try database(files)))
        var random = SeededGenerator(seed: 4_242)
        for round in 0..<60 {
            var bytes = sound
            // Not the head of the first page: without it the file is not a database.
            for _ in 0..<Int.random(in: 1...40, using: &random) {
                bytes[Int.random(in: 100..<bytes.count, using: &random)] = .random(
                    in: 0...255, using: &random)
            }
            let path = files.directory.appendingPathComponent("damaged-\(round).db")
            try bytes.write(to: path)
            do {
                let reading = try await Reading.of(ReadSettings(files: [path.path]))
                #expect(reading.recordsRead <= 10_000)
            } catch {
                #expect([.unusableInput, .inputOutput].contains(error.kind), "\(error)")
            }
        }
    }

    @Test func `a batch never exceeds its limit`() async throws {
        let files = try WrittenFiles()
        let path = try database(files)
        try Connection(path, .readWrite).execute(
            """
            WITH RECURSIVE n(i) AS (SELECT 100 UNION ALL SELECT i + 1 FROM n WHERE i < 5000)
            INSERT INTO books SELECT i, 'Book ' || i, '2020-01-02 03:04:05+00:00', '1959-10-01', 1.0, 'u-' || i FROM n;
            WITH RECURSIVE n(i) AS (SELECT 100 UNION ALL SELECT i + 1 FROM n WHERE i < 5000)
            INSERT INTO comments SELECT i, i, printf('%.1000c', 'x') FROM n;
            """)
        let settings = ReadSettings(files: [path], batchBytes: 64 * 1024)
        let file = try LibraryFile(path, index: 0, settings: settings)
        var reader = try LibraryFileReader(file, settings: settings)
        var (records, largest) = (0, 0)
        while let chunk = try reader.next() {
            records += chunk.recordsRead
            largest = max(largest, chunk.rows.arena.byteCount)
        }
        #expect(records == 4_903)
        #expect(largest <= 128 * 1024)
    }

    @Test func `reading resumes after a book and leaves no files next to the database`() async throws {
        let files = try WrittenFiles()
        let settings = ReadSettings(files: [try database(files)], batchRecords: 1)
        let reading = try await Reading.of(settings)
        let tail = try await Reading.of(settings, from: reading.ends[0])
        #expect(tail.records == Array(reading.records.dropFirst()))
        #expect(try FileManager.default.contentsOfDirectory(atPath: files.directory.path) == ["metadata.db"])
    }

    @Test func `other and damaged databases are rejected with a message`() async throws {
        let files = try WrittenFiles()
        let other = files.directory.appendingPathComponent("other.db").path
        try Connection(other, .create).execute("CREATE TABLE t (a)")
        #expect(await failure(of: ReadSettings(files: [other]))?.kind == .unusableInput)
        let damaged = try files.write(
            Array(try Data(contentsOf: URL(fileURLWithPath: try database(files))).prefix(3_000)),
            as: "half.db")
        let failure = await failure(of: ReadSettings(files: [damaged], format: "calibre-db"))
        #expect(failure?.kind == .unusableInput)
        #expect(failure?.message.contains("calibre's database") == true)
    }
}
