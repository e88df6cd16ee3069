/// A valid ISBN, stored as the number its ISBN-13 spells: eight bytes, and the integer key of every table.
///
/// An ISBN-10 and the ISBN-13 made from it are the same value. Prefixes 978 and 979 and the check digits
/// follow the ISBN Users' Manual, 7th edition, section 5. 979-0 is printed music (ISMN), not a book. Ten
/// equal digits pass the check of an ISBN-10 but are used as fillers. Neither they nor the ISBN-13s made from
/// them (9780000000002 …) count as ISBNs here.
public struct ISBN: Sendable, Hashable, Comparable {
    /// The ISBN-13 as a number, 9780000000000…9799999999999, with a correct check digit.
    public let value: Int64

    /// An ISBN-13 known to be valid.
    package init(unchecked value: Int64) { self.value = value }

    /// A number from outside; nil if it is not a valid ISBN-13.
    public init?(number value: Int64) {
        guard Self.isBook(value), !Self.isPlaceholder(value),
            ISBNCheckDigit.ofThirteen(value / 10) == Int(value % 10)
        else { return nil }
        self.value = value
    }

    /// Parses exactly thirteen ASCII digits, without hyphens or blanks. Takes about 3 ns.
    public init?(thirteen bytes: UnsafeRawBufferPointer) {
        guard bytes.count == 13 else { return nil }
        // Two loads of eight bytes cover all thirteen. The first three digits of the second load overlap the
        // first.
        let head = UInt64(littleEndian: bytes.loadUnaligned(fromByteOffset: 0, as: UInt64.self))
        let tail = UInt64(littleEndian: bytes.loadUnaligned(fromByteOffset: 5, as: UInt64.self))
        guard EightDigits.areDigits(head), EightDigits.areDigits(tail) else { return nil }
        let high = EightDigits(head)
        let low = EightDigits(tail, dropping: 3)
        // Weights 1 and 3 alternate from the first of the thirteen digits. The second load starts at an odd
        // position, so its sums swap.
        let sum = high.evenSum + 3 * high.oddSum + low.oddSum + 3 * low.evenSum
        let value = Int64(high.number * 100_000 + low.number)
        guard sum % 10 == 0, Self.isBook(value), !Self.isPlaceholder(value) else { return nil }
        self.value = value
    }

    /// Parses exactly nine ASCII digits and a tenth or `X`, without hyphens or blanks.
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
        // The ISBN-13's digits have weights 1 and 3 in turn; 978 adds 9 + 3 * 7 + 8.
        let sum = 38 + 3 * (eight.evenSum + ninth) + eight.oddSum
        let value = twelve * 10 + Int64((10 - sum % 10) % 10)
        guard !Self.isPlaceholder(value) else { return nil }
        self.value = value
    }

    /// Parses the normalized form of an ISBN-13 or ISBN-10: thirteen or ten characters.
    public init?(normalized bytes: UnsafeRawBufferPointer) {
        switch bytes.count {
        case 13: self.init(thirteen: bytes)
        case 10: self.init(ten: bytes)
        default: return nil
        }
    }

    /// Parses the normalized form of an ISBN-13 or ISBN-10. ``ISBNReader`` parses what people write.
    public init?(_ string: some StringProtocol) {
        var copy = Array(string.utf8)
        let isbn = copy.withUnsafeMutableBytes { ISBN(normalized: UnsafeRawBufferPointer($0)) }
        guard let isbn else { return nil }
        self = isbn
    }

    /// The ISBN for the first nine digits of an ISBN-10; nil for fillers.
    init?(stem: Int64) {
        let twelve = 978_000_000_000 + stem
        let value = twelve * 10 + Int64(ISBNCheckDigit.ofThirteen(twelve))
        guard !Self.isPlaceholder(value) else { return nil }
        self.value = value
    }

    /// Whether the ISBN has an ISBN-10 form; only prefix 978 has one.
    public var hasISBN10: Bool { value < 9_790_000_000_000 }

    /// Thirteen digits.
    public var isbn13: String { String(value) }

    /// Nine digits and a tenth or `X`; nil for prefix 979.
    public var isbn10: String? {
        guard hasISBN10 else { return nil }
        var bytes: [UInt8] = []
        appendISBN10(to: &bytes)
        return String(decoding: bytes, as: UTF8.self)
    }

    /// Appends the thirteen digits in ASCII.
    public func appendISBN13(to bytes: inout [UInt8]) { Self.append(value, digits: 13, to: &bytes) }

    /// Appends the ten characters of the ISBN-10; nothing for prefix 979.
    public func appendISBN10(to bytes: inout [UInt8]) {
        guard hasISBN10 else { return }
        let stem = value / 10 % 1_000_000_000
        Self.append(stem, digits: 9, to: &bytes)
        let check = ISBNCheckDigit.ofTen(stem)
        bytes.append(check == UInt8(ascii: "x") ? UInt8(ascii: "X") : check)
    }

    /// Compares the thirteen digits.
    public static func < (a: ISBN, b: ISBN) -> Bool { a.value < b.value }

    /// Whether a number is in the ranges of books: prefix 978, or prefix 979 without 979-0.
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
    /// Parses the ISBN-13 and the ISBN-10 of one book together. Most rows have both; they share nine digits,
    /// so this is faster than parsing each. Nil if one of them is wrong or they belong to different books.
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
        // The ISBN-13's digits have weights 1 and 3 in turn; 978 adds 9 + 3 * 7 + 8.
        let sum = 38 + 3 * (eight.evenSum + ninth) + eight.oddSum + lastOfThirteen
        guard sum % 10 == 0, (eight.sumOfTen + 2 * ninth + lastOfTen) % 11 == 0 else { return nil }
        let stem = Int64(eight.number * 10 + ninth)
        guard !Self.isPlaceholder(stem: stem) else { return nil }
        self.init(unchecked: (978_000_000_000 + stem) * 10 + Int64(lastOfThirteen))
    }
}

/// How a damaged ISBN was repaired. A repair is made only if exactly one answer is certain. Raw values are
/// stored: never reuse one.
public enum ISBNRepair: UInt8, Sendable, CaseIterable, Hashable {
    /// A spreadsheet dropped the leading zeros of an ISBN-10. A nine-digit SBN is the same case.
    case lostLeadingZeros = 1
    /// A program that kept only digits dropped the leading zeros and the final `X` of an ISBN-10.
    case lostZerosAndX
    /// A whole number has a fraction of zero: `9780439023481.0`.
    case floatTail
    /// Scientific notation with all thirteen digits: `9.780439023481E+12`.
    case scientificNotation
    /// A scanner added the five-digit price code (EAN-5) to the book's EAN.
    case addOn
    /// Both of the row's ISBN cells are damaged, but only one number fits both, or the row's list of the
    /// book's ISBNs identifies it.
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

    /// One sentence for the user.
    public var sentence: String {
        switch self {
        case .lostLeadingZeros: "The leading zeros that a spreadsheet dropped were restored."
        case .lostZerosAndX: "The dropped leading zeros and final X were restored."
        case .floatTail: "The “.0” after the number was removed."
        case .scientificNotation: "The scientific notation had all digits and was converted to the number."
        case .addOn: "The five-digit price code after the number was removed."
        case .otherCell: "The ISBN was restored from the row's other cells."
        }
    }

    /// Whether all digits were present, including the prefix 978 or 979, so that no zeros were added.
    public var keptAllDigits: Bool {
        switch self {
        case .floatTail, .scientificNotation, .addOn: true
        case .lostLeadingZeros, .lostZerosAndX, .otherCell: false
        }
    }
}

/// The text that names the rule in a notice about a repaired ISBN. `ValidateISBN` writes it; the counts of
/// repairs are read from it.
package enum RepairText {
    /// The text before the rule's name.
    package static let mark = "(rule: "

    /// `The leading zeros … were restored. The number is 9780306406157 (rule: lost_leading_zeros).`
    static func sentence(_ rule: ISBNRepair, _ isbn: ISBN) -> String {
        "\(rule.sentence) The number is \(isbn) \(mark)\(rule.name))."
    }

    /// The rule's name, from the text after the mark.
    package static func rule(_ rest: String) -> String { String(rest.prefix { $0 != ")" }) }
}
