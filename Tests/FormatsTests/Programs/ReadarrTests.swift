import Books
import Bytes
import Database
import Foundation
import System
import TestSupport
import Testing

@testable import Formats

/// Readarr's database.
@Suite struct ReadarrTests {
    /// The tables that are read, with the columns that Readarr's first schema gives them.
    private static let tables = """
        CREATE TABLE Books (Id INTEGER PRIMARY KEY, AuthorMetadataId INTEGER, ForeignBookId TEXT, TitleSlug TEXT, Title TEXT,
          ReleaseDate DATETIME, Links TEXT, Genres TEXT, Ratings TEXT, CleanTitle TEXT, Monitored INTEGER,
          AnyEditionOk INTEGER, LastInfoSync DATETIME, Added DATETIME, AddOptions TEXT);
        CREATE TABLE AuthorMetadata (Id INTEGER PRIMARY KEY, ForeignAuthorId TEXT, TitleSlug TEXT, Name TEXT);
        CREATE TABLE Editions (Id INTEGER PRIMARY KEY, BookId INTEGER, ForeignEditionId TEXT, Isbn13 TEXT, Asin TEXT,
          Title TEXT, TitleSlug TEXT, Language TEXT, Overview TEXT, Format TEXT, IsEbook INTEGER, Disambiguation TEXT,
          Publisher TEXT, PageCount INTEGER, ReleaseDate DATETIME, Ratings TEXT, Monitored INTEGER, ManualAdd INTEGER);
        CREATE TABLE Series (Id INTEGER PRIMARY KEY, ForeignSeriesId TEXT, Title TEXT);
        CREATE TABLE SeriesBookLink (Id INTEGER PRIMARY KEY, SeriesId INTEGER, BookId INTEGER, Position TEXT,
          IsPrimary INTEGER);
        CREATE TABLE BookFiles (Id INTEGER PRIMARY KEY, EditionId INTEGER, CalibreId INTEGER, Path TEXT);
        INSERT INTO AuthorMetadata VALUES (1, '1077326', 'rowling', 'J.K. Rowling'), (2, '12', 'doe', 'Jane Doe');
        INSERT INTO Books (Id, AuthorMetadataId, ForeignBookId, Title, ReleaseDate, Genres, Ratings, Monitored, Added)
          VALUES (1, 1, '4640799', 'Philosopher', '1997-06-26 00:00:00Z', '["fantasy","young-adult"]',
            '{"votes": 7, "value": 4.47}', 1, '2023-02-03 04:05:06Z'),
          (2, 1, '8', 'Wanted', NULL, '[]', 'damaged', 1, '2023-02-04 04:05:06Z'),
          (3, 2, '9', 'Only listed', NULL, NULL, NULL, 0, NULL),
          (4, 2, '10', 'On disk', NULL, NULL, NULL, 0, NULL);
        INSERT INTO Editions (Id, BookId, ForeignEditionId, Isbn13, Asin, Title, Language, Format, IsEbook, Publisher,
          PageCount, ReleaseDate, Monitored) VALUES
          (1, 1, '3', '9780747532743', NULL, 'Other edition', 'eng', '', 0, 'B', 223, NULL, 0),
          (2, 1, '42844155', '9781781100486', 'B019PIOJYU', 'Harry Potter', 'eng', 'Kindle Edition', 1, 'Pottermore', 0,
            '2015-12-08 00:00:00Z', 1),
          (3, 4, '77', NULL, NULL, '', NULL, NULL, 1, NULL, NULL, NULL, 0);
        INSERT INTO Series VALUES (1, '45175', 'Harry Potter Saga');
        INSERT INTO SeriesBookLink VALUES (1, 1, 1, '1', 1);
        INSERT INTO BookFiles VALUES (1, 1, 0, 'a.epub'), (2, 3, 0, 'b-1.mp3'), (3, 3, 0, 'b-2.mp3');
        """

    private func database(_ files: WrittenFiles) throws -> String {
        let path = files.directory.appendingPathComponent("readarr.db").path
        try Connection(path, .create).execute(Self.tables)
        return path
    }

    @Test func `books that are monitored or have files are read, with the monitored edition`() async throws {
        let files = try WrittenFiles()
        let path = try database(files)
        let found = try RowFacts.of(
            path,
            [
                .sourceID, .goodreadsBook, .isbn13, .asin, .publisher, .yearPublished, .pageCount, .language,
                .averageRating, .dateAdded, .ownedCopies, .shelves,
            ])
        #expect(found.formatName == "readarr")
        #expect(
            found.rows == [
                [
                    "4640799", "42844155", "9781781100486", "B019PIOJYU", "Pottermore", "2015-12-08", "",
                    "en", "4.47",
                    "2023-02-03", "1", "",
                ],
                ["8", "", "", "", "", "", "", "", "", "2023-02-04", "", "wanted"],
                ["10", "77", "", "", "", "", "", "", "", "", "1", ""],
            ])
        let reading = try await Reading.of(ReadSettings(files: [path], batchRecords: 1))
        #expect(reading.titles == ["Harry Potter", "Wanted", "On disk"])
        #expect(reading.fact(3) == ["Harry Potter Saga#1", "", ""])
        #expect(reading.fact(4) == ["E-book", "-", "E-book"])
        #expect(reading.fact(2)[0] == "J.K. Rowling as author")
        let rest = try await Reading.of(ReadSettings(files: [path], batchRecords: 1), from: reading.ends[0])
        #expect(rest.titles == ["Wanted", "On disk"])
    }

    @Test func `a database that lacks a table is refused with what to do`() async throws {
        let files = try WrittenFiles()
        let path = try database(files)
        try Connection(path, .readWrite).execute("DROP TABLE BookFiles")
        let refusal = try #require(await failure(of: ReadSettings(files: [path])))
        #expect(refusal.kind == .unusableInput)
        let message = "\(refusal.message)"
        #expect(message.contains("cannot be read as Readarr's database"))
    }
}
