import Books
import System
import Testing

@testable import Services
@testable import Sources

@Suite struct ISBNdbServiceTests {
    private static let (one, other, stray) = ("9780306406157", "9780441013593", "9780140328721")

    private static func read(_ books: [String], asking isbns: [String]) -> ParsedResponse {
        let service = ISBNdbService(ServiceEndpoint("http://isbndb.test", key: "k"))
        let list = books.map { #"{"title":"T","isbn13":"\#($0)"}"# }.joined(separator: ",")
        return service.read(Array(#"{"data":[\#(list)]}"#.utf8), .isbn, isbns)
    }

    private static func words(_ reading: ParsedResponse) -> [String] {
        guard case .answers(let parts) = reading else { return ["\(reading)"] }
        return parts.map { part in
            switch part {
            case .found(let body, _): String(decoding: body, as: UTF8.self).contains(one) ? "one" : "another"
            case .notFound: "not found"
            case .mismatch: "wrong"
            }
        }
    }

    @Test func `an unrelated book in the response does not make missing ones a mismatch`() {
        #expect(
            Self.words(Self.read([Self.stray, Self.one], asking: [Self.one, Self.other])) == [
                "one", "not found",
            ])
    }

    @Test func `a response with none of the requested books is a mismatch`() {
        #expect(Self.words(Self.read([Self.stray], asking: [Self.one])) == ["wrong"])
        #expect(Self.words(Self.read([Self.stray], asking: [Self.one, Self.other])) == ["wrong", "wrong"])
    }

    @Test func `an empty response means not found`() {
        #expect(Self.words(Self.read([], asking: [Self.one, Self.other])) == ["not found", "not found"])
    }
}
