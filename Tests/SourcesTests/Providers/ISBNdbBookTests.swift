import Testing

@testable import Books
@testable import Sources

@Suite struct ISBNdbBookTests {
    @Test(arguments: [
        ("Emma", "Emma", ""), ("Emma: A Novel: Large Print", "Emma", "A Novel: Large Print"),
        ("Ratio 2:1", "Ratio 2:1", ""), (": Emma: A Novel", "Emma", "A Novel"), ("Emma:", "Emma:", ""),
        (String(repeating: ": ", count: 16_000) + "x", "x", ""),
    ])
    func `a title is cut where its subtitle begins`(title: String, main: String, sub: String) throws {
        let book = try ISBNdbBook(Array(#"{"title":"\#(title)","isbn13":"9780306406157"}"#.utf8))
        var found: [Field: String] = [:]
        book.packed.bytes.withUnsafeBytes { bytes in
            _ = PackedRecord.forEachValue(bytes) { field, _, range in
                found[field] = String(decoding: bytes[range], as: UTF8.self)
            }
        }
        #expect(found[.title] == main)
        #expect(found[.subtitle] ?? "" == sub)
    }
}

@Suite struct OpenLibraryDocTests {
    @Test(
        arguments: [
            ("1965", 1965), ("-750", -750), ("-2147483648", nil), ("2147483647", nil),
            ("99999999999999999999", nil),
            ("\"1965\"", 1965), ("null", nil),
        ] as [(String, Int32?)])
    func `an implausible year is ignored`(json: String, year: Int32?) throws {
        let body = #"{"docs":[{"key":"/works/OL1W","title":"T","first_publish_year":\#(json)}]}"#
        let works = OpenLibraryDoc.works(in: Array(body.utf8))
        #expect(works?.map(\.record) == ["OL1W"], "the work is kept")
        #expect(works?.map(\.year) == [year])
    }

    @Test(
        arguments: [
            ("7", 7), ("2147483647", 2_147_483_647), ("2147483648", 0), ("9223372036854775807", 0),
            ("-9223372036854775808", 0), ("-1", 0), ("null", 0),
        ] as [(String, Int64)])
    func `an implausible number of editions is ignored`(json: String, weight: Int64) throws {
        let body = #"{"docs":[{"key":"/works/OL1W","title":"T","edition_count":\#(json)}]}"#
        #expect(OpenLibraryDoc.works(in: Array(body.utf8))?.map(\.weight) == [weight])
    }
}
