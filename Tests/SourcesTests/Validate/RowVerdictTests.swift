import TestSupport
import Testing

@testable import Books
@testable import Sources

@Suite struct RowVerdictTests {
    static func verdict(ten: String, thirteen: String) -> RowVerdict {
        RowVerdict(ten: reading(ten), thirteen: reading(thirteen))
    }

    static func reading(_ text: String) -> ISBNReading {
        Array(text.utf8).withUnsafeBytes(ISBNReader.reading)
    }

    let hunger = ISBN("9780439023481")
    let other = ISBN("9780826497529")

    @Test(arguments: [
        ("0439023483", "9780439023481"), ("9780439023481", "0439023483"), ("", "9780439023481"),
        ("0439023483", ""), ("9780439023481", ""), ("", "0439023483"), ("439023483", "9780439023481"),
        ("0439023483", "9780439023481.0"),
    ])
    func `cells that agree, alone, swapped or repaired, give no finding`(ten: String, thirteen: String) {
        let verdict = Self.verdict(ten: ten, thirteen: thirteen)
        #expect(verdict.isbn == RowISBN(isbn: hunger))
        #expect(verdict.findings.isEmpty)
    }

    @Test func `empty cells give no finding`() {
        #expect(Self.verdict(ten: "", thirteen: "=\"\"").isbn == RowISBN())
        #expect(Self.verdict(ten: "", thirteen: "=\"\"").findings.isEmpty)
    }

    @Test func `of the numbers of two books the ISBN-13 is kept, whichever column it is in`() throws {
        let other = try #require(other)
        let straight = Self.verdict(ten: "0826497527", thirteen: "9780439023481")
        #expect(straight.isbn == RowISBN(isbn: hunger, other: other))
        #expect(straight.findings == [.conflict(.ten, other, kept: hunger)])
        let swapped = Self.verdict(ten: "9780439023481", thirteen: "0826497527")
        #expect(swapped.isbn == RowISBN(isbn: hunger, other: other))
        #expect(swapped.findings == [.conflict(.thirteen, other, kept: hunger)])
    }

    @Test func `an impossible cell next to a valid one is reported and changes nothing`() {
        let one = Self.verdict(ten: "0826497520", thirteen: "9780439023481")
        #expect(one.isbn == RowISBN(isbn: hunger))
        #expect(one.findings == [.impossible(.ten, ISBNFault(.checkDigitOfTen))])
        let two = Self.verdict(ten: "0439023483", thirteen: "2940012345678")
        #expect(two.isbn == RowISBN(isbn: hunger))
        #expect(two.findings == [.impossible(.thirteen, ISBNFault(.notABook))])
    }

    @Test func `a repaired cell never overrides a valid one`() throws {
        let verdict = Self.verdict(ten: "439023483", thirteen: "9780826497529")
        #expect(verdict.isbn == RowISBN(isbn: other))
        #expect(verdict.findings == [.conflict(.ten, try #require(hunger), kept: other)])
    }

    @Test func `a cut ISBN-13 that happens to be a valid ISBN-10 is not a second book`()
        throws
    {
        var random = SeededGenerator(seed: 8)
        var lucky = 0
        for _ in 0..<2_000 {
            let isbn = ISBN.random(using: &random)
            let cut = String(isbn.isbn13.prefix(10))
            let verdict = Self.verdict(ten: cut, thirteen: isbn.isbn13)
            #expect(verdict.isbn == RowISBN(isbn: isbn))
            #expect(verdict.findings.count == 1)
            if case .valid = ISBNReader.read(cut) { lucky += 1 }
            if case .impossible(.ten, let fault) = verdict.findings[0] {
                #expect(fault.reason == .cutShort)
            } else {
                Issue.record("\(isbn)")
            }
        }
        #expect(lucky > 50)
    }

    @Test func `two damaged cells are repaired if one number fits both`() throws {
        let hunger = try #require(hunger)
        // A float that lost its last digit, and an ISBN-10 that lost its zero.
        let float = Self.verdict(ten: "439023483", thirteen: "9.78043902348e+12")
        #expect(float.isbn == RowISBN(isbn: hunger, repair: .lostLeadingZeros))
        // The short cell alone has two readings.
        let short = try #require(ISBN("0061122416"))
        let settled = Self.verdict(ten: "61122416", thirteen: "9.78006112242e+12")
        #expect(settled.isbn == RowISBN(isbn: short, repair: .otherCell))
        #expect(settled.findings.count == 2)
        // An ISBN-13 and an ISBN-10 that both lost their check digits.
        let bodies = Self.verdict(ten: "359821507", thirteen: "978359821507")
        #expect(bodies.isbn == RowISBN(isbn: ISBN("359821507X"), repair: .otherCell))
        // An ISBN-13 cut to ten characters and one in scientific notation are not enough.
        #expect(Self.verdict(ten: "9780439023", thirteen: "9.780439E+12").isbn == RowISBN())
    }

    @Test func `two damaged cells that contradict each other are both dropped`() throws {
        let verdict = Self.verdict(ten: "439023483", thirteen: "9.78055381395e+12")
        #expect(verdict.isbn == RowISBN())
        #expect(verdict.findings.count == 2)
        #expect(verdict.findings.contains(.conflict(.ten, try #require(hunger), kept: nil)))
    }

    @Test func `a number with all its digits overrides one with guessed zeros`() throws {
        let hunger = try #require(hunger)
        let verdict = Self.verdict(ten: "439023483", thirteen: "9780826497529.0")
        #expect(verdict.isbn == RowISBN(isbn: other, repair: .floatTail))
        #expect(verdict.findings.contains(.conflict(.ten, hunger, kept: other)))
        let swapped = Self.verdict(ten: "9780826497529.0", thirteen: "439023483")
        #expect(swapped.isbn == RowISBN(isbn: other, repair: .floatTail))
    }

    @Test func `a repair is kept next to a cell without a number`() throws {
        let verdict = Self.verdict(ten: "439023483", thirteen: "none")
        #expect(verdict.isbn == RowISBN(isbn: hunger, repair: .lostLeadingZeros))
        #expect(
            verdict.findings == [
                .impossible(.thirteen, ISBNFault(.notANumber)),
                .repaired(.ten, try #require(hunger), .lostLeadingZeros),
            ])
    }

    @Test func `damage never produces a number that neither cell can have had`() {
        var random = SeededGenerator(seed: 21)
        let damages: [@Sendable (String) -> String] = [
            { $0 }, { String($0.dropFirst()) }, { String($0.dropLast()) },
            { "9.\($0.dropFirst().prefix(10))E+12" },
            { "\($0).0" }, { String($0.prefix(10)) }, { _ in "" }, { _ in "n/a" },
        ]
        for _ in 0..<4_000 {
            let isbn = ISBN.random(using: &random)
            guard let ten = isbn.isbn10 else { continue }
            let left = damages.randomElement(using: &random).map { $0(ten) } ?? ten
            let right = damages.randomElement(using: &random).map { $0(isbn.isbn13) } ?? isbn.isbn13
            let verdict = Self.verdict(ten: left, thirteen: right)
            let alone = [left, right].contains { text in
                if case .valid = ISBNReader.read(text) { return true }
                return false
            }
            if alone
                || Self.reading(left).candidates.allows(isbn) && Self.reading(right).candidates.allows(isbn)
            {
                let answer = verdict.isbn.isbn
                #expect(
                    answer == nil || answer == isbn || Self.isValidByChance(left, right, isbn),
                    "\(left) \(right)")
            }
        }
    }

    /// Whether a cut cell happens to be a valid ISBN.
    private static func isValidByChance(_ left: String, _ right: String, _ isbn: ISBN) -> Bool {
        [left, right].contains { ISBNReader.read($0).isbn.map { $0 != isbn } ?? false }
    }

    @Test(
        arguments: TestFiles.cases(
            own: [("bigbooks/etl_isbns_as_numbers.csv", 38, 0.89)],
            shared: [("bigbooks/goodbooks-10k_books.csv", 9_301, 0.98)]))
    func `books with ISBN-13s stored as floats are restored`(file: String, least: Int, share: Double) throws {
        var settled = 0
        var total = 0
        let lines = String(decoding: try TestFiles.bytes(file), as: UTF8.self).split(
            whereSeparator: \.isNewline)
        for line in lines.dropFirst() {
            // The columns before the first quoted one have no commas.
            let cells = line.split(separator: ",", maxSplits: 7, omittingEmptySubsequences: false)
            guard cells.count == 8, !cells[5].isEmpty || !cells[6].isEmpty else { continue }
            total += 1
            let verdict = Self.verdict(ten: String(cells[5]), thirteen: String(cells[6]))
            guard let isbn = verdict.isbn.isbn else { continue }
            settled += 1
            // A float that contains part of an ISBN must agree with the result, unless the ISBN-10 was valid.
            guard case .within(let range) = Self.reading(String(cells[6])).candidates,
                verdict.isbn.repair != nil
            else { continue }
            #expect(range.contains(isbn.value), "\(line.prefix(60))")
        }
        #expect(total >= least)
        #expect(Double(settled) / Double(total) > share, "\(settled) of \(total)")
    }
}
