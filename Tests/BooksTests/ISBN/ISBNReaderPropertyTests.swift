import TestSupport
import Testing

@testable import Books

@Suite struct ISBNReaderPropertyTests {
    /// Notations of thirteen or ten digits.
    private static let notations: [@Sendable (String) -> String] = [
        { $0 }, { "=\"\($0)\"" }, { "ISBN \($0)" }, { "isbn-\($0.count): \($0)" }, { "ISBN\($0)" },
        { "ISBN\($0.count) \($0)" }, { "ISBN \($0.count) \($0)" }, { " \($0.lowercased())\u{A0}" },
        { "[\($0)]" }, { $0.map(String.init).joined(separator: "-") },
        { $0.map(String.init).joined(separator: " \u{2013}") }, { "\($0) (hardback)" },
        { text in
            String(
                String.UnicodeScalarView(text.unicodeScalars.compactMap { UnicodeScalar($0.value + 0xFEE0) }))
        },
        { "the word isbn \($0) and more" },
    ]

    @Test func `every valid ISBN is read in every notation`() {
        var random = SeededGenerator(seed: 1)
        for _ in 0..<1_500 {
            let isbn = ISBN.random(using: &random)
            for notation in Self.notations {
                #expect(ISBNReader.read(notation(isbn.isbn13)) == .valid(isbn), "\(notation(isbn.isbn13))")
                guard let ten = isbn.isbn10 else { continue }
                #expect(ISBNReader.read(notation(ten)) == .valid(isbn), "\(notation(ten))")
            }
            if let hyphenated = ISBNRangeTable.builtIn.hyphenated(isbn) {
                #expect(ISBNReader.read(hyphenated) == .valid(isbn))
            }
        }
    }

    @Test func `one changed digit is never valid`() {
        var random = SeededGenerator(seed: 2)
        for _ in 0..<300 {
            let isbn = ISBN.random(using: &random)
            for text in [isbn.isbn13, isbn.isbn10].compactMap(\.self) {
                for (place, byte) in text.utf8.enumerated() {
                    for digit in UInt8(ascii: "0")...UInt8(ascii: "9") where digit != byte {
                        var changed = Array(text.utf8)
                        changed[place] = digit
                        if case .valid = changed.withUnsafeBytes(ISBNReader.read) {
                            Issue.record("\(String(decoding: changed, as: UTF8.self))")
                        }
                    }
                }
            }
        }
    }

    @Test func `two swapped neighbours in an ISBN-10 are never valid`() {
        var random = SeededGenerator(seed: 3)
        for _ in 0..<2_000 {
            guard let ten = ISBN.random(using: &random).isbn10 else { continue }
            for place in 0..<9 {
                var swapped = Array(ten.utf8)
                guard swapped[place] != swapped[place + 1] else { continue }
                swapped.swapAt(place, place + 1)
                if case .valid = swapped.withUnsafeBytes(ISBNReader.read) {
                    Issue.record("\(ten) at \(place)")
                }
            }
        }
    }

    @Test func `random bytes give no invalid ISBN, and none that they do not contain`() {
        var random = SeededGenerator(seed: 4)
        let alphabet =
            Array("0123456789Xx-. ,;:()[]=\"'eE+IiSsBbNn\n\t".utf8) + [0xC2, 0xAD, 0xE2, 0x80, 0xEF, 0xFF, 0]
        var found = 0
        for round in 0..<60_000 {
            let count = Int.random(in: 0...24, using: &random)
            var bytes = (0..<count).map { _ -> UInt8 in
                round % 3 == 0
                    ? UInt8.random(in: 0...255, using: &random) : alphabet.randomElement(using: &random) ?? 0
            }
            if round % 3 == 1 {
                // A valid number somewhere in the text.
                let isbn = ISBN.random(using: &random)
                let text = (Bool.random(using: &random) ? isbn.isbn10 : nil) ?? isbn.isbn13
                bytes.insert(contentsOf: text.utf8, at: Int.random(in: 0...count, using: &random))
            }
            let answer = bytes.withUnsafeBytes(ISBNReader.read)
            guard let isbn = answer.isbn else { continue }
            found += 1
            #expect(ISBN(number: isbn.value) == isbn, "\(bytes)")
            // Only a repair supplies digits that the text does not have.
            guard case .valid = answer else { continue }
            let digits = String(decoding: bytes, as: UTF8.self).uppercased()
                .filter { $0.isASCII && $0.isNumber || $0 == "X" }
            #expect([isbn.isbn13, isbn.isbn10 ?? "-"].contains { digits.contains($0) }, "\(bytes)")
        }
        #expect(found > 1_500, "\(found)")
    }

    /// Compares with all ways a short number can have come about: it may only be repaired if exactly one is
    /// valid. With seven digits that one is only proposed.
    @Test func `a short number is repaired only if there is one answer`() {
        var random = SeededGenerator(seed: 5)
        var repaired = 0
        for _ in 0..<30_000 {
            let count = Int.random(in: 7...9, using: &random)
            let digits = (0..<count).map { place in
                String(Int.random(in: (place == 0 ? 1 : 0)...9, using: &random))
            }.joined()
            var answers = [ISBN(String(repeating: "0", count: 10 - count) + digits)].compactMap(\.self)
            if count < 9, let isbn = ISBN(String(repeating: "0", count: 9 - count) + digits + "X") {
                answers.append(isbn)
            }
            switch ISBNReader.read(digits) {
            case .repaired(let isbn, _):
                repaired += 1
                #expect(answers == [isbn], "\(digits)")
            case .impossible(let fault) where count == 7 && answers.count == 1:
                #expect(fault.proposal == answers[0], "\(digits)")
            default: #expect(answers.count != 1 || Set(digits).count == 1, "\(digits)")
            }
        }
        #expect(repaired > 1_000)
    }

    private func reading(_ text: String) -> ISBNReading {
        Array(text.utf8).withUnsafeBytes(ISBNReader.reading)
    }

    @Test func `spreadsheet damage is repaired or rejected, never turned into another number`() {
        var random = SeededGenerator(seed: 6)
        var (trimmedCount, restored) = (0, 0)
        for _ in 0..<3_000 {
            let isbn = ISBN.random(using: &random)
            #expect(ISBNReader.read("\(isbn).0") == .repaired(isbn, .floatTail))
            let digits = isbn.isbn13
            #expect(ISBNReader.read("9.\(digits.dropFirst())E+12") == .repaired(isbn, .scientificNotation))
            for kept in 1..<12 {
                let lost = "9.\(digits.dropFirst().prefix(kept))E+12"
                guard case .impossible(let fault) = ISBNReader.read(lost) else {
                    Issue.record("\(lost)")
                    continue
                }
                #expect(fault.reason == .scientificNotation)
                #expect(fault.proposal == nil || kept == 11 && fault.proposal == isbn, "\(lost)")
                // Three digits are too few to recognize an ISBN in a row's two cells.
                #expect(kept < 3 || reading(lost).candidates.allows(isbn), "\(lost)")
            }
            guard let ten = isbn.isbn10 else { continue }
            let trimmed = ten.drop { $0 == "0" }
            guard trimmed.count < 10 else { continue }
            trimmedCount += 1
            guard let answer = ISBNReader.read(String(trimmed)).isbn else { continue }
            restored += 1
            #expect(answer == isbn, "\(ten)")
        }
        #expect(trimmedCount > 100 && restored * 10 > trimmedCount * 9, "\(restored) of \(trimmedCount)")
    }
}
