import Testing

@testable import Books

/// The quick looks: what they leave to others is right all the same, only slow, so nothing else would notice.
@Suite struct PlainISBNTests {
    private func look(_ thirteen: String, _ ten: String) -> PlainISBN {
        Array(thirteen.utf8).withUnsafeBytes { long in
            Array(ten.utf8).withUnsafeBytes { PlainISBN(thirteen: long, ten: $0) }
        }
    }

    @Test func `the cells of Goodreads are settled together`() throws {
        guard case .valid(let isbn, 13) = look("=\"9780439023481\"", "=\"0439023483\"") else {
            Issue.record("not settled")
            return
        }
        #expect(isbn == ISBN("9780439023481"))
        for empty in ["", "=\"\""] {
            guard case .absent = look(empty, empty) else {
                Issue.record("\(empty) is not nothing")
                continue
            }
        }
    }

    @Test(arguments: [
        ("=\"9780439023481\"", "=\"0826497527\""), ("=\"9780439023481\"", "=\"\""),
        ("=\"\"", "=\"0439023483\""),
        ("x\"9780439023481\"", "=\"0439023483\""), ("=\"9780439023481\"", "=\"04390234830"),
        ("=\"978043902348\"1", "=\"0439023483\""), ("9780439023481", "0439023483"), ("abc", "def"),
        ("=\"", "=\""),
    ])
    func `all else is looked at closely`(thirteen: String, ten: String) {
        guard case .other = look(thirteen, ten) else {
            Issue.record("settled")
            return
        }
    }
}
