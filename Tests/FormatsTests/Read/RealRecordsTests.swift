import Books
import Contract
import Formats
import Foundation
import Jobs
import System
import TestSupport
import Testing

/// Records of library systems and publishers are read in full.
@Suite struct RealRecordsTests {
    /// Result of reading a file, in one line.
    private func summary(_ path: String) async throws -> String {
        let settings = ReadSettings(files: [TestFiles.path(path)])
        let reading = try await Reading.of(settings)
        let rejects = Dictionary(grouping: reading.rejects, by: \.code).mapValues(\.count)
            .sorted { $0.key < $1.key }.map { "\($0.key) \($0.value)" }
        let untitled = reading.titles.count(where: \.isEmpty)
        return
            ([
                "\(reading.columns?.formatName ?? "-")", "\(reading.recordsRead) read",
                "\(untitled) untitled",
            ] + rejects).joined(separator: ", ")
    }

    /// A file that is refused by name.
    static let unimarc = "marcxml/pymarc/testunimarc.dat"

    static let marc =
        TestFiles.names(in: "marcxml/etl", ".mrc") + TestFiles.names(in: "marcxml/openlibrary", ".mrc")
        + TestFiles.names(in: "marcxml/pymarc", ".dat", ".mrc").filter { $0 != unimarc }
    static let xml =
        ["marcxml/etl", "marcxml/openlibrary", "marcxml/pymarc"].flatMap { TestFiles.names(in: $0, ".xml") }
    static let json =
        TestFiles.names(in: "marcxml/etl", ".marc.json") + TestFiles.names(in: "marcxml/pymarc", ".json")

    /// Files with anything other than one record with a title.
    private static let particular: [String: String] = [
        "marcxml/etl/list.mrc": "marc, 3 read, 0 untitled, not_a_book 1",
        "marcxml/etl/list.xml": "marcxml, 3 read, 0 untitled, not_a_book 1",
        "marcxml/etl/list.marc.json": "marc-json, 3 read, 0 untitled, not_a_book 1",
        "marcxml/etl/no_title.mrc": "marc, 1 read, 1 untitled",
        "marcxml/etl/unreadable.mrc": "marc, 3 read, 0 untitled, record_unreadable 1",
        "marcxml/openlibrary/talis_no_title2.mrc": "marc, 1 read, 1 untitled",
        "marcxml/pymarc/1251.dat": "marc, 6 read, 0 untitled",
        // Damaged on purpose: one has no field at all.
        "marcxml/pymarc/bad_records.mrc": "marc, 8 read, 0 untitled, record_unreadable 1",
        // The subfield code of the title is not a letter.
        "marcxml/pymarc/bad_subfield_code.dat": "marc, 1 read, 1 untitled",
        "marcxml/pymarc/marc.dat": "marc, 20 read, 0 untitled",
        "marcxml/pymarc/regression45.dat": "marc, 12 read, 0 untitled",
        "marcxml/pymarc/test.dat": "marc, 10 read, 0 untitled",
        // UNIMARC has other tags.
        "marcxml/pymarc/batch.json": "marc-json, 2 read, 0 untitled, not_a_book 1",
        "marcxml/pymarc/batch.xml": "marcxml, 2 read, 0 untitled, not_a_book 1",
        "marcxml/pymarc/test.json": "marc-json, 1 read, 0 untitled, not_a_book 1",
        "marcxml/pymarc/utf8.xml": "marcxml, 1 read, 0 untitled, not_a_book 1",
    ]

    @Test(arguments: marc)
    func `MARC files are read in full`(path: String) async throws {
        let common = "marc, 1 read, 0 untitled"
        #expect(try await summary(path) == Self.particular[path, default: common])
    }

    @Test(arguments: xml)
    func `MARCXML files are read in full`(path: String) async throws {
        let common = "marcxml, 1 read, 0 untitled"
        #expect(try await summary(path) == Self.particular[path, default: common])
    }

    @Test(arguments: json)
    func `MARC in JSON files are read in full`(path: String) async throws {
        let common = "marc-json, 1 read, 0 untitled"
        #expect(try await summary(path) == Self.particular[path, default: common])
    }

    @Test func `JSON gives the same cells as ISO 2709 and XML`() async throws {
        let pairs = TestFiles.cases(
            own: [
                ("etl/one.marc.json", "etl/one.mrc", 1), ("etl/one.marc.json", "etl/one.xml", 1),
                ("etl/list.marc.json", "etl/list.mrc", 2), ("etl/list.marc.json", "etl/list.xml", 2),
            ],
            shared: [("pymarc/one.json", "pymarc/one.dat", 1), ("pymarc/batch.json", "pymarc/batch.xml", 1)])
        for (path, other, count) in pairs {
            let one = try await cells("marcxml/\(path)")
            #expect(one == (try await cells("marcxml/\(other)")), "\(path)")
            #expect(one.count == count)
        }
    }

    /// The cells of a file's records. Raw MARC contains the character that separates the parts, so the cells
    /// are the last part.
    private func cells(_ path: String) async throws -> [[String]] {
        let reading = try await Reading.of(ReadSettings(files: [TestFiles.path(path)]))
        return reading.records.map { record in
            let last = record.split(separator: "\u{1F}", omittingEmptySubsequences: false).last ?? ""
            return last.split(separator: "\u{1E}", omittingEmptySubsequences: false).map(String.init)
        }
    }

    /// The encoding found in a file's first bytes; for MARC the one in the leader.
    private static func encoding(_ path: String) throws -> String? {
        let settings = ReadSettings(files: [TestFiles.path(path)])
        let words = try Inspection(settings).evidence ?? ""
        return ["MARC-8", "UTF-8", "utf-8", "ISO-8859-1"].first { words.contains($0) }
    }

    /// The MARC files whose leader says UTF-8; all others say MARC-8.
    private static let inUTF8: Set<String> = [
        "marcxml/etl/list.mrc", "marcxml/etl/no_title.mrc", "marcxml/etl/one.mrc",
        "marcxml/etl/unreadable.mrc", "marcxml/etl/wrong_lengths.mrc",
        "marcxml/openlibrary/1733mmoiresdel00vill_meta.mrc",
        "marcxml/openlibrary/710_org_name_in_direct_order.mrc",
        "marcxml/openlibrary/880_Nihon_no_chasho.mrc",
        "marcxml/openlibrary/880_alternate_script.mrc",
        "marcxml/openlibrary/880_arabic_french_many_linkages.mrc",
        "marcxml/openlibrary/880_publisher_unlinked.mrc",
        "marcxml/openlibrary/9999_sd_dates.mrc",
        "marcxml/openlibrary/9999_with_correct_date_in_260.mrc",
        "marcxml/openlibrary/dasrmischepriv00rein_meta.mrc",
        "marcxml/openlibrary/diebrokeradical400poll_meta.mrc",
        "marcxml/openlibrary/equalsign_title.mrc",
        "marcxml/openlibrary/ithaca_college_75002321.mrc",
        "marcxml/openlibrary/ithaca_two_856u.mrc",
        "marcxml/openlibrary/livrodostermosh00bragoog_meta.mrc",
        "marcxml/openlibrary/talis_245p.mrc",
        "marcxml/openlibrary/talis_740.mrc",
        "marcxml/openlibrary/talis_856.mrc",
        "marcxml/openlibrary/talis_empty_245.mrc",
        "marcxml/openlibrary/talis_multi_work_tiles.mrc",
        "marcxml/openlibrary/talis_no_title.mrc",
        "marcxml/openlibrary/talis_no_title2.mrc",
        "marcxml/openlibrary/talis_see_also.mrc",
        "marcxml/openlibrary/talis_two_authors.mrc",
        "marcxml/openlibrary/test-publish-sn-sl-nd.mrc",
        "marcxml/openlibrary/test-publish-sn-sl.mrc",
        "marcxml/openlibrary/upei_short_008.mrc",
        "marcxml/openlibrary/zweibchersatir01horauoft_meta.mrc",
        "marcxml/pymarc/bad_indicator.dat",
        "marcxml/pymarc/diacritic.dat",
        "marcxml/pymarc/multi_isbn.dat",
        "marcxml/pymarc/regression45.dat",
        "marcxml/pymarc/utf8_errors.dat",
        "marcxml/pymarc/utf8_invalid.mrc",
        "marcxml/pymarc/utf8_with_leader_flag.dat",
    ]

    @Test func `MARC files have the encoding of their leader`() throws {
        for path in Self.marc {
            let expected = Self.inUTF8.contains(path) ? "UTF-8" : "MARC-8"
            #expect(try Self.encoding(path) == expected, "\(path)")
        }
        for path in Self.xml + Self.json {
            #expect(try Self.encoding(path)?.uppercased() == "UTF-8", "\(path)")
        }
    }

    /// Rejects and warnings of validation, for files with anything other than one record without findings.
    private static let validated: [String: String] = [
        "librarything/etl_2015.json": "isbn_asin 1, rejected not_a_book 1",
        "marcxml/etl/list.marc.json": "rejected not_a_book 1",
        "marcxml/etl/list.mrc": "rejected not_a_book 1",
        "marcxml/etl/list.xml": "rejected not_a_book 1",
        "marcxml/etl/no_title.mrc": "rejected no_title_or_isbn 1",
        "marcxml/etl/unreadable.mrc": "rejected record_unreadable 1",
        "marcxml/etl/wrong_lengths.mrc": "wrong_lengths 1",
        "onix/etl_onix3.xml": "rejected not_a_book 1",
        "librarything/mouse-reeve_2015-10-11.json": "isbn_asin 9, isbn_not_a_book 1",
        "marcxml/openlibrary/880_publisher_unlinked.mrc": "isbn13_check_digit 1",
        "marcxml/openlibrary/collingswood_520aa.mrc": "isbn_wrong_length 1",
        "marcxml/openlibrary/dasrmischepriv00rein_meta.mrc": "double_encoding 1, wrong_lengths 1",
        "marcxml/openlibrary/lesabndioeinas00sche_meta.mrc": "wrong_lengths 1",
        "marcxml/openlibrary/new_poganucpeoplethe00stowuoft_meta.mrc": "invalid_utf8 1, wrong_lengths 1",
        "marcxml/openlibrary/poganucpeoplethe00stowuoft_meta.mrc": "invalid_utf8 1, wrong_lengths 1",
        "marcxml/openlibrary/talis_no_title2.mrc": "rejected no_title_or_isbn 1",
        "marcxml/openlibrary/upei_short_008.mrc": "wrong_lengths 1",
        "marcxml/pymarc/1251.dat": "replaced_characters 6",
        "marcxml/pymarc/bad_eacc_encoding.dat": "replaced_characters 1",
        "marcxml/pymarc/bad_marc8_escape.dat": "replaced_characters 1",
        "marcxml/pymarc/bad_records.mrc": "rejected record_unreadable 1, wrong_lengths 2",
        "marcxml/pymarc/bad_subfield_code.dat": "invalid_utf8 1, wrong_lengths 1",
        "marcxml/pymarc/batch.json": "rejected not_a_book 1",
        "marcxml/pymarc/batch.xml": "rejected not_a_book 1",
        "marcxml/pymarc/test.json": "rejected not_a_book 1",
        "marcxml/pymarc/utf8.xml": "rejected not_a_book 1",
        "marcxml/pymarc/utf8_invalid.mrc": "invalid_utf8 1",
    ]

    @Test(
        arguments: marc + xml + json + (libraryThing + onix).map(\.path))
    func `counts stay the same through validation`(path: String) async throws {
        let settings = ReadSettings(files: [TestFiles.path(path)])
        let forecast = try await ForecastImport(settings, catalogPaths: []).forecast()
        let findings = forecast.findings
        let words =
            (findings.rejects.map { "rejected \($0.name) \($0.count)" }
            + findings.warnings.map { "\($0.name) \($0.count)" }).sorted().joined(separator: ", ")
        #expect(words == Self.validated[path, default: ""])
        #expect(forecast.imported + findings.rejects.reduce(0) { $0 + $1.count } == forecast.records)
    }

    static let libraryThing: [(path: String, expected: String)] = TestFiles.cases(
        own: [
            ("librarything/etl_2014.json", "librarything-json, 2 read, 0 untitled"),
            ("librarything/etl_2015.json", "librarything-json, 3 read, 0 untitled, not_a_book 1"),
        ],
        shared: [
            ("librarything/mouse-reeve_2014-12-11.json", "librarything-json, 506 read, 0 untitled"),
            ("librarything/mouse-reeve_2015-10-11.json", "librarything-json, 538 read, 0 untitled"),
        ])

    /// Only these files are ONIX.
    static let onix: [(path: String, expected: String)] = [
        ("onix/etl_onix21.xml", "onix, 1 read, 0 untitled"),
        ("onix/etl_onix3.xml", "onix, 2 read, 0 untitled, not_a_book 1"),
    ]

    @Test(arguments: libraryThing + onix)
    func `LibraryThing and ONIX files are read in full`(path: String, expected: String) async throws {
        #expect(try await summary(path) == expected)
    }

    /// MARC files with a book as JSON next to them: our own with what the record says, written by hand; the others
    /// with the result of another implementation (Open Library's importer).
    private static let answered = marc.filter { path in
        let answer = path.replacing(".mrc", with: ".json")
        return answer != path && FileManager.default.fileExists(atPath: TestFiles.path(answer))
    }

    /// Records that the other implementation reads differently, with the reason.
    private static let otherwise: [String: Set<String>] = [
        // It takes the minutes of a cassette, volumes or a shelf mark for pages.
        "marcxml/openlibrary/collingswood_520aa.mrc": ["pages"],
        "marcxml/openlibrary/warofrebellionco1473unit_meta.mrc": ["pages"],
        "marcxml/openlibrary/talis_740.mrc": ["pages", "year"],
        // It guesses English if the record's code is damaged.
        "marcxml/openlibrary/collingswood_bad_008.mrc": ["language"],
        // The record itself has two different years.
        "marcxml/openlibrary/ithaca_two_856u.mrc": ["year"],
        "marcxml/openlibrary/test-publish-sn-sl.mrc": ["year"],
        "marcxml/openlibrary/wrapped_lines.mrc": ["year"],
    ]

    @Test(arguments: answered)
    func `records give the values of the JSON next to them`(path: String) async throws {
        let cells = try #require(try await cells(path).first)
        let names = try MARC().columns(of: InputFile(TestFiles.path(path)))
        #expect(cells.count == names.count)
        let value = { (name: String) in names.firstIndex(of: name).map { cells[$0] } ?? "" }
        let json = try TestFiles.bytes(path.replacing(".mrc", with: ".json"))
        let answer = try #require(try JSONSerialization.jsonObject(with: Data(json)) as? [String: Any])
        var differing: Set<String> = []
        let isbns = ["isbn_10", "isbn_13"].flatMap { answer[$0] as? [String] ?? [] }
        if let isbn = [value("ISBN-13"), value("ISBN-10")].first(where: { !$0.isEmpty }), !isbns.isEmpty {
            if !isbns.contains(isbn) { differing.insert("isbn") }
        }
        if let pages = answer["number_of_pages"] as? Int, value("Pages") != String(pages) {
            differing.insert("pages")
        }
        if let language = (answer["languages"] as? [String])?.first, !language.isEmpty,
            value("Language") != Languages.twoLetters(language) ?? language
        {
            differing.insert("language")
        }
        let year = value("Year")
        if let date = answer["publish_date"] as? String, !year.isEmpty, !date.contains(year) {
            differing.insert("year")
        }
        if let title = answer["title"] as? String,
            ![value("Title"), value("Title in Its Own Script")]
                .contains(where: { $0.lowercased().hasPrefix(title.lowercased()) })
        {
            differing.insert("title")
        }
        #expect(differing == Self.otherwise[path, default: []])
    }
}
