import TestSupport
import Testing

@testable import Books

@Suite struct ISBNRangeTableTests {
    let table = ISBNRangeTable.builtIn

    @Test(arguments: [
        "978-0-439-02348-1", "978-0-00-744291-1", "978-1-4028-9462-6", "978-3-16-148410-0",
        "978-2-07-036002-4", "978-7-301-10299-2", "978-80-85892-15-4", "978-99921-58-10-4",
        "978-85-359-0277-8", "979-10-90636-07-1", "979-8-6024-0545-3", "978-65-5560-012-4",
    ])
    func `known numbers are hyphenated`(hyphenated: String) throws {
        guard case .valid(let isbn) = ISBNReader.read(hyphenated) else {
            Issue.record("not valid")
            return
        }
        #expect(table.hyphenated(isbn) == hyphenated)
    }

    @Test func `an ISBN-10 has the hyphens of its ISBN-13 and its own check digit`() throws {
        #expect(table.hyphenatedTen(try #require(ISBN("043970815X"))) == "0-439-70815-X")
        #expect(table.hyphenatedTen(try #require(ISBN("9791090636071"))) == nil)
    }

    @Test func `an unassigned group has no hyphens`() throws {
        let twelve: Int64 = 979_212_345_678
        let isbn = try #require(ISBN(number: twelve * 10 + Int64(ISBNCheckDigit.ofThirteen(twelve))))
        #expect(table.hyphenated(isbn) == nil)
    }

    @Test func `the built-in table is complete`() {
        #expect(table.count > 280)
        var random = SeededGenerator(seed: 11)
        var known = 0
        for _ in 0..<3_000 {
            let isbn = ISBN.random(using: &random)
            guard let parts = table.parts(of: isbn) else { continue }
            known += 1
            #expect(parts.count == 5)
            #expect(parts.allSatisfy { !$0.isEmpty })
            #expect(parts.joined() == isbn.isbn13)
        }
        #expect(known > 1_000)
    }

    @Test func `malformed lines are ignored`() {
        let table = ISBNRangeTable(
            compact: Array("# x\n978\t0:1 9\nnonsense\n978-0\t0:2 2:99 :\nx\t0:1\n\t\n".utf8))
        #expect(table.count == 2)
    }
}
