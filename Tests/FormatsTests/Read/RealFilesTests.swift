import Books
import Contract
import System
import TestSupport
import Testing

@testable import Formats
@testable import Jobs
@testable import Syntax

/// Every library file is recognized, and each of its records is accounted for.
@Suite struct RealFilesTests {
    /// The expected reading of a file, so that a changed format shows which files it affects.
    struct Pin: Sendable, CustomTestStringConvertible {
        var path: String
        var formatName: String
        var records: Int
        /// Records rejected by reading and validation, by reason.
        var rejects: [String: Int] = [:]

        var testDescription: String { path }
    }

    static let pins = goodreads + others

    private static let goodreads = TestFiles.goodreadsExports.map { file in
        Pin(path: "goodreads/\(file.name)", formatName: "goodreads", records: file.records)
    }

    private static let others = TestFiles.cases(
        own: [
            Pin(
                path: "librarything/etl_49_columns.tsv", formatName: "librarything", records: 4,
                rejects: ["not_a_book": 1]),
            Pin(
                path: "librarything/etl_2014.csv", formatName: "librarything", records: 3,
                rejects: ["not_a_book": 1]),
            Pin(path: "storygraph/etl_storygraph.csv", formatName: "storygraph", records: 3),
            Pin(path: "calibre/etl_calibre.csv", formatName: "calibre", records: 2),
            Pin(path: "openlibrary-reading-log/etl_reading_log.csv", formatName: "openlibrary", records: 3),
            Pin(path: "other/etl_bookwyrm.csv", formatName: "bookwyrm", records: 2),
            Pin(
                path: "other/etl_openreads.csv", formatName: "openreads", records: 2,
                rejects: ["deleted_at_source": 1]),
            Pin(path: "other/etl_generic.csv", formatName: "generic", records: 3),
            Pin(
                path: "other/etl_isbns.txt", formatName: "isbn-list", records: 4,
                rejects: ["no_title_or_isbn": 1]),
            Pin(
                path: "other/etl_betterworldbooks.psv", formatName: "betterworldbooks", records: 3,
                rejects: ["not_a_book": 1]),
            Pin(path: "other/etl_libib.csv", formatName: "libib", records: 3, rejects: ["not_a_book": 1]),
            Pin(path: "other/etl_hardcover.csv", formatName: "hardcover", records: 2),
            Pin(path: "other/etl_inventaire.csv", formatName: "inventaire", records: 1),
            Pin(path: "other/etl_bookbuddy.csv", formatName: "bookbuddy", records: 1),
            Pin(path: "other/etl_book_catalogue.csv", formatName: "book-catalogue", records: 2),
        ],
        shared: [
            Pin(path: "librarything/bookwyrm_librarything.tsv", formatName: "librarything", records: 3),
            Pin(path: "librarything/mouse-reeve_2014-10-22.csv", formatName: "librarything", records: 485),
            Pin(path: "storygraph/bookwyrm_storygraph.csv", formatName: "storygraph", records: 2),
            Pin(path: "storygraph/neodb_storygraph_library_export.csv", formatName: "storygraph", records: 9),
            Pin(path: "calibre/bookwyrm_calibre.csv", formatName: "calibre", records: 1),
            Pin(
                path: "openlibrary-reading-log/bookwyrm_openlibrary.csv", formatName: "openlibrary",
                records: 4),
            Pin(path: "other/bookwyrm_bookwyrm.csv", formatName: "bookwyrm", records: 3),
            Pin(path: "other/bookwyrm_generic.csv", formatName: "generic", records: 4),
            Pin(path: "other/bookwyrm_openreads.csv", formatName: "openreads", records: 4),
            Pin(path: "other/jelu_export_expected.csv", formatName: "generic", records: 2),
            Pin(
                path: "other/jelu_isbns-import.txt", formatName: "isbn-list", records: 3,
                rejects: ["no_title_or_isbn": 1]),
            Pin(
                path: "other/openlibrary_betterworldbooks_rows.psv", formatName: "betterworldbooks",
                records: 7,
                rejects: ["not_a_book": 5]),
        ])

    @Test(arguments: pins)
    func `each file is recognized, with every record accounted for`(pin: Pin) async throws {
        let settings = ReadSettings(files: [TestFiles.path(pin.path)])
        let inspection = try Inspection(settings)
        #expect(inspection.formatName == pin.formatName)
        #expect(inspection.text?.encoding.encoding == .utf8)
        #expect(inspection.recordCount == pin.records)
        let forecast = try await ForecastImport(settings, catalogPaths: []).forecast()
        #expect(forecast.records == pin.records)
        let rejects = Dictionary(uniqueKeysWithValues: forecast.findings.rejects.map { ($0.name, $0.count) })
        #expect(rejects == pin.rejects)
        let imported =
            forecast.validISBNs + forecast.repairedISBNs + forecast.impossibleISBNs + forecast.titlesOnly
        #expect(imported + pin.rejects.values.reduce(0, +) == pin.records)
        #expect(forecast.imported == imported)
    }

    /// The same book in every format: its title and people as each format has them.
    static let lantern = [
        ("goodreads/etl_2015.csv", "The Salt Lantern: Mira Talvik (author), Jonas Ebbe (contributor)"),
        (
            "librarything/etl_49_columns.tsv",
            "The Salt Lantern: Mira Talvik (author), Jonas Ebbe (translator), Walter M. Hale (illustrator)"
        ),
        ("librarything/etl_2014.csv", "Salt Lantern, The: Mira Talvik (author)"),
        ("librarything/etl_2014.json", "The Salt Lantern: Mira Talvik (author), Jonas Ebbe (translator)"),
        (
            "storygraph/etl_storygraph.csv",
            "The Salt Lantern: Mira Talvik (author), Jonas Ebbe (translator), Walter M. Hale (illustrator)"
        ),
        ("calibre/etl_calibre.csv", "The Salt Lantern: Mira Talvik (author), Jonas Ebbe (contributor)"),
        ("other/etl_openreads.csv", "The Salt Lantern: Mira Talvik (author)"),
        ("other/etl_betterworldbooks.psv", "The Salt Lantern: Mira Talvik (author)"),
        ("other/etl_libib.csv", "The Salt Lantern: Mira Talvik (author), Jonas Ebbe (contributor)"),
        ("other/etl_hardcover.csv", "The Salt Lantern: Mira Talvik (author), Jonas Ebbe (translator)"),
        ("other/etl_inventaire.csv", "The Salt Lantern: Mira Talvik (author), Jonas Ebbe (contributor)"),
        ("other/etl_bookbuddy.csv", "The Salt Lantern: Mira Talvik (author)"),
        ("marcxml/etl/one.mrc", "The salt lantern: a novel: Mira Talvik (author), Jonas Ebbe (translator)"),
        ("onix/etl_onix3.xml", "The Salt Lantern: Mira Talvik (author), Jonas Ebbe (translator)"),
    ]

    @Test(arguments: lantern)
    func `the title and the people of a book are read from every format`(path: String, expected: String)
        throws
    {
        let people = try RowFacts.people(TestFiles.path(path))
        #expect(people.first == expected)
    }

    @Test func `MARC-8 is decoded, also within a file in UTF-8`() throws {
        let tags = try RowFacts.of(TestFiles.path("librarything/etl_49_columns.tsv"), [.title, .shelves]).rows
        try #require(tags.count > 1)
        #expect(tags[1] == ["Sõna ja müür", "már, wall"])
        let people = try RowFacts.people(TestFiles.path("marcxml/etl/marc8.mrc"))
        #expect(people == ["A field guide to lost weather: Ingrid Sólveig (author)"])
        let wrong = try RowFacts.people(TestFiles.path("marcxml/etl/wrong_lengths.mrc"))
        #expect(wrong == ["Á fíeld guidé to lost weather: Ingrid Solveig (author)"])
    }

    /// Files that are not libraries, and their messages.
    static let refused = TestFiles.cases(
        own: [
            ("isbn/etl_RangeMessage.xml", "is XML in an unsupported format."),
            ("isbn/etl_vectors.tsv", "No column of"),
        ],
        shared: [
            ("isbn/RangeMessage_2017-12.xml", "is XML in an unsupported format."),
            ("isbn/stdnum_isbn.dat", "No column of"), ("isbn/stdnum_test_isbn.doctest", "No column of"),
            ("isbn/vectors.tsv", "No column of"),
        ])

    @Test(arguments: refused)
    func `a file that is not a library is rejected with a message`(path: String, words: String) async {
        let failure = await failure(of: ReadSettings(files: [TestFiles.path(path)]))
        #expect(failure?.kind == .unusableInput)
        #expect(failure?.message.contains(words) == true, "\(failure?.message ?? "read")")
    }

    @Test(arguments: answers)
    func `a book as a JSON object is a table with one record`(path: String) async throws {
        let reading = try await Reading.of(ReadSettings(files: [TestFiles.path(path)]))
        #expect(reading.recordsRead == 1)
        #expect(reading.titles.first?.isEmpty == false)
    }

    /// Books as JSON, each with the content of the MARC record next to it.
    static let answers = ["marcxml/etl", "marcxml/openlibrary"].flatMap { folder in
        TestFiles.names(in: folder, ".json").filter { !$0.hasSuffix(".marc.json") }
    }

    @Test func `no file is left out`() throws {
        let records = RealRecordsTests.marc + RealRecordsTests.xml + RealRecordsTests.json
        let pinned = Set(
            Self.pins.map(\.path) + records + RealRecordsTests.onix.map(\.path)
                + RealRecordsTests.libraryThing.map(\.path) + Self.refused.map(\.0) + Self.answers
                + TestFiles.names(in: "marcxml/pymarc", ".dat").filter { $0 == RealRecordsTests.unimarc })
        let folders = [
            "goodreads", "librarything", "storygraph", "calibre", "openlibrary-reading-log", "other",
            "marcxml", "marcxml/etl", "marcxml/openlibrary", "marcxml/pymarc", "onix", "isbn",
        ]
        let found = folders.flatMap { TestFiles.names(in: $0) }
        #expect(Set(found) == pinned)
        #expect(found.count == pinned.count)
    }

    /// One table in four encodings.
    @Test(
        arguments: TestFiles.cases(
            own: ["csvcorpus/etl/ports"], shared: ["csvcorpus/openrefine/example"]))
    func `the encodings of one table give the same records`(table: String) throws {
        let names = ["utf8", "utf16be-bom", "utf16le-bom", "latin1"]
        let tables = try names.map { name in
            var lines: [UInt8] = []
            _ = try RawRecords.write(of: ReadSettings(files: [TestFiles.path("\(table)-\(name).tsv")])) {
                (bytes) throws(ETLError) in lines += bytes
            }
            return String(decoding: lines, as: UTF8.self)
        }
        #expect(tables[0].split(separator: "\n").count > 1)
        for (table, name) in zip(tables, names).dropFirst() { #expect(table == tables[0], "\(name)") }
    }
}
