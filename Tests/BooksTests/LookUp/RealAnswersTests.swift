import Pipeline
import TestSupport
import Testing

@testable import Books
@testable import Bytes
@testable import Services
@testable import Syntax

/// Responses as the services sent them: each is read without a failure, and the values of the typical ones
/// are checked.
@Suite(.enabled(if: SharedData.isPresent, "needs real files that are not in the repository"))
struct RealAnswersTests {
    private let address = ServiceEndpoint("https://example.org")
    private let terms = ServiceLimits(rate: .init(perSecond: 1))

    private func values(_ packed: PackedRecordWriter) -> [Field: [String]] {
        var all: [Field: [String]] = [:]
        packed.bytes.withUnsafeBytes { bytes in
            _ = PackedRecord.forEachValue(bytes) { field, _, range in
                all[field, default: []].append(String(decoding: bytes[range], as: UTF8.self))
            }
        }
        return all
    }

    private func part(_ service: some Service, _ file: String, _ kind: ServiceKey.Kind, _ text: String)
        -> ResponsePart?
    {
        guard case .answers(let parts) = service.read(SharedData.bytes(file), kind, [text]) else {
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

    @Test func `a response to many ISBNs is split, and each edition's ISBN is checked`() throws {
        let service = OpenLibraryService(address, isIdentified: true).under(terms)
        let file = "openlibrary/neodb_api_books_bibkeys_ISBN_9780980200447_jscmd_data_format_json.json"
        let found = try #require(body(part(service, file, .isbn, "9780980200447")))
        let edition = try #require(self.edition(found))
        #expect(edition.work == "OL8694710W")
        var packed = PackedRecordWriter()
        packed.append(all: edition.body)
        let read = values(packed)
        #expect(read[.editionTitle] == ["Slow reading"])
        #expect(read[.isbn13] == ["9780980200447"])
        #expect(read[.publisher] == ["Litwin Books"])
        #expect(part(service, file, .isbn, "9780140328721") == .notFound)
        let other = "openlibrary/bookwyrm_ol_isbn_search.json"
        #expect(body(part(service, other, .isbn, "9782070427796")) != nil)
    }

    @Test func `works and authors are identified by their keys`() throws {
        let service = OpenLibraryService(address, isIdentified: true).under(terms)
        let work = try #require(
            body(part(service, "openlibrary/neodb_works_OL45804W_json.json", .work, "OL45804W")))
        let read = try #require(self.work(work))
        #expect(read.authors == ["OL34184A"])
        var packed = PackedRecordWriter()
        packed.append(all: read.body)
        #expect(values(packed)[.title] == ["Fantastic Mr Fox"])
        #expect(part(service, "openlibrary/neodb_works_OL45804W_json.json", .work, "OL1W") == .wrong)
        let author = try #require(
            body(part(service, "openlibrary/neodb_authors_OL34184A_json.json", .author, "OL34184A")))
        var person = PackedRecordWriter()
        person.append(all: try #require(self.author(author)).body)
        #expect(values(person)[.authorName] == ["Roald Dahl"])
    }

    @Test(arguments: [
        "bookwyrm_ol_edition.json", "bookwyrm_ol_edition_markdown.json",
        "neodb_books_OL7353617M_json.json", "neodb_isbn_9780140328721_json.json",
    ])
    func `single editions are read`(_ file: String) throws {
        let edition = try #require(self.edition(SharedData.bytes("openlibrary/\(file)")))
        var packed = PackedRecordWriter()
        packed.append(all: edition.body)
        #expect(values(packed)[.editionTitle]?.isEmpty == false)
    }

    @Test func `a search is read, and an error page is not an answer`() {
        let service = OpenLibraryService(address, isIdentified: true).under(terms)
        let asked = "this is how you lose the time war\tamal el mohtar"
        let found = body(part(service, "openlibrary/bookwyrm_ol_search.json", .title, asked))
        let works = OpenLibraryDoc.works(in: found ?? []) ?? []
        let wanted = MatchQuery(title: "This Is How You Lose the Time War", author: "Amal El-Mohtar")
        guard case .match(let number) = Matcher(wanted).decide(among: works).verdict else {
            Issue.record("it was not found among \(works)")
            return
        }
        #expect(works[number].record == "OL20639540W")
        #expect(part(service, "openlibrary/neodb_works_INVALID_ID_editions_json.json", .title, asked) == nil)
    }

    // MARK: Google Books

    @Test func `a volume is accepted only for its own ISBN`() throws {
        let service = GoogleBooksService(address).under(terms)
        let file = "googlebooks/neodb_volumes_country_us_q_isbn_9780547928227_maxResults_3.json"
        let volume = try GoogleVolume(try #require(body(part(service, file, .isbn, "9780547928227"))))
        let read = values(volume.packed)
        #expect(read[.googleBooksVolumeID] == ["hobbit_test_id"])
        #expect(read[.title] == ["The Hobbit"])
        #expect(read[.authorName] == ["J.R.R. Tolkien"])
        #expect(read[.isbn10] == ["054792822X"], "the check digit in the response is wrong")
        #expect(part(service, file, .isbn, "9780140328721") == .wrong)
        let none = "googlebooks/neodb_volumes_country_us_q_isbn_9780140328721_maxResults_3.json"
        #expect(part(service, none, .isbn, "9780140328721") == .notFound)
    }

    @Test func `a volume is found by title and author`() {
        let service = GoogleBooksService(address).under(terms)
        let file =
            "googlebooks/neodb_volumes_country_us_q_intitle_Tales_from_Earthsea_inauthor_Ursula_K__Le_Guin_maxResults_3.json"
        let volumes = GoogleVolume.volumes(in: body(part(service, file, .title, "tales\tle guin")) ?? [])
        func verdict(_ author: String) -> Matcher.Verdict {
            Matcher(MatchQuery(title: "Tales from Earthsea", author: author))
                .decide(among: volumes.map(\.offered)).verdict
        }
        #expect(!volumes.isEmpty)
        if case .match = verdict("Ursula K. Le Guin") {} else { Issue.record("it was not found") }
        #expect(verdict("Somebody Else") == .nothing)
    }

    @Test(arguments: [
        "earthsea_test_id", "hV__zQEACAAJ", "hV__zQEACAAJ_key_8964", "hobbit_test_id", "nolang_test_id",
    ])
    func `single volumes are read`(_ name: String) throws {
        let volume = try GoogleVolume(SharedData.bytes("googlebooks/neodb_volumes_\(name).json"))
        #expect(!volume.id.isEmpty && !volume.title.isEmpty)
        #expect(!values(volume.packed).isEmpty)
    }

    // MARK: ISBNdb

    @Test func `ISBNdb's books are distinguished by their ISBNs`() throws {
        let service = ISBNdbService(address).under(terms)
        let found = try #require(body(part(service, "isbndb/isbndb-ruby_books.json", .isbn, "9780727886743")))
        let read = values(try ISBNdbBook(found).packed)
        #expect(read[.title] == ["Dead Weight"])
        #expect(read[.subtitle] == ["Severn House Publishers (a Neil Paget Mystery)"])
        #expect(read[.authorName] == ["Frank Smith"])
        #expect(read[.format] == ["Hardcover"])
        #expect(read[.publicationDate] == ["2017"])
    }

    @Test func `a single book is read`() throws {
        let members = try JSONSlices.members(of: SharedData.bytes("isbndb/isbndb-ruby_book.json"))
        let read = values(try ISBNdbBook(try #require(members["book"])).packed)
        #expect(read[.isbn13] == ["9780792712305"])
        #expect(read[.pageCount] == ["262"])
        #expect(read[.authorName] == ["Charlotte Vale Allen"])
    }

    // MARK: Wikidata

    @Test(arguments: [("Q42", 42), ("Q31928", 31_928), ("Q106975887", 106_975_887)] as [(String, UInt32)])
    func `items are extracted from a response and read as people`(_ id: String, _ number: UInt32) throws {
        let service = WikidataService(address, isIdentified: true).under(terms)
        let json = try #require(body(part(service, "wikidata/EntityData_\(id).json", .item, id)))
        let person = try json.lend { bytes throws(JSONReadError) in try WikidataEntity.person(bytes) }
        #expect(person?.item == number)
    }

    @Test func `a response of wbgetentities is split into items`() {
        let service = WikidataService(address, isIdentified: true).under(terms)
        guard
            case .answers(let parts) = service.read(
                SharedData.bytes("wikidata/wikibase-sdk_wbgetentities_response.json"), .item,
                ["Q3235026", "Q2"])
        else {
            Issue.record("it was not read")
            return
        }
        #expect(parts.map { body($0) != nil } == [true, false])
    }
}
