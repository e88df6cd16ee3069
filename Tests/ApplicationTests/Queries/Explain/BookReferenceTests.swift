import Testing

@testable import Books
@testable import Queries

@Suite
struct BookReferenceTests {
    private static let dune = ISBN(unchecked: 9_780_441_013_593)

    @Test(arguments: [
        "9780441013593", "978-0-441-01359-3", "0441013597", "0-441-01359-7", " ISBN 9780441013593 ",
    ])
    func `an ISBN in any notation is an ISBN`(text: String) {
        #expect(BookReference(text) == .isbn(Self.dune, nil))
    }

    @Test func `a repairable ISBN is repaired and marked`() {
        #expect(BookReference("441013597") == .isbn(Self.dune, .lostLeadingZeros))
    }

    @Test func `an exporter's id is written with a prefix`() {
        #expect(BookReference("id:5907") == .sourceID("5907"))
    }

    @Test func `an impossible ISBN has its reason`() {
        guard case .impossibleISBN(let text, let fault) = BookReference("978-0-441-01359-4") else {
            Issue.record("read as something else")
            return
        }
        #expect(text == "978-0-441-01359-4")
        #expect(fault.reason == .checkDigitOfThirteen)
    }

    @Test(
        arguments: [("row:14", 14, nil), ("ROW:14", 14, nil), ("row:2:14", 14, 2)] as [(String, Int, Int?)])
    func `a row may name its file`(text: String, row: Int, file: Int?) {
        #expect(BookReference(text) == .row(row, file: file))
    }

    @Test(arguments: [
        "isbn:9780441013593", "ol:OL893415W", "OL893415W", "title:dune|frank herbert|en",
        "name:frank herbert",
        "row:", "row:0", "row:x", "row:1:2:3", "", "Dune", "1984", "row:99999999999999999999",
    ])
    func `anything else is a key`(text: String) {
        #expect(BookReference(text) == .key(text))
    }

    @Test(arguments: ["row:", "row:0", "Row:x", "row:1:2:3", "row:99999999999999999999"])
    func `a malformed row gets advice`(text: String) {
        #expect(BookReference.adviceOnRows(text)?.contains("row:FILE:N") == true)
    }

    @Test(arguments: ["row:14", "row:2:14", "rows", "Dune"])
    func `other text gets no advice about rows`(text: String) {
        #expect(BookReference.adviceOnRows(text) == nil)
    }
}
