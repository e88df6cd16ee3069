import Foundation
import Pipeline
import TestSupport
import Testing

@testable import Application
@testable import Books
@testable import Syntax

/// Every real library file, which is not part of the repository, is recognized, and each of its records is
/// accounted for.
@Suite(.enabled(if: SharedData.isPresent, "needs real files that are not in the repository"))
struct RealFilesTests {
    /// The expected reading of a file, so that a changed format shows which files it affects.
    struct Pin: Sendable, CustomTestStringConvertible {
        var path: String
        var profile: String
        var encoding: String
        var records: Int
        /// Records rejected by reading and validation, by reason.
        var rejects: [String: Int] = [:]

        var testDescription: String { path }
    }

    static let pins = [
        Pin(
            path: "goodreads/bookwyrm_goodreads-rating.csv", profile: "goodreads", encoding: "UTF-8",
            records: 3),
        Pin(path: "goodreads/bookwyrm_goodreads.csv", profile: "goodreads", encoding: "UTF-8", records: 3),
        Pin(
            path: "goodreads/jelu_goodreads-duplicate-events.csv", profile: "goodreads", encoding: "UTF-8",
            records: 6),
        Pin(path: "goodreads/jelu_goodreads1.csv", profile: "goodreads", encoding: "UTF-8", records: 10),
        Pin(
            path: "goodreads/jelu_goodreads_library_export-2022.csv", profile: "goodreads", encoding: "UTF-8",
            records: 10),
        Pin(
            path: "goodreads/jelu_goodreads_library_export_one_line.csv", profile: "goodreads",
            encoding: "UTF-8", records: 1),
        Pin(
            path: "goodreads/jelu_goodreads_library_export_one_line_modified.csv", profile: "goodreads",
            encoding: "UTF-8", records: 1),
        Pin(
            path: "goodreads/jelu_goodreads_library_export_one_line_modified_review.csv",
            profile: "goodreads", encoding: "UTF-8", records: 5),
        Pin(path: "goodreads/mouse-reeve_2015-07.csv", profile: "goodreads", encoding: "UTF-8", records: 123),
        Pin(path: "goodreads/mouse-reeve_2016-10.csv", profile: "goodreads", encoding: "UTF-8", records: 157),
        Pin(path: "goodreads/mouse-reeve_2018-01.csv", profile: "goodreads", encoding: "UTF-8", records: 181),
        Pin(path: "goodreads/mouse-reeve_2020-10.csv", profile: "goodreads", encoding: "UTF-8", records: 358),
        Pin(
            path: "goodreads/neodb_goodreads_library_export.csv", profile: "goodreads", encoding: "UTF-8",
            records: 10),
        Pin(
            path: "goodreads/openlibrary_goodreads_library_export.csv", profile: "goodreads",
            encoding: "UTF-8", records: 3),
        Pin(
            path: "librarything/bookwyrm_librarything.tsv", profile: "librarything", encoding: "UTF-8",
            records: 3),
        Pin(
            path: "librarything/mouse-reeve_2014-10-22.csv", profile: "librarything", encoding: "UTF-8",
            records: 485),
        Pin(path: "storygraph/bookwyrm_storygraph.csv", profile: "storygraph", encoding: "UTF-8", records: 2),
        Pin(
            path: "storygraph/neodb_storygraph_library_export.csv", profile: "storygraph", encoding: "UTF-8",
            records: 9),
        Pin(path: "calibre/bookwyrm_calibre.csv", profile: "calibre", encoding: "UTF-8", records: 1),
        Pin(
            path: "openlibrary-reading-log/bookwyrm_openlibrary.csv", profile: "openlibrary",
            encoding: "UTF-8",
            records: 4),
        Pin(path: "other/bookwyrm_bookwyrm.csv", profile: "bookwyrm", encoding: "UTF-8", records: 3),
        Pin(path: "other/bookwyrm_generic.csv", profile: "generic", encoding: "UTF-8", records: 4),
        Pin(path: "other/bookwyrm_openreads.csv", profile: "openreads", encoding: "UTF-8", records: 4),
        Pin(path: "other/jelu_export_expected.csv", profile: "generic", encoding: "UTF-8", records: 2),
        Pin(
            path: "other/jelu_isbns-import.txt", profile: "isbn-list", encoding: "UTF-8", records: 3,
            rejects: ["no_title_or_isbn": 1]),
        Pin(
            path: "other/openlibrary_betterworldbooks_rows.psv", profile: "betterworldbooks",
            encoding: "UTF-8",
            records: 7, rejects: ["not_a_book": 5]),
    ]

    @Test(arguments: pins)
    func `each file is recognized, with every record accounted for`(pin: Pin) async throws {
        let settings = ReadSettings(files: [Self.path(pin.path)])
        let inspection = try Inspection(settings)
        #expect(inspection.profile == pin.profile)
        #expect(inspection.text?.encoding.encoding.rawValue == pin.encoding)
        #expect(inspection.recordCount == pin.records)
        let forecast = try await ForecastImport(settings, catalogPaths: []).forecast()
        #expect(forecast.records == pin.records)
        let rejects = Dictionary(uniqueKeysWithValues: forecast.findings.rejects.map { ($0.name, $0.count) })
        #expect(rejects == pin.rejects)
        let kept =
            forecast.validISBNs + forecast.repairedISBNs + forecast.impossibleISBNs + forecast.titlesOnly
        #expect(kept + pin.rejects.values.reduce(0, +) == pin.records)
        #expect(forecast.kept == kept)
    }

    /// Files that are not libraries, and their messages.
    static let refused = [
        ("isbn/RangeMessage_2017-12.xml", "is an XML document."),
        ("isbn/stdnum_isbn.dat", "No column of"), ("isbn/stdnum_test_isbn.doctest", "No column of"),
        ("isbn/vectors.tsv", "No column of"),
    ]

    @Test(arguments: refused + answers.map { ($0, "is a JSON document.") })
    func `a file that is not a library is rejected with a message`(path: String, words: String) async {
        let failure = await failure(of: ReadSettings(files: [Self.path(path)]))
        #expect(failure?.kind == .unusableInput)
        #expect(failure?.message.contains(words) == true, "\(failure?.message ?? "read")")
    }

    /// JSON books that Open Library's importer made from the MARC record next to each.
    static let answers = names("marcxml/openlibrary").filter { $0.hasSuffix(".json") }

    @Test func `no file is left out`() throws {
        let records = RealRecordsTests.marc + RealRecordsTests.xml + RealRecordsTests.json
        let pinned = Set(
            Self.pins.map(\.path) + records + RealRecordsTests.libraryThing.map(\.path)
                + Self.refused.map(\.0) + Self.answers)
        let folders = [
            "goodreads", "librarything", "storygraph", "calibre", "openlibrary-reading-log", "other",
            "marcxml", "marcxml/openlibrary", "marcxml/pymarc", "isbn",
        ]
        let found = folders.flatMap(Self.names)
        #expect(Set(found) == pinned)
        #expect(found.count == pinned.count)
    }

    /// The files directly in a folder.
    private static func names(_ folder: String) -> [String] {
        let all = (try? FileManager.default.contentsOfDirectory(atPath: path(folder))) ?? []
        return all.filter { !$0.hasPrefix(".") }.map { "\(folder)/\($0)" }
            .filter { !["marcxml/openlibrary", "marcxml/pymarc"].contains($0) }.sorted()
    }

    /// One table in five encodings and with two delimiters.
    @Test func `the encodings of one table give the same records`() throws {
        let names = [
            "example-utf8.tsv", "example-utf16be-bom.tsv", "example-utf16le-bom.tsv", "example-latin1.tsv",
        ]
        let tables = try names.map { name in
            var lines: [UInt8] = []
            _ = try RawRecords.write(of: Self.path("csvcorpus/openrefine/\(name)")) {
                (bytes) throws(StageFailure) in lines += bytes
            }
            return String(decoding: lines, as: UTF8.self)
        }
        #expect(tables[0].split(separator: "\n").count > 1)
        for (table, name) in zip(tables, names).dropFirst() { #expect(table == tables[0], "\(name)") }
    }

    static func path(_ name: String) -> String { "\(ProjectFiles.root)/../shared/data/\(name)" }
}
