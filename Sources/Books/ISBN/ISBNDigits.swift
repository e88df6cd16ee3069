import Bytes

/// Parses one number in reduced notation (``ISBNNotation``): its digits, how it was damaged, and what it can
/// have been.
enum ISBNDigits {
    /// Digits of a number that is never repaired by adding zeros alone.
    private static let fewest = 7
    /// Longer runs of digits are truncated; no valid length comes near this.
    private static let longest = 24

    static func read(_ text: ISBNReader.Characters) -> ISBNReading {
        let text = withoutQualifier(text)
        return withUnsafeTemporaryAllocation(of: UInt8.self, capacity: longest) { digits in
            var count = 0
            for byte in text {
                switch byte {
                case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "X"):
                    guard count < longest else { continue }
                    digits[count] = byte
                    count += 1
                case UInt8(ascii: "-"), UInt8(ascii: " "): continue
                default: return ISBNSpreadsheetDamage.read(text)
                }
            }
            return evaluate(Digits(rebasing: digits[..<count]))
        }
    }

    private typealias Digits = UnsafeBufferPointer<UInt8>

    /// Evaluates a run of digits, of which the last can be `X`.
    static func evaluate(_ digits: [UInt8]) -> ISBNReading { digits.withUnsafeBufferPointer(evaluate) }

    private static func evaluate(_ digits: Digits) -> ISBNReading {
        let count = digits.count
        guard let first = digits.first, !digits.dropLast().contains(UInt8(ascii: "X")) else {
            return .impossible(.notANumber)
        }
        if digits.allSatisfy({ $0 == first }), count >= 7 || first == UInt8(ascii: "0") {
            return .impossible(.placeholder, length: count)
        }
        let endsInX = digits.last == UInt8(ascii: "X")
        switch count {
        case 10: return ten(digits, endsInX: endsInX)
        case 7...9: return withoutZeros(digits, endsInX: endsInX)
        case _ where endsInX: return .impossible(.notANumber)
        case 13: return thirteen(digits)
        case 12: return twelve(digits)
        case 18:
            let book = evaluate(Digits(rebasing: digits.prefix(13)))
            guard case .valid(let isbn) = book.verdict else {
                return .impossible(.wrongLength, length: count)
            }
            return ISBNReading(verdict: .repaired(isbn, .addOn), length: 13, candidates: .oneOf([isbn]))
        default: return .impossible(.wrongLength, length: count)
        }
    }

    private static func ten(_ digits: Digits, endsInX: Bool) -> ISBNReading {
        if let isbn = isbn(digits) { return .valid(isbn, length: 10) }
        let number = number(digits)
        guard !endsInX, ISBN.isBook(number * 1_000) else { return .impossible(.checkDigitOfTen, length: 10) }
        return .impossible(.cutShort, length: 10, candidates: .within(number * 1_000...number * 1_000 + 999))
    }

    private static func thirteen(_ digits: Digits) -> ISBNReading {
        if let isbn = isbn(digits) { return .valid(isbn, length: 13) }
        let number = number(digits)
        if number / 1_000_000_000 == 9_790 { return .impossible(.printedMusic, length: 13) }
        guard ISBN.isBook(number) else { return .impossible(.notABook, length: 13) }
        let isFiller =
            ISBN.isPlaceholder(number) && ISBNCheckDigit.ofThirteen(number / 10) == Int(number % 10)
        return .impossible(isFiller ? .placeholder : .checkDigitOfThirteen, length: 13)
    }

    /// Twelve digits: a UPC, or an ISBN-13 without its check digit.
    private static func twelve(_ digits: Digits) -> ISBNReading {
        let number = number(digits)
        if ISBN.isBook(number * 10) {
            let whole = ISBN(number: number * 10 + Int64(ISBNCheckDigit.ofThirteen(number)))
            return .impossible(.wrongLength, length: 12, candidates: whole.map { .oneOf([$0]) } ?? .nothing)
        }
        // A UPC is an EAN without its leading zero, so the same check digit applies.
        let isUPC = ISBNCheckDigit.ofThirteen(number / 10) == Int(number % 10)
        return .impossible(isUPC ? .notABook : .wrongLength, length: 12)
    }

    /// Seven to nine digits: an ISBN-10 whose leading zeros a spreadsheet dropped, an SBN, or a truncated
    /// number. With seven digits the number is only proposed.
    private static func withoutZeros(_ digits: Digits, endsInX: Bool) -> ISBNReading {
        let count = digits.count
        let zeros = [UInt8](repeating: UInt8(ascii: "0"), count: 10 - count)
        let padded = isbn(zeros + digits)
        // A program that drops the X drops everything except digits. A nine-digit number then still has its
        // first digit, and a lost X cannot be distinguished from a lost digit.
        let withX = endsInX || count == 9 ? nil : isbn(zeros.dropLast() + digits + [UInt8(ascii: "X")])
        let cutOff = endsInX || count < 9 ? nil : ISBN(body: number(digits))
        let candidates = ISBNCandidates.oneOf([padded, withX, cutOff].compactMap(\.self))
        // With three digits added, one number in eleven is an ISBN by chance.
        guard count > fewest else { return .impossible(.wrongLength, length: count, candidates: candidates) }
        switch (padded, withX) {
        case (let isbn?, nil):
            return ISBNReading(
                verdict: .repaired(isbn, .lostLeadingZeros), length: count, candidates: candidates)
        case (nil, let isbn?):
            return ISBNReading(
                verdict: .repaired(isbn, .lostZerosAndX), length: count, candidates: candidates)
        default:
            return .impossible(.wrongLength, length: count, candidates: candidates)
        }
    }

    /// Removes what cataloguers add after a number: a binding in brackets, a price after a colon.
    private static func withoutQualifier(_ whole: ISBNReader.Characters) -> ISBNReader.Characters {
        var text = whole
        if let colon = text.firstIndex(of: UInt8(ascii: ":")) {
            // In `-10: 0826497527` and `Hardcover: 0826497527` the text before the colon is a label.
            let ahead = text[..<colon].count(where: \.isDigit)
            text = ahead <= 2 ? text[(colon + 1)...] : text[..<colon]
        }
        if let bracket = text.firstIndex(of: UInt8(ascii: "(")) { text = text[..<bracket] }
        return text.count == whole.count ? whole : ISBNReader.trimmed(text)
    }

    private static func isbn(_ digits: Digits) -> ISBN? { ISBN(normalized: UnsafeRawBufferPointer(digits)) }

    private static func isbn(_ digits: [UInt8]) -> ISBN? { digits.withUnsafeBufferPointer(isbn) }

    /// The number that up to eighteen digits spell. An `X` at the end is skipped. Further digits are ignored:
    /// no ISBN has as many, and the number could overflow.
    static func number(_ digits: some Sequence<UInt8>) -> Int64 {
        digits.prefix(18).reduce(0) { number, digit in
            digit > UInt8(ascii: "9") ? number : number * 10 + Int64(digit - UInt8(ascii: "0"))
        }
    }
}
