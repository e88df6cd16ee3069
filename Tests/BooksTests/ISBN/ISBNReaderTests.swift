import TestSupport
import Testing

@testable import Books

@Suite struct ISBNReaderTests {
    @Test(arguments: [
        "0826497527", "9780826497529", "978-0-8264-9752-9", "0-8264-9752-7", "978 0 8264 9752 9",
        "isbn 0826497527", "ISBN-9780826497529", "ISBN9780826497529", "ISBN-13: 978-0826497529",
        "isbn10 0826497527", "isbn-10: 0-8264-9752-7", "ISBN 13 9780826497529", "ISBN (13) 9780826497529",
        "=\"0826497527\"", "=\"9780826497529\"", "\"\"9780826497529\"\"", "'9780826497529", "[0826497527]",
        "978\u{2010}0\u{2011}8264\u{2012}9752\u{2013}9", "978\u{2014}0\u{2015}8264\u{2212}9752\u{AD}9",
        "978\u{A0}0\u{2009}8264\u{202F}9752\u{3000}9", "\u{FEFF}9780826497529\u{200B}",
        "９７８０８２６４９７５２９", "ＩＳＢＮ　０８２６４９７５２７", " \t9780826497529\r\n", "0826497527 (pbk.)",
        "0826497527. (pbk.)", "978-0-8264-9752-9, (pbk.)", "0826497527 (alk. paper) : $14.00",
        "9780826497529 : $20", "-10: 0826497527",
        "asdadv isbn 978-0-8264-9752-9", "isbn 978-0-8264-9752-9 2nd edition", "(ISBN 0826497527)",
        "0826497527, 9780826497529", "0826497527; 9780826497529", "0826497527\n9780826497529",
        "ISBN-10: 0826497527 ISBN-13: 978-0826497529", "9780826497529,", "9780826497529/B00FOOBAR1",
        // Suffixes, labels and pairs.
        "9780826497529 (set)", "9780826497529 set", "978-0-8264-9752-9 hardcover", "0826497527 pbk",
        "(pbk.) 9780826497529", "Hardcover: 9780826497529", "EAN13: 9780826497529", "EAN 9780826497529",
        "9780826497529 and more", "Vol. 2 9780826497529", "978-0-8264-9752-9 0-8264-9752-7",
        "9780826497529 0826497527", "0826497527 9780826497529", "978 0 8264 9752 9 0 8264 9752 7",
        "0 8264 9752 7", "0826497527, 9780826497529 (set)", "paperback: 9780826497529; 0826497527",
        "0826497527/9780826497529", "٩٧٨٠٨٢٦٤٩٧٥٢٩", "۹۷۸-۰-۸۲۶۴-۹۷۵۲-۹", "९७८०८२६४९७५२९",
    ])
    func `notation is not damage`(text: String) throws {
        let isbn = try #require(ISBN("9780826497529"))
        #expect(ISBNReader.read(text) == .valid(isbn))
    }

    @Test func `a number after the word ISBN may be in a sentence`() throws {
        let isbn = try #require(ISBN("9791090636071"))
        #expect(ISBNReader.read("asd isbn 979-10-90636-07-1 blabla") == .valid(isbn))
        // The first two digits of a number that begins with 10 or 13 are not taken for the kind.
        let ten = try #require(ISBN("1090636071") ?? ISBN(body: 109_063_607))
        #expect(ISBNReader.read("isbn \(ten.isbn10 ?? "")") == .valid(ten))
    }

    /// The number after the label is an ISBN, or becomes one with zeros.
    @Test(arguments: [
        "ISBN 1028965191", "ISBN 1326956523X", "isbn1314437045", "ISBN 100131810200", "urn:isbn:1000467804",
        "isbn 63392835\u{0425}", "isbn 633928356\u{0425}",
    ])
    func `the first digits of a wrong number are not taken for the kind, and its last are not cut off`(
        text: String
    ) {
        guard case .impossible = ISBNReader.read(text) else {
            Issue.record("\(ISBNReader.read(text))")
            return
        }
        #expect(ISBNReader.read("ISBN139780826497529") == ISBN("9780826497529").map { .valid($0) })
    }

    @Test(arguments: ["", "  ", "\"\"", "=\"\"", "[]", "-", "\u{2014}", "\u{A0}", "=\"\"\"\"", "()", "--"])
    func `punctuation without a number is an empty cell`(text: String) {
        #expect(ISBNReader.read(text) == .absent)
    }

    @Test(arguments: [
        ("439023483", "0439023483", ISBNRepair.lostLeadingZeros),
        ("43902348-3", "0439023483", .lostLeadingZeros),
        ("07442912", "0007442912", .lostLeadingZeros),
        ("61120081", "0061120081", .lostLeadingZeros),
        ("43970815X", "043970815X", .lostLeadingZeros),
        ("9780439023481.0", "9780439023481", .floatTail),
        ("9780439023481.00", "9780439023481", .floatTail),
        ("9780439023481,0", "9780439023481", .floatTail),
        ("0439023483.0", "0439023483", .floatTail),
        ("439023483.0", "0439023483", .lostLeadingZeros),
        ("9.780439023481e+12", "9780439023481", .scientificNotation),
        ("9,780439023481E+12", "9780439023481", .scientificNotation),
        ("9.780439023481E12", "9780439023481", .scientificNotation),
        ("4.39023483E+8", "0439023483", .lostLeadingZeros),
        ("9780439023481 51499", "9780439023481", .addOn),
        ("978043902348151499", "9780439023481", .addOn),
        ("isbn 439023483", "0439023483", .lostLeadingZeros),
        ("9780439023481.0 (pbk.)", "9780439023481", .floatTail),
        ("9.780439023481E+12 : $20", "9780439023481", .scientificNotation),
    ])
    func `damage with one certain answer is repaired`(text: String, expected: String, rule: ISBNRepair) throws
    {
        let isbn = try #require(ISBN(expected))
        #expect(ISBNReader.read(text) == .repaired(isbn, rule))
    }

    /// One number in eleven is an ISBN by chance.
    @Test func `three lost zeros are only proposed`() {
        guard case .impossible(let fault) = ISBNReader.read("7442912") else {
            Issue.record("repaired")
            return
        }
        #expect(fault.proposal == ISBN("0007442912"))
    }

    @Test func `a lost zero together with a lost X is repaired if nothing else is valid`() throws {
        let isbn = try #require(ISBN("043970815X"))
        #expect(ISBNReader.read("43970815") == .repaired(isbn, .lostZerosAndX))
    }

    @Test func `a short number with two valid readings is not repaired`() throws {
        // 0061122416 and 061122416X are both valid.
        #expect(ISBN("0061122416") != nil)
        #expect(ISBN("061122416X") != nil)
        #expect(ISBNReader.read("61122416") == .impossible(ISBNFault(.wrongLength)))
    }

    @Test(arguments: [
        ("9780826497520", ISBNFault.Reason.checkDigitOfThirteen), ("0826497520", .checkDigitOfTen),
        ("082649752X", .checkDigitOfTen), ("3-598-21515-X", .checkDigitOfTen),
        ("12345", .wrongLength), ("12345678901", .wrongLength), ("97808264975299", .wrongLength),
        ("999999999999999999999999999999", .placeholder), ("123456789012345678901234567890", .wrongLength),
        ("2940012345678", .notABook), ("9771234567003", .notABook), ("036000291452", .notABook),
        ("9790260000438", .printedMusic), ("979-0-2600-0043-8", .printedMusic),
        ("B00FOOBAR1", .asin), ("b0027fg4jw", .asin), ("=\"B0027FG4JW\"", .asin),
        ("9.78E+12", .scientificNotation), ("9.78043902348e+12", .scientificNotation),
        ("9,78E+12", .scientificNotation), ("0", .placeholder), ("0000000000", .placeholder),
        ("9780000000002", .placeholder), ("9999999999", .placeholder), ("0000000000000", .placeholder),
        ("08X6497527", .notANumber), ("XXXXXXXXXX", .notANumber),
        ("isbn", .notANumber), ("no isbn", .notANumber), ("none", .notANumber), ("########", .notANumber),
        ("0d9e6f3a-1c4b-4f7e-9a51-0a3f0d1c2b3a", .notANumber), ("0826497527, 9780439023481", .severalNumbers),
        ("9780439023.5", .notANumber), ("978-902453827X", .notANumber), ("3-598-P1581-X", .notANumber),
        ("call 0826497527 now", .notANumber), ("978 0 8264 9752 7", .checkDigitOfThirteen),
        ("9780826497529 9780439023481", .severalNumbers),
        ("9780826497529 (set) 9780439023481", .severalNumbers),
    ])
    func `other text has a reason`(text: String, reason: ISBNFault.Reason) throws {
        guard case .impossible(let fault) = ISBNReader.read(text) else {
            Issue.record("\(text): \(ISBNReader.read(text))")
            return
        }
        #expect(fault.reason == reason)
    }

    @Test(arguments: [
        ("978043902348", "9780439023481"),  // the check digit is missing
        ("359821507", "359821507X"),  // and here
        ("9.78043902348e+12", "9780439023481"),
    ])
    func `an uncertain repair is only proposed`(text: String, proposal: String) throws {
        guard case .impossible(let fault) = ISBNReader.read(text) else {
            Issue.record("\(ISBNReader.read(text))")
            return
        }
        #expect(fault.proposal == ISBN(proposal))
    }

    @Test func `an ISBN-13 cut to ten characters is distinguished from a wrong check digit`() {
        #expect(ISBNReader.read("9780826497") == .impossible(ISBNFault(.cutShort)))
    }

    @Test func `a wrong check digit is neither repaired nor proposed`() {
        var random = SeededGenerator(seed: 99)
        for _ in 0..<2_000 {
            let isbn = ISBN.random(using: &random)
            let wrong =
                isbn.value - isbn.value % 10 + (isbn.value + Int64.random(in: 1...9, using: &random)) % 10
            #expect(ISBNReader.read(String(wrong)) == .impossible(ISBNFault(.checkDigitOfThirteen)))
        }
    }

    @Test func `a cell as long as a review is not a number and costs nothing`() {
        let review = String(repeating: "isbn 9780826497529 ", count: 60_000)
        #expect(ISBNReader.read(review) == .impossible(ISBNFault(.notANumber)))
    }

    @Test func `every reason has a stable code and a sentence`() {
        let reasons = ISBNFault.Reason.allCases
        #expect(Set(reasons.map(\.sentence)).count == reasons.count)
        #expect(reasons.allSatisfy { $0.rawValue.hasPrefix("isbn") && $0.sentence.hasSuffix(".") })
    }
}
