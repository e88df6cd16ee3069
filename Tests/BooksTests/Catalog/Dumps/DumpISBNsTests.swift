import Pipeline
import TestSupport
import Testing

@testable import Books
@testable import Services

@Suite struct DumpISBNsTests {
    @Test(arguments: [1, DumpISBNs.limit, DumpISBNs.limit + 1, 500])
    func `of an edition's ISBNs the first ones are taken, and the rest is counted`(count: Int) async throws {
        // Each twice, and the highest first: what is taken is told by where it stands.
        let numbers = (1...count).reversed().flatMap { [DumpFixture.isbn($0), DumpFixture.isbn($0)] }
        let list = numbers.map { "\"\($0)\"" }.joined(separator: ", ")
        let fixture = try await CatalogFixture([
            DumpFixture.edition(1, #""title": "T", "isbn_13": [\#(list)]"#)
        ])
        let taken = min(count, DumpISBNs.limit)
        #expect(fixture.report.isbns == taken)
        #expect(fixture.report.read.wrongISBNs == 0)
        #expect(fixture.report.read.surplusISBNs == (count - taken) * 2)
        #expect(try await fixture.find(DumpFixture.isbn(count)).outcome == .found)
        #expect(try await fixture.find(DumpFixture.isbn(count - taken + 1)).outcome == .found)
        if count > taken {
            #expect(try await fixture.find(DumpFixture.isbn(count - taken)).outcome == .notFound)
        }
    }
}
