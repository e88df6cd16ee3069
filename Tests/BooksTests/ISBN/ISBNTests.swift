import TestSupport
import Testing

@testable import Books

@Suite struct ISBNTests {
    @Test func `an ISBN-10 and its ISBN-13 are the same value`() {
        #expect(ISBN("0826497527") == ISBN("9780826497529"))
        #expect(ISBN("954430603x") == ISBN("954430603X"))
        #expect(ISBN("954430603X")?.isbn10 == "954430603X")
        #expect(ISBN("0826497527")?.value == 9_780_826_497_529)
        #expect(ISBN("0826497527")?.description == "9780826497529")
    }

    @Test func `only a wrong check digit is corrected`() {
        #expect(ISBNCheckDigit.corrected("978-0-441-17271-8") == "9780441172719")
        #expect(ISBNCheckDigit.corrected("0 441 17271 X") == "0441172717")
        #expect(ISBNCheckDigit.corrected("9544306031") == "954430603X")
        for text in [
            "9780441172719", "954430603x", "", "X", "9770441172718", "97804411727", "97804411727a8", "-",
        ] {
            #expect(ISBNCheckDigit.corrected(text) == nil, "\(text)")
        }
    }

    @Test func `an ISBN with 979 has no ISBN-10`() {
        let isbn = ISBN("9791090636071")
        #expect(isbn?.hasISBN10 == false)
        #expect(isbn?.isbn10 == nil)
        var bytes: [UInt8] = []
        isbn?.appendISBN10(to: &bytes)
        #expect(bytes.isEmpty)
    }

    @Test(arguments: [
        "", "0", "978082649752", "97808264975299", "9780826497520", "0826497520", "X123456788", "XXXXXXXXXX",
        "9790826497529", "9771234567898", "9700000000000", "2940012345674", "978-082649752", "978082649752X",
        "978082649752٣", "/780826497529", "97808264:7529", "978082649752 ", "082649752/", "08264 7527",
    ])
    func `text that is not a normalized ISBN is rejected`(text: String) {
        #expect(ISBN(text) == nil)
    }

    @Test func `placeholder numbers are rejected in both lengths`() {
        for digit in 0...9 {
            let body = Int64(digit) * 111_111_111
            #expect(ISBN(String(repeating: "\(digit)", count: 10)) == nil)
            #expect(ISBN(body: body) == nil)
            let twelve = 978_000_000_000 + body
            #expect(ISBN("\(twelve)\(ISBNCheckDigit.ofThirteen(twelve))") == nil)
        }
        #expect(ISBN("9780000000002") == nil)
        #expect(ISBN(number: 9_780_000_000_002) == nil)
    }

    @Test func `reading both numbers of a book together equals reading them separately`() {
        var random = SeededGenerator(seed: 31)
        func pair(_ thirteen: [UInt8], _ ten: [UInt8]) -> ISBN? {
            thirteen.withUnsafeBytes { long in ten.withUnsafeBytes { ISBN(thirteen: long, ten: $0) } }
        }
        func alone(_ bytes: [UInt8]) -> ISBN? { bytes.withUnsafeBytes { ISBN(normalized: $0) } }
        for _ in 0..<5_000 {
            let isbn = ISBN.random(using: &random)
            guard let text = isbn.isbn10 else { continue }
            var (long, short) = (Array(isbn.isbn13.utf8), Array(text.utf8))
            #expect(pair(long, short) == isbn, "\(isbn)")
            let byte =
                Bool.random(using: &random)
                ? UInt8.random(in: 0x2F...0x3A, using: &random) : .random(in: 0...255, using: &random)
            let place = Int.random(in: 0..<23, using: &random)
            if place < 13 { long[place] = byte } else { short[place - 13] = byte }
            let expected = alone(long).flatMap { $0 == alone(short) ? $0 : nil }
            #expect(pair(long, short) == expected, "\(long) \(short)")
        }
        #expect(pair(Array("9780000000002".utf8), Array("0000000000".utf8)) == nil, "a placeholder")
        #expect(pair([], []) == nil)
        #expect(pair(Array("9791090636071".utf8), Array("1090636074".utf8)) == nil, "979 has no ISBN-10")
    }

    @Test func `reading agrees with a plain checksum for any number`() {
        var random = SeededGenerator(seed: 13)
        for _ in 0..<20_000 {
            let number = Int64.random(in: 9_770_000_000_000...9_800_000_000_000, using: &random)
            let digits = String(number).utf8.map { Int($0) - 48 }
            let sum = digits.enumerated().reduce(0) { $0 + $1.element * ($1.offset % 2 == 0 ? 1 : 3) }
            let isBook = digits.prefix(3) == [9, 7, 8] || digits.prefix(3) == [9, 7, 9] && digits[3] != 0
            let isFiller = digits.prefix(3) == [9, 7, 8] && Set(digits[3..<12]).count == 1
            let isValid = sum % 10 == 0 && isBook && !isFiller
            #expect((ISBN(String(number)) != nil) == isValid, "\(number)")
            #expect((ISBN(number: number) != nil) == isValid, "\(number)")
        }
    }

    @Test func `reading agrees with a plain checksum for any ten characters`() {
        var random = SeededGenerator(seed: 10)
        for _ in 0..<20_000 {
            let digits = (0..<9).map { _ in Int.random(in: 0...9, using: &random) }
            let check = Int.random(in: 0...10, using: &random)
            let sum = digits.enumerated().reduce(check) { $0 + $1.element * (10 - $1.offset) }
            let text = digits.map(String.init).joined() + (check == 10 ? "X" : "\(check)")
            let isValid = sum % 11 == 0 && Set(digits).count > 1
            #expect((ISBN(text) != nil) == isValid, "\(text)")
            if isValid { #expect(ISBN(text)?.isbn13.dropFirst(3).dropLast() == text.dropLast()) }
        }
    }

    @Test func `every byte that is not a digit is rejected at every position`() {
        let valid = Array("9780826497529".utf8)
        let ten = Array("0826497527".utf8)
        for byte in UInt8.min...UInt8.max where !(48...57).contains(byte) {
            for place in valid.indices {
                var damaged = valid
                damaged[place] = byte
                #expect(damaged.withUnsafeBytes { ISBN(thirteen: $0) } == nil)
            }
            for place in ten.indices {
                var damaged = ten
                damaged[place] = byte
                #expect(damaged.withUnsafeBytes { ISBN(ten: $0) } == nil)
            }
        }
    }

    @Test func `both forms round-trip`() {
        var random = SeededGenerator(seed: 7)
        for _ in 0..<5_000 {
            let isbn = ISBN.random(using: &random)
            var bytes: [UInt8] = [1]
            isbn.appendISBN13(to: &bytes)
            #expect(ISBN(String(decoding: bytes.dropFirst(), as: UTF8.self)) == isbn)
            if let ten = isbn.isbn10 { #expect(ISBN(ten) == isbn) }
        }
    }

    @Test func `ISBNs sort by number`() throws {
        let low = try #require(ISBN("9780826497529"))
        let high = try #require(ISBN("9791090636071"))
        #expect(low < high)
    }

    @Test func `raw values and names of repairs are distinct and stable`() {
        #expect(Set(ISBNRepair.allCases.map(\.name)).count == ISBNRepair.allCases.count)
        #expect(ISBNRepair.lostLeadingZeros.rawValue == 1)
        #expect(ISBNRepair.otherCell.rawValue == 6)
        #expect(ISBNRepair.allCases.allSatisfy { !$0.sentence.isEmpty })
        #expect(ISBNRepair.allCases.filter(\.keptAllDigits).count == 3)
    }
}
