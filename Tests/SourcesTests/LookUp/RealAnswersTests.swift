import System
import TestSupport
import Testing

@testable import Books
@testable import Bytes
@testable import Services
@testable import Sources
@testable import Syntax

/// Responses as the services send them: each is read without a failure, and the values of the typical ones
/// are checked.
@Suite struct RealAnswersTests {
    private let address = ServiceEndpoint("https://example.org")
    private let limits = ServiceLimits(rate: .init(perSecond: 1))

    private func values(_ packed: PackedRecordWriter) -> [Field: [String]] {
        var all: [Field: [String]] = [:]
        packed.bytes.withUnsafeBytes { bytes in
            _ = PackedRecord.forEachValue(bytes) { field, _, range in
                all[field, default: []].append(String(decoding: bytes[range], as: UTF8.self))
            }
        }
        return all
    }

    private func part(
        _ service: some Service, _ file: String, _ kind: ServiceKey.Kind, _ text: String
    ) throws -> ResponsePart? {
        guard case .answers(let parts) = try service.read(TestFiles.bytes(file), kind, [text]) else {
            return nil
        }
        return parts.first
    }

    private func body(_ part: ResponsePart?) -> [UInt8]? {
        if case .found(let body, _) = part { body } else { nil }
    }

    // MARK: Open Library

    private func edition(_ json: [UInt8]) -> OpenLibraryRecord? {
        var records = OpenLibraryRecords(latestYear: 2030)
        return records.edition(json)
    }

    private func work(_ json: [UInt8]) -> OpenLibraryRecord? {
        var records = OpenLibraryRecords(latestYear: 2030)
        return records.work(json)
    }

    private func author(_ json: [UInt8]) -> OpenLibraryRecord? {
        var records = OpenLibraryRecords(latestYear: 2030)
        return records.author(json)
    }

    /// An edition in a response to an ISBN.
    struct EditionCase: Sendable {
        var file, isbn, work, title, publisher: String
    }

    @Test(
        arguments: TestFiles.cases(
            own: [
                EditionCase(
                    file: "etl_isbn.json", isbn: "9789999901017", work: "OL99000101W",
                    title: "The Salt Lantern", publisher: "Gull & Anchor")
            ],
            shared: [
                EditionCase(
                    file: "neodb_api_books_bibkeys_ISBN_9780980200447_jscmd_data_format_json.json",
                    isbn: "9780980200447", work: "OL8694710W", title: "Slow reading",
                    publisher: "Litwin Books")
            ]))
    func `a response to many ISBNs is split, and each edition's ISBN is checked`(_ sample: EditionCase) throws
    {
        let service = OpenLibraryService(address, isIdentified: true).under(limits)
        let file = "openlibrary/\(sample.file)"
        let found = try #require(body(part(service, file, .isbn, sample.isbn)))
        let edition = try #require(self.edition(found))
        #expect(edition.work == sample.work)
        var packed = PackedRecordWriter()
        packed.append(all: edition.body)
        let read = values(packed)
        #expect(read[.editionTitle] == [sample.title])
        #expect(read[.isbn13] == [sample.isbn])
        #expect(read[.publisher] == [sample.publisher])
        #expect(try part(service, file, .isbn, "9780140328721") == .notFound)
        let asked = ["9780140328721", sample.isbn]
        guard case .answers(let parts) = try service.read(TestFiles.bytes(file), .isbn, asked) else {
            Issue.record("it was not read")
            return
        }
        #expect(parts.map { body($0) != nil } == [false, true])
    }

    /// A work or an author, and the values of its record.
    struct RecordCase: Sendable {
        var file, key: String
        /// The title or the name.
        var text: String
        var authors: [String] = []
    }

    @Test(
        arguments: TestFiles.cases(
            own: [
                RecordCase(
                    file: "etl_work.json", key: "OL99000101W", text: "The Salt Lantern",
                    authors: ["OL99000101A", "OL99000102A"])
            ],
            shared: [
                RecordCase(
                    file: "neodb_works_OL45804W_json.json", key: "OL45804W", text: "Fantastic Mr Fox",
                    authors: ["OL34184A"])
            ]))
    func `a work is accepted only for its own key`(_ sample: RecordCase) throws {
        let service = OpenLibraryService(address, isIdentified: true).under(limits)
        let file = "openlibrary/\(sample.file)"
        let work = try #require(body(part(service, file, .work, sample.key)))
        let read = try #require(self.work(work))
        #expect(read.authors == sample.authors)
        var packed = PackedRecordWriter()
        packed.append(all: read.body)
        #expect(values(packed)[.title] == [sample.text])
        #expect(try part(service, file, .work, "OL1W") == .mismatch)
    }

    @Test(
        arguments: TestFiles.cases(
            own: [RecordCase(file: "etl_author.json", key: "OL99000101A", text: "Mira Talvik")],
            shared: [
                RecordCase(file: "neodb_authors_OL34184A_json.json", key: "OL34184A", text: "Roald Dahl")
            ]))
    func `an author is accepted only for their own key`(_ sample: RecordCase) throws {
        let service = OpenLibraryService(address, isIdentified: true).under(limits)
        let file = "openlibrary/\(sample.file)"
        let author = try #require(body(part(service, file, .author, sample.key)))
        var packed = PackedRecordWriter()
        packed.append(all: try #require(self.author(author)).body)
        #expect(values(packed)[.authorName] == [sample.text])
        #expect(try part(service, file, .author, "OL1A") == .mismatch)
    }

    @Test(
        arguments: TestFiles.cases(
            own: ["etl_edition.json"],
            shared: [
                "bookwyrm_ol_edition.json", "bookwyrm_ol_edition_markdown.json",
                "neodb_books_OL7353617M_json.json", "neodb_isbn_9780140328721_json.json",
            ]))
    func `single editions are read`(_ file: String) throws {
        let edition = try #require(self.edition(TestFiles.bytes("openlibrary/\(file)")))
        var packed = PackedRecordWriter()
        packed.append(all: edition.body)
        #expect(values(packed)[.editionTitle]?.isEmpty == false)
    }

    @Test(
        arguments: TestFiles.cases(
            own: [("etl_search.json", "The Salt Lantern", "Mira Talvik", "OL99000101W")],
            shared: [
                (
                    "bookwyrm_ol_search.json", "This Is How You Lose the Time War", "Amal El-Mohtar",
                    "OL20639540W"
                )
            ]))
    func `a work is found in a search response`(
        file: String, title: String, author: String, expected: String
    ) throws {
        let service = OpenLibraryService(address, isIdentified: true).under(limits)
        let asked = "\(title.lowercased())\t\(author.lowercased())"
        let found = try body(part(service, "openlibrary/\(file)", .title, asked))
        let works = OpenLibraryDoc.works(in: found ?? []) ?? []
        let wanted = MatchQuery(title: title, author: author)
        guard case .match(let number) = Matcher(wanted).decide(among: works).verdict else {
            Issue.record("it was not found among \(works)")
            return
        }
        #expect(works[number].record == expected)
    }

    @Test(
        arguments: TestFiles.cases(
            own: ["etl_not_found.json"], shared: ["neodb_works_INVALID_ID_editions_json.json"]))
    func `an error page is not an answer`(file: String) throws {
        let service = OpenLibraryService(address, isIdentified: true).under(limits)
        #expect(try part(service, "openlibrary/\(file)", .title, "the salt lantern\tmira talvik") == nil)
    }

    // MARK: Google Books

    /// A volume in a list, with the ISBN of its question.
    struct VolumeCase: Sendable {
        var file, isbn, id, title, author, isbn10: String
    }

    @Test(
        arguments: TestFiles.cases(
            own: [
                VolumeCase(
                    file: "etl_list.json", isbn: "9789999901017", id: "etlvolume001",
                    title: "The Salt Lantern", author: "Mira Talvik", isbn10: "9999901018")
            ],
            shared: [
                // The check digit of the ISBN-10 in this response is wrong.
                VolumeCase(
                    file: "neodb_volumes_country_us_q_isbn_9780547928227_maxResults_3.json",
                    isbn: "9780547928227", id: "hobbit_test_id", title: "The Hobbit",
                    author: "J.R.R. Tolkien", isbn10: "054792822X")
            ]))
    func `a volume is accepted only for its own ISBN`(_ sample: VolumeCase) throws {
        let service = GoogleBooksService(address).under(limits)
        let file = "googlebooks/\(sample.file)"
        let volume = try GoogleVolume(try #require(body(part(service, file, .isbn, sample.isbn))))
        let read = values(volume.packed)
        #expect(read[.googleBooksVolumeID] == [sample.id])
        #expect(read[.title] == [sample.title])
        #expect(read[.authorName] == [sample.author])
        #expect(read[.isbn10] == [sample.isbn10])
        #expect(try part(service, file, .isbn, "9780140328721") == .mismatch)
    }

    @Test(
        arguments: TestFiles.cases(
            own: ["etl_nothing.json"],
            shared: ["neodb_volumes_country_us_q_isbn_9780140328721_maxResults_3.json"]))
    func `an empty list of volumes is not found`(file: String) throws {
        let service = GoogleBooksService(address).under(limits)
        #expect(try part(service, "googlebooks/\(file)", .isbn, "9780140328721") == .notFound)
    }

    @Test(
        arguments: TestFiles.cases(
            own: [("etl_list.json", "The Salt Lantern", "Mira Talvik")],
            shared: [
                (
                    "neodb_volumes_country_us_q_intitle_Tales_from_Earthsea_inauthor_Ursula_K__Le_Guin_maxResults_3.json",
                    "Tales from Earthsea", "Ursula K. Le Guin"
                )
            ]))
    func `a volume is found by title and author`(file: String, title: String, author: String) throws {
        let service = GoogleBooksService(address).under(limits)
        let found = try body(part(service, "googlebooks/\(file)", .title, "\(title)\t\(author)"))
        let volumes = GoogleVolume.volumes(in: found ?? [])
        func verdict(_ author: String) -> Matcher.Verdict {
            Matcher(MatchQuery(title: title, author: author))
                .decide(among: volumes.map(\.offered)).verdict
        }
        #expect(volumes.count == 1)
        #expect(verdict(author) == .match(0))
        #expect(verdict("Somebody Else") == .nothing)
    }

    @Test(
        arguments: TestFiles.cases(
            own: ["etl_volume.json", "etl_volume_without_language.json"],
            shared: [
                "neodb_volumes_earthsea_test_id.json", "neodb_volumes_hV__zQEACAAJ.json",
                "neodb_volumes_hV__zQEACAAJ_key_8964.json", "neodb_volumes_hobbit_test_id.json",
                "neodb_volumes_nolang_test_id.json",
            ]))
    func `single volumes are read`(_ name: String) throws {
        let volume = try GoogleVolume(TestFiles.bytes("googlebooks/\(name)"))
        #expect(!volume.id.isEmpty && !volume.title.isEmpty)
        #expect(!values(volume.packed).isEmpty)
    }

    // MARK: ISBNdb

    @Test(
        arguments: TestFiles.cases(
            own: [
                // The author's name is split at its comma.
                (
                    "etl_books.json", "9789999901017",
                    ["The Salt Lantern", "A Novel (Tidewater)", "Mira Talvik", "Paperback", "1998"]
                ),
                // The year is a number, and there is no subtitle.
                (
                    "etl_books.json", "9789999901024",
                    ["Glass Orchards", "", "Yusuf Demirkan", "Hardcover", "2009"]
                ),
            ],
            shared: [
                (
                    "isbndb-ruby_books.json", "9780727886743",
                    [
                        "Dead Weight", "Severn House Publishers (a Neil Paget Mystery)", "Frank Smith",
                        "Hardcover", "2017",
                    ]
                )
            ]))
    func `ISBNdb's books are distinguished by their ISBNs`(file: String, isbn: String, expected: [String])
        throws
    {
        let service = ISBNdbService(address).under(limits)
        let found = try #require(body(part(service, "isbndb/\(file)", .isbn, isbn)))
        let read = values(try ISBNdbBook(found).packed)
        let fields: [Field] = [.title, .subtitle, .authorName, .format, .publicationDate]
        #expect(fields.map { read[$0]?.joined(separator: "+") ?? "" } == expected)
        // Without a book that was asked for, the response belongs to another question.
        #expect(try part(service, "isbndb/\(file)", .isbn, "9780140328721") == .mismatch)
        let asked = ["9780140328721", isbn]
        guard case .answers(let parts) = try service.read(TestFiles.bytes("isbndb/\(file)"), .isbn, asked)
        else {
            Issue.record("it was not read")
            return
        }
        #expect(parts[0] == .notFound)
        #expect(body(parts[1]) == found)
    }

    @Test(
        arguments: TestFiles.cases(
            own: [("etl_book.json", ["9789999901024", "", "Yusuf Demirkan"])],
            shared: [("isbndb-ruby_book.json", ["9780792712305", "262", "Charlotte Vale Allen"])]))
    func `a single book is read`(file: String, expected: [String]) throws {
        let members = try JSONSlices.members(of: TestFiles.bytes("isbndb/\(file)"))
        let read = values(try ISBNdbBook(try #require(members["book"])).packed)
        let fields: [Field] = [.isbn13, .pageCount, .authorName]
        #expect(fields.map { read[$0]?.joined(separator: "+") ?? "" } == expected)
    }

    // MARK: Wikidata

    @Test(
        arguments: TestFiles.cases(
            own: [("etl_EntityData_Q990000101", 990_000_101)],
            shared: [
                ("EntityData_Q42", 42), ("EntityData_Q31928", 31_928), ("EntityData_Q106975887", 106_975_887),
            ]) as [(String, UInt32)])
    func `items are extracted from a response and read as people`(_ file: String, _ number: UInt32) throws {
        let service = WikidataService(address, isIdentified: true).under(limits)
        let json = try #require(body(part(service, "wikidata/\(file).json", .item, "Q\(number)")))
        let person = try json.lend { bytes throws(JSONReadError) in try WikidataEntity.person(bytes) }
        #expect(person?.item == number)
    }

    @Test(
        arguments: TestFiles.cases(
            own: [("etl_wbgetentities", ["Q990000101", "Q990000103"])],
            shared: [("wikibase-sdk_wbgetentities_response", ["Q3235026", "Q2"])]))
    func `a response of wbgetentities is split into items`(file: String, asked: [String]) throws {
        let service = WikidataService(address, isIdentified: true).under(limits)
        guard
            case .answers(let parts) = try service.read(
                TestFiles.bytes("wikidata/\(file).json"), .item, asked)
        else {
            Issue.record("it was not read")
            return
        }
        #expect(parts.map { body($0) != nil } == [true, false])
    }
}
