import System
import TestSupport
import Testing

@testable import Books
@testable import Bytes
@testable import Services
@testable import Sources
@testable import Syntax

/// Responses of the four services, file by file, and what each is recognized as. Responses to other questions
/// must be rejected.
@Suite struct RealAnswerFilesTests {
    private static let address = ServiceEndpoint("https://example.org")
    private static let limits = ServiceLimits(rate: .init(perSecond: 1))

    private static func words(_ packed: PackedRecordWriter, _ fields: [Field]) -> String {
        var all: [Field: [String]] = [:]
        packed.bytes.withUnsafeBytes { bytes in
            _ = PackedRecord.forEachValue(bytes) { field, _, range in
                let text = String(decoding: UnsafeRawBufferPointer(rebasing: bytes[range]), as: UTF8.self)
                all[field, default: []].append(text)
            }
        }
        return fields.map { (all[$0] ?? []).joined(separator: "+") }.joined(separator: " | ")
    }

    private static func words(_ record: ArraySlice<UInt8>, _ fields: [Field]) -> String {
        var packed = PackedRecordWriter()
        packed.append(all: record)
        return words(packed, fields)
    }

    // MARK: Open Library

    /// An edition, work or author as a short text.
    private static func openLibrary(_ json: [UInt8]) -> String {
        var records = OpenLibraryRecords(latestYear: 2030)
        if let edition = records.edition(json) {
            return words(edition.body, [.editionKey, .editionTitle, .isbn13])
                + " of \(edition.work ?? "no work")"
        }
        if let work = records.work(json) {
            return words(work.body, [.workKey, .title]) + " by \(work.authors.joined(separator: "+"))"
        }
        return records.author(json).map { words($0.body, [.authorKey, .authorName]) } ?? "nothing"
    }

    private static let openLibraryFiles: [(String, String)] = TestFiles.cases(
        own: [
            ("etl_edition.json", "OL99000101M | The Salt Lantern | 9789999901017 of OL99000101W"),
            ("etl_work.json", "OL99000101W | The Salt Lantern by OL99000101A+OL99000102A"),
            ("etl_author.json", "OL99000101A | Mira Talvik"), ("etl_not_found.json", "nothing"),
        ],
        shared: [
            (
                "bookwyrm_ol_edition.json",
                "OL22951843M | Sabriel | 9780060273224+9780060273231+9780064471831 of OL15832982W"
            ),
            (
                "bookwyrm_ol_edition_markdown.json",
                "OL36884359M | The Stars with You | 9781943899159 of OL27172905W"
            ),
            ("bookwyrm_ol_work.json", "OL15832982W | Sabriel by OL382982A"),
            ("neodb_authors_OL34184A_json.json", "OL34184A | Roald Dahl"),
            (
                "neodb_books_OL7353617M_json.json",
                "OL7353617M | Fantastic Mr. Fox | 9780140328721 of OL45804W"
            ),
            (
                "neodb_isbn_9780140328721_json.json",
                "OL7353617M | Fantastic Mr. Fox | 9780140328721 of no work"
            ),
            ("neodb_works_OL45804W_json.json", "OL45804W | Fantastic Mr Fox by OL34184A"),
            ("neodb_works_OL8694710W_json.json", "OL8694710W | Slow reading by OL2622287A"),
            ("neodb_works_INVALID_ID_editions_json.json", "nothing"),
        ])

    @Test(arguments: openLibraryFiles)
    func `an Open Library record is an edition, a work or an author`(file: String, expected: String) throws {
        #expect(Self.openLibrary(try TestFiles.bytes("openlibrary/\(file)")) == expected)
    }

    @Test(
        arguments: TestFiles.cases(
            own: [
                ("etl_edition_list.json", 3, "OL99000101M | The Salt Lantern")
            ],
            shared: [
                ("bookwyrm_ol_edition_list.json", 15, "OL9142127M | Sabriel"),
                ("neodb_works_OL45804W_editions_json.json", 50, "OL44247403M | Fantastic Mr. Fox"),
                ("neodb_works_OL45804W_editions_json_offset_50.json", 2, "OL9999991M | Page 2 Edition 1"),
            ]))
    func `each edition of a work's list is read`(file: String, count: Int, first: String) throws {
        let entries = try #require(
            try JSONSlices.members(of: TestFiles.bytes("openlibrary/\(file)"))["entries"])
        let editions = try JSONSlices.elements(of: entries).map(Self.openLibrary)
        #expect(editions.count == count)
        #expect(editions.allSatisfy { $0 != "nothing" })
        #expect(editions.first?.hasPrefix(first) == true, "\(editions.first ?? "")")
    }

    @Test(
        arguments: TestFiles.cases(
            own: [
                ("etl_isbn.json", "9789999901017", true), ("etl_isbn.json", "9789999901024", false),
                // Requested by Open Library's own number, which etl never does: it answers no ISBN.
                ("etl_olid.json", "9789999901017", false),
            ],
            shared: [
                (
                    "neodb_api_books_bibkeys_ISBN_9780980200447_jscmd_data_format_json.json", "9780980200447",
                    true
                ),
                ("bookwyrm_ol_isbn_search.json", "9782070427796", true),
                (
                    "neodb_api_books_bibkeys_OLID_OL22853304M_jscmd_data_format_json.json", "9780980200447",
                    false
                ),
                (
                    "neodb_api_books_bibkeys_OLID_OL7353617M_jscmd_data_format_json.json", "9780140328721",
                    false
                ),
            ]))
    func `a response to ISBNs has the requested ones or none`(
        file: String, isbn: String, isFound: Bool
    ) throws {
        let service = OpenLibraryService(Self.address, isIdentified: true).under(Self.limits)
        guard
            case .answers(let parts) = try service.read(
                TestFiles.bytes("openlibrary/\(file)"), .isbn, [isbn])
        else {
            Issue.record("it was not read")
            return
        }
        if case .found = parts[0] { #expect(isFound) } else { #expect(!isFound && parts[0] == .notFound) }
    }

    @Test(
        arguments: TestFiles.cases(
            own: [
                ("etl_search.json", ["OL99000101W 1997 3", "OL99000104W - 0"])
            ],
            shared: [
                ("bookwyrm_ol_search.json", ["OL20639540W 2019 1", "OL19859295W - 0"]),
                (
                    "neodb_search_json_title_Fantastic_Mr_Fox_author_Roald_Dahl_limit_3_fields_key_title_editions_editions_key_editions_title.json",
                    ["OL45804W - 0"]
                ),
            ]))
    func `a search response has works`(file: String, expected: [String]) throws {
        let works = try #require(OpenLibraryDoc.works(in: TestFiles.bytes("openlibrary/\(file)")))
        #expect(works.map { "\($0.record) \($0.year.map { "\($0)" } ?? "-") \($0.weight)" } == expected)
    }

    // MARK: Google Books

    @Test(
        arguments: TestFiles.cases(
            own: [
                (
                    "etl_volume",
                    "etlvolume001 | The Salt Lantern | A Novel | Mira Talvik | 1998-03-05 | en | 9789999901017"
                ),
                // It has no language, and the check digit of its ISBN is wrong.
                ("etl_volume_without_language", "etlvolume002 | Kivi ja kuu |  | Mira Talvik | 1981 |  | "),
            ],
            shared: [
                (
                    "neodb_volumes_earthsea_test_id",
                    "earthsea_test_id | Tales from Earthsea |  | Ursula K. Le Guin | 2001 | en | 9780152047641"
                ),
                (
                    "neodb_volumes_hV__zQEACAAJ",
                    "hV--zQEACAAJ | 1984 Nineteen Eighty-Four |  | George Orwell | 2021-01-07 | en | 9781847498571"
                ),
                (
                    "neodb_volumes_hV__zQEACAAJ_key_8964",
                    "hV--zQEACAAJ | 1984 Nineteen Eighty-Four | New Annotated Edition from the Author of Animal Farm | "
                        + "George. Orwell | 2021-01-07 | en | 9781847498571"
                ),
                (
                    "neodb_volumes_hobbit_test_id",
                    "hobbit_test_id | The Hobbit |  | J.R.R. Tolkien | 2012-09-18 | en | 9780547928227"
                ),
                // The check digit of its ISBN is wrong.
                (
                    "neodb_volumes_nolang_test_id",
                    "nolang_test_id | A Book Without Language |  | Test Author | 2020 |  | "
                ),
            ]))
    func `a volume has the expected values`(name: String, expected: String) throws {
        let volume = try GoogleVolume(TestFiles.bytes("googlebooks/\(name).json"))
        let fields: [Field] = [
            .googleBooksVolumeID, .title, .subtitle, .authorName, .publicationDate, .language, .isbn13,
        ]
        #expect(Self.words(volume.packed, fields) == expected)
    }

    @Test(
        arguments: TestFiles.cases(
            own: [
                ("etl_nothing", []), ("etl_list", ["etlvolume001 The Salt Lantern"]),
            ],
            shared: [
                ("neodb_volumes_country_us_q_isbn_9780140328721_maxResults_3", []),
                ("neodb_volumes_country_us_q_isbn_9780547928227_maxResults_3", ["hobbit_test_id The Hobbit"]),
                (
                    "neodb_volumes_country_us_q_intitle_Tales_from_Earthsea_inauthor_Ursula_K__Le_Guin_maxResults_3",
                    ["earthsea_test_id Tales from Earthsea"]
                ),
            ]))
    func `a list of volumes has each of them, and an empty list is not found`(
        name: String, expected: [String]
    ) throws {
        let service = GoogleBooksService(Self.address).under(Self.limits)
        guard
            case .answers(let parts) = try service.read(
                TestFiles.bytes("googlebooks/\(name).json"), .title, ["t\ta"])
        else {
            Issue.record("it was not read")
            return
        }
        guard case .found(let items, _) = parts[0] else {
            #expect(parts[0] == .notFound && expected.isEmpty)
            return
        }
        #expect(
            GoogleVolume.volumes(in: items).map { "\($0.offered.record) \($0.offered.title)" } == expected)
    }

    // MARK: ISBNdb

    @Test(
        arguments: TestFiles.cases(
            own: [
                ("etl_author", 1, "9789999901017 | The Salt Lantern | Mira Talvik"),
                ("etl_books", 3, "9789999901017 | The Salt Lantern | Mira Talvik"),
                ("etl_search_books", 2, "9789999901024 | Glass Orchards | Yusuf Demirkan"),
            ],
            shared: [
                ("isbndb-ruby_author", 20, "9780385251617 | Dream Train | Charlotte Vale Allen"),
                ("isbndb-ruby_books", 20, "9780727886743 | Dead Weight | Frank Smith"),
                ("isbndb-ruby_publisher", 20, "9780727845580 | The Good Friday Murder | Syrell Leahy"),
                ("isbndb-ruby_search_books", 20, "9780971830004 | Sweet Charlotte | Charlotte Wolfe"),
                ("isbndb-ruby_subject", 0, ""),
            ]))
    func `each book of a list is read, whatever kind of list it is`(name: String, count: Int, first: String)
        throws
    {
        let members = try JSONSlices.members(of: TestFiles.bytes("isbndb/\(name).json"))
        let books = try JSONSlices.elements(of: try #require(members["books"] ?? members["data"]))
        #expect(books.count == count)
        let read = try books.map { Self.words(try ISBNdbBook($0).packed, [.isbn13, .title, .authorName]) }
        #expect(read.first ?? "" == first)
    }

    @Test(
        arguments: TestFiles.cases(
            own: [
                "etl_authors", "etl_stats", "etl_book",
            ],
            shared: [
                "isbndb-ruby_authors", "isbndb-ruby_publishers", "isbndb-ruby_search_authors",
                "isbndb-ruby_search_publishers", "isbndb-ruby_search_subjects", "isbndb-ruby_stats",
                "isbndb-ruby_subjects",
                "isbndb-ruby_book",
            ]))
    func `lists of names and statistics do not answer ISBNs`(name: String) throws {
        let service = ISBNdbService(Self.address).under(Self.limits)
        let bytes = try TestFiles.bytes("isbndb/\(name).json")
        #expect(service.read(bytes, .isbn, ["9780792712305"]) == .malformed)
    }

    // MARK: Wikidata

    private static func person(_ facts: PersonFacts) -> String {
        let years = [facts.birthYear, facts.deathYear].map { $0.map { "\($0)" } ?? "" }.joined(separator: "–")
        return "\(facts.itemID) \(facts.label) \(facts.kind) \(years)"
            + (facts.openLibraryKeys.isEmpty ? "" : " \(facts.openLibraryKeys.joined(separator: "+"))")
    }

    @Test(
        arguments: TestFiles.cases(
            own: [
                ("etl_EntityData_Q990000101", "Q990000101 Mira Talvik human 1951–2020 OL99000101A"),
                ("etl_EntityData_Q990000102", "Q990000102 Tidewater other –"),
                ("etl_rest_Q990000101", "Q990000101 Mira Talvik human 1951–2020 OL99000101A"),
                (
                    "etl_wbgetentities",
                    "Q990000101 Mira Talvik human 1951–2020 OL99000101A; Q990000103  other –"
                ),
                ("etl_sparql", ""),
            ],
            shared: [
                ("EntityData_Q1", "Q1 universe other –"),
                ("EntityData_Q106975887", "Q106975887 Marinette Yetna human 1965–2021"),
                ("EntityData_Q31928", "Q31928 fuck other –"),
                ("EntityData_Q42", "Q42 Douglas Adams human 1952–2001 OL272947A"),
                ("EntityData_Q45", "Q45 Portugal other –"), ("EntityData_Q513", "Q513 Mount Everest other –"),
                ("inventaire_Q535.customized", "Q535 Victor Hugo human –"),
                ("rest_v1_item_Q184843", "Q184843 Blade Runner other –"),
                ("rest_v1_item_Q2082426", "Q2082426 The Runaway Bride other –"),
                ("rest_v1_item_Q25188", "Q25188 Inception other –"),
                ("rest_v1_item_Q279446", "Q279446 Portal 2 other –"),
                ("rest_v1_item_Q3182559", "Q3182559 Cyberpunk 2077 other –"),
                ("rest_v1_item_Q41567", "Q41567 Hamlet other –"),
                ("rest_v1_item_Q42", "Q42 Douglas Adams human 1952–2001 OL272947A"),
                ("rest_v1_item_Q83495", "Q83495 The Matrix other –"),
                ("wikibase-sdk_Q2112", "Q2112 Bielefeld other –"),
                ("wikibase-sdk_Q217447", "Q217447 Verla other –"),
                ("wikibase-sdk_Q328212", "Q328212 Veronica Roth human 1988– OL6895646A"),
                ("wikibase-sdk_Q4132785", "Q4132785 Bring the Jubilee other –"),
                ("wikibase-sdk_Q571", "Q571 book other –"),
                ("wikibase-sdk_Q646148", "Q646148 Henning Christophersen human 1939–2016"),
                ("wikibase-sdk_empty_values", "Q4115189  other –"),
                ("wikibase-sdk_wbgetentities_response", "Q3235026  other –"),
                ("wikibase-sdk_multi_vars_sparql_results", ""),
                ("wikibase-sdk_single_var_sparql_results", ""),
                ("wikibase-sdk_results_with_labels_descriptions_and_aliases", ""),
                ("wikibase-sdk_sparql_results_with_optional_values", ""),
                ("wikibase-sdk_sparql_results_with_statements", ""),
            ]))
    func `an item is a person or not, and a SPARQL table is neither`(
        name: String, expected: String
    ) throws {
        let people = try TestFiles.bytes("wikidata/\(name).json").lend { bytes throws(JSONReadError) in
            try WikidataEntity.people(bytes)
        }
        #expect(people.map(Self.person).joined(separator: "; ") == expected)
    }
}
