import Testing

@testable import Books

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
