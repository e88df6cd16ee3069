/// A valid ISBN, held as the number its ISBN-13 spells: eight bytes, and the integer key of every table.
///
/// An ISBN-10 and the ISBN-13 made of it are the same value. Rules: ISBN Users' Manual, 7th edition, section
/// 5 (prefixes 978 and 979, check digits); 979-0 belongs to printed music (ISMN) and is no book. Ten equal
/// digits pass the check of an ISBN-10 and are in use as fillers: neither they nor the ISBN-13s made of them
/// (9780000000002 …) are an ISBN here.
public struct ISBN: Sendable, Hashable, Comparable {
    /// The ISBN-13 as a number, 9780000000000…9799999999999, its check digit correct.
    public let value: Int64

    /// Takes an ISBN-13 known to be valid.
    package init(unchecked value: Int64) { self.value = value }

    /// Takes a number from outside, nil where it is no valid ISBN-13.
    public init?(number value: Int64) {
        guard Self.isBook(value), !Self.isPlaceholder(value),
            ISBNCheckDigit.ofThirteen(value / 10) == Int(value % 10)
        else { return nil }
        self.value = value
    }

    /// Takes thirteen ASCII digits and nothing else: no hyphens, no blanks. Costs about 3 ns.
    public init?(thirteen bytes: UnsafeRawBufferPointer) {
        guard bytes.count == 13 else { return nil }
        // Two loads of eight cover thirteen bytes; the second one's first three digits were in the first.
        let head = UInt64(littleEndian: bytes.loadUnaligned(fromByteOffset: 0, as: UInt64.self))
        let tail = UInt64(littleEndian: bytes.loadUnaligned(fromByteOffset: 5, as: UInt64.self))
        guard EightDigits.areDigits(head), EightDigits.areDigits(tail) else { return nil }
        let high = EightDigits(head)
        let low = EightDigits(tail, dropping: 3)
        // Weights 1 and 3 alternate from the first of the thirteen; the tail's own count starts at an odd
        // place.
        let sum = high.evenSum + 3 * high.oddSum + low.oddSum + 3 * low.evenSum
        let value = Int64(high.number * 100_000 + low.number)
        guard sum % 10 == 0, Self.isBook(value), !Self.isPlaceholder(value) else { return nil }
        self.value = value
    }

    /// Takes nine ASCII digits and a tenth or `X` and nothing else: no hyphens, no blanks.
    public init?(ten bytes: UnsafeRawBufferPointer) {
        guard bytes.count == 10 else { return nil }
        let head = UInt64(littleEndian: bytes.loadUnaligned(as: UInt64.self))
        let ninth = UInt64(bytes[8] &- UInt8(ascii: "0"))
        let isX = bytes[9] | 0x20 == UInt8(ascii: "x")
        let check = isX ? 10 : UInt64(bytes[9] &- UInt8(ascii: "0"))
        guard EightDigits.areDigits(head), ninth < 10, isX || check < 10 else { return nil }
        let eight = EightDigits(head)
        guard (eight.sumOfTen + 2 * ninth + check) % 11 == 0 else { return nil }
        let twelve = 978_000_000_000 + Int64(eight.number * 10 + ninth)
        // The ISBN-13's digits weigh 1 and 3 in turn, to which 978 adds 9 + 3 * 7 + 8.
        let sum = 38 + 3 * (eight.evenSum + ninth) + eight.oddSum
        let value = twelve * 10 + Int64((10 - sum % 10) % 10)
        guard !Self.isPlaceholder(value) else { return nil }
        self.value = value
    }

    /// Takes the normalized form of an ISBN-13 or ISBN-10, thirteen or ten characters.
    public init?(normalized bytes: UnsafeRawBufferPointer) {
        switch bytes.count {
        case 13: self.init(thirteen: bytes)
        case 10: self.init(ten: bytes)
        default: return nil
        }
    }

    /// Takes the normalized form of an ISBN-13 or ISBN-10. What people write is read by ``ISBNReader``.
    public init?(_ string: some StringProtocol) {
        var copy = Array(string.utf8)
        let isbn = copy.withUnsafeMutableBytes { ISBN(normalized: UnsafeRawBufferPointer($0)) }
        guard let isbn else { return nil }
        self = isbn
    }

    /// The ISBN of an ISBN-10's first nine digits; nil for the fillers.
    init?(stem: Int64) {
        let twelve = 978_000_000_000 + stem
        let value = twelve * 10 + Int64(ISBNCheckDigit.ofThirteen(twelve))
        guard !Self.isPlaceholder(value) else { return nil }
        self.value = value
    }

    /// Whether an ISBN-10 exists: only 978 has one.
    public var hasISBN10: Bool { value < 9_790_000_000_000 }

    /// Thirteen digits.
    public var isbn13: String { String(value) }

    /// Nine digits and a tenth or `X`; nil for 979.
    public var isbn10: String? {
        guard hasISBN10 else { return nil }
        var bytes: [UInt8] = []
        appendISBN10(to: &bytes)
        return String(decoding: bytes, as: UTF8.self)
    }

    /// Appends the thirteen digits in ASCII.
    public func appendISBN13(to bytes: inout [UInt8]) { Self.append(value, digits: 13, to: &bytes) }

    /// Appends the ten characters of the ISBN-10; nothing for 979.
    public func appendISBN10(to bytes: inout [UInt8]) {
        guard hasISBN10 else { return }
        let stem = value / 10 % 1_000_000_000
        Self.append(stem, digits: 9, to: &bytes)
        let check = ISBNCheckDigit.ofTen(stem)
        bytes.append(check == UInt8(ascii: "x") ? UInt8(ascii: "X") : check)
    }

    /// By the thirteen digits.
    public static func < (a: ISBN, b: ISBN) -> Bool { a.value < b.value }

    /// Whether a number has the shape of a book's EAN: 978, or 979 without 979-0.
    static func isBook(_ value: Int64) -> Bool {
        (9_780_000_000_000..<9_790_000_000_000).contains(value)
            || (9_791_000_000_000..<9_800_000_000_000).contains(value)
    }

    /// Whether the nine digits after 978 are all the same.
    static func isPlaceholder(_ value: Int64) -> Bool {
        value < 9_790_000_000_000 && isPlaceholder(stem: value / 10 - 978_000_000_000)
    }

    /// Whether nine digits are all the same.
    @inline(__always)
    static func isPlaceholder(stem: Int64) -> Bool { stem % 111_111_111 == 0 }

    private static func append(_ number: Int64, digits: Int, to bytes: inout [UInt8]) {
        withUnsafeTemporaryAllocation(of: UInt8.self, capacity: digits) { text in
            var rest = number
            for index in text.indices.reversed() {
                text.initializeElement(
                    at: index, to: UInt8(ascii: "0") + UInt8(truncatingIfNeeded: rest % 10))
                rest /= 10
            }
            bytes.append(contentsOf: text)
        }
    }
}

extension ISBN: CustomStringConvertible {
    /// The thirteen digits.
    public var description: String { isbn13 }
}

extension ISBN {
    /// Takes the ISBN-13 and the ISBN-10 of one book, as most rows have them, for less than the two by themselves: they
    /// share nine digits. Nil where one of them is wrong or they are of different books.
    ///
    /// - Parameters:
    ///   - thirteen: Thirteen bytes.
    ///   - ten: Ten bytes.
    @inline(__always)
    init?(thirteen: UnsafeRawBufferPointer, ten: UnsafeRawBufferPointer) {
        guard thirteen.count == 13, ten.count == 10 else { return nil }
        let zero = UInt8(ascii: "0")
        let head = UInt64(littleEndian: thirteen.loadUnaligned(fromByteOffset: 3, as: UInt64.self))
        let same = UInt64(littleEndian: ten.loadUnaligned(as: UInt64.self))
        let ninth = UInt64(thirteen[11] &- zero)
        let lastOfThirteen = UInt64(thirteen[12] &- zero)
        let isX = ten[9] | 0x20 == UInt8(ascii: "x")
        let lastOfTen = isX ? 10 : UInt64(ten[9] &- zero)
        guard thirteen[0] == UInt8(ascii: "9"), thirteen[1] == UInt8(ascii: "7"),
            thirteen[2] == UInt8(ascii: "8"),
            head == same, thirteen[11] == ten[8], EightDigits.areDigits(head), ninth < 10,
            lastOfThirteen < 10,
            isX || lastOfTen < 10
        else { return nil }
        let eight = EightDigits(head)
        // The ISBN-13's digits weigh 1 and 3 in turn, to which 978 adds 9 + 3 * 7 + 8.
        let sum = 38 + 3 * (eight.evenSum + ninth) + eight.oddSum + lastOfThirteen
        guard sum % 10 == 0, (eight.sumOfTen + 2 * ninth + lastOfTen) % 11 == 0 else { return nil }
        let stem = Int64(eight.number * 10 + ninth)
        guard !Self.isPlaceholder(stem: stem) else { return nil }
        self.init(unchecked: (978_000_000_000 + stem) * 10 + Int64(lastOfThirteen))
    }
}

/// How a damaged ISBN was repaired: only where one answer is certain. Raw values are stored: never reuse one.
public enum ISBNRepair: UInt8, Sendable, CaseIterable, Hashable {
    /// Leading zeros of an ISBN-10, dropped by a spreadsheet; the nine digits of an SBN are the same thing.
    case lostLeadingZeros = 1
    /// Leading zeros and the final `X` of an ISBN-10, dropped by a program that kept digits only.
    case lostZerosAndX
    /// A fraction of zero behind a whole number, `9780439023481.0`.
    case floatTail
    /// Scientific notation in which all thirteen digits still stand, `9.780439023481E+12`.
    case scientificNotation
    /// The five digits of a price (EAN-5) that a scanner reads along with the book's EAN.
    case addOn
    /// The row's two cells, each of them damaged, leave one number that fits both, or a list of the book's ISBNs beside
    /// them tells it.
    case otherCell

    /// The name in reports, notices and `etl isbn check`: `lost_leading_zeros`.
    public var name: String {
        switch self {
        case .lostLeadingZeros: "lost_leading_zeros"
        case .lostZerosAndX: "lost_zeros_and_x"
        case .floatTail: "float_tail"
        case .scientificNotation: "scientific_notation"
        case .addOn: "add_on"
        case .otherCell: "other_cell"
        }
    }

    /// One sentence for the reader.
    public var sentence: String {
        switch self {
        case .lostLeadingZeros: "The leading zeros a spreadsheet had dropped were put back."
        case .lostZerosAndX: "The leading zeros and the final X, dropped somewhere, were put back."
        case .floatTail: "The fraction of zero behind the number was taken off."
        case .scientificNotation: "The number, still complete in scientific notation, was written out."
        case .addOn: "The five-digit price code behind the number was taken off."
        case .otherCell: "The cell is damaged or empty; the row's other cells tell which number was meant."
        }
    }

    /// Whether all digits of the number and its prefix 978 or 979 were there, so that no zero had to be
    /// guessed.
    public var keptAllDigits: Bool {
        switch self {
        case .floatTail, .scientificNotation, .addOn: true
        case .lostLeadingZeros, .lostZerosAndX, .otherCell: false
        }
    }
}

/// How a notice of a repaired ISBN names its rule: written by the validating stage, read again where repairs are
/// counted.
package enum RepairText {
    /// What stands before the rule's name.
    package static let mark = "(rule: "

    /// `The leading zeros … were put back. The number is 9780306406157 (rule: lost_leading_zeros).`
    static func sentence(_ rule: ISBNRepair, _ isbn: ISBN) -> String {
        "\(rule.sentence) The number is \(isbn) \(mark)\(rule.name))."
    }

    /// The rule's name out of what follows the mark.
    package static func rule(_ rest: String) -> String { String(rest.prefix { $0 != ")" }) }
}
