import Testing

@testable import Server

@Suite struct MultipartParserTests {
    private static let type = "multipart/form-data; boundary=XX"

    /// The parts with their contents, from a body in pieces of a size.
    private static func parts(
        _ body: String, type: String = type, pieces: Int
    ) throws -> [(part: MultipartParser.Part, content: String)] {
        var parser = try MultipartParser(contentType: type)
        var parts: [(part: MultipartParser.Part, content: [UInt8])] = []
        let bytes = Array(body.replacing("\n", with: "\r\n").utf8)
        var isOpen = false
        for start in stride(from: 0, to: bytes.count, by: pieces) {
            for event in try parser.take(Array(bytes[start..<min(start + pieces, bytes.count)])) {
                switch event {
                case .begin(let part):
                    #expect(!isOpen)
                    isOpen = true
                    parts.append((part, []))
                case .bytes(let content): parts[parts.count - 1].content += content
                case .end: isOpen = false
                }
            }
        }
        try parser.finish()
        return parts.map { ($0.part, String(decoding: $0.content, as: UTF8.self)) }
    }

    private static let form = """
        preamble
        --XX
        Content-Disposition: form-data; name="library"

        anna
        --XX
        content-type: text/csv
        Content-Disposition: form-data; name="file"; filename="a \\"b\\".csv"

        Title,Author
        --X Dune, --XY Herbert

        --XX
        Content-Disposition: form-data; name=empty


        --XX--
        epilogue
        """

    @Test(arguments: [1, 2, 3, 7, 64, 10_000])
    func `the parts are the same, however the body is cut`(pieces: Int) throws {
        let parts = try Self.parts(Self.form, pieces: pieces)
        #expect(parts.map(\.part.name) == ["library", "file", "empty"])
        #expect(parts.map(\.part.fileName) == [nil, #"a "b".csv"#, nil])
        #expect(parts[0].content == "anna")
        #expect(parts[1].content == "Title,Author\r\n--X Dune, --XY Herbert\r\n")
        #expect(parts[2].content.isEmpty)
    }

    @Test func `content may hold anything but the delimiter`() throws {
        // Every beginning of the delimiter, followed by something else.
        let contents = ["\n", "\n-", "\n--", "\n--X", "\n\n--X", "--XX", "\n-\n--X\n", "\n--X\n--X"]
        for content in contents {
            let body = "--XX\nContent-Disposition: form-data; name=a\n\n\(content)\n--XX--"
            for pieces in 1...4 {
                let parts = try Self.parts(body, pieces: pieces)
                #expect(parts.map(\.content) == [content.replacing("\n", with: "\r\n")])
            }
        }
    }

    @Test(arguments: [
        ("", MultipartParser.Failure.incomplete),
        ("--XX\nContent-Disposition: form-data; name=a\n\nabc", .incomplete),
        ("--XX\nContent-Disposition: form-data; name=a\n\nabc\n--XX", .incomplete),
        ("--XX\nContent-Disposition: form-data\n\nabc\n--XX--", .noName),
        ("--XX\nContent-Type: text/plain\n\nabc\n--XX--", .noName),
        ("--XXY\n", .malformed),
    ])
    func `a form that is not whole is refused`(body: String, failure: MultipartParser.Failure) {
        #expect(throws: failure) { try Self.parts(body, pieces: 5) }
    }

    @Test func `heads and numbers of parts have bounds`() {
        let long = "--XX\nX: \(String(repeating: "x", count: 5_000))\n\n"
        #expect(throws: MultipartParser.Failure.headTooLong) { try Self.parts(long, pieces: 100) }
        let part = "--XX\nContent-Disposition: form-data; name=a\n\n\n"
        let many = String(repeating: part, count: 65) + "--XX--"
        #expect(throws: MultipartParser.Failure.tooManyParts) { try Self.parts(many, pieces: 100) }
    }

    @Test(arguments: [
        "multipart/form-data", "multipart/form-data; boundary=", "multipart/form-data; boundary=\"\"",
        "multipart/form-data; boundary=" + String(repeating: "x", count: 71),
    ])
    func `a content type without a usable boundary is refused`(type: String) {
        #expect(throws: MultipartParser.Failure.noBoundary) { try MultipartParser(contentType: type) }
    }

    @Test func `a boundary may be quoted`() throws {
        let parts = try Self.parts(
            "--a b\nContent-Disposition: form-data; name=x\n\n1\n--a b--",
            type: #"multipart/form-data; charset=utf-8; boundary="a b""#,
            pieces: 3)
        #expect(parts.map(\.content) == ["1"])
        #expect(MultipartParser.isForm("Multipart/Form-Data; boundary=x"))
        #expect(!MultipartParser.isForm("application/json"))
    }
}
