/// A valid ISBN, stored as the number its ISBN-13 spells: eight bytes, and the integer key of every table.
///
/// An ISBN-10 and the ISBN-13 made from it are the same value. Prefixes 978 and 979 and the check digits
/// follow the ISBN Users' Manual, 7th edition, section 5. 979-0 is printed music (ISMN), not a book. Ten
/// equal digits pass the check of an ISBN-10 but are used as fillers. Neither they nor the ISBN-13s made from
/// them (9780000000002 …) count as ISBNs here.
package struct ISBN: Sendable, Hashable, Comparable {
    /// The ISBN-13 as a number, 9780000000000…9799999999999, with a correct check digit.
    package let value: Int64

    /// An ISBN-13 known to be valid.
    package init(unchecked value: Int64) { self.value = value }

    /// A number from outside; nil if it is not a valid ISBN-13.
    package init?(number value: Int64) {
        guard Self.isBook(value), !Self.isPlaceholder(value),
            ISBNCheckDigit.ofThirteen(value / 10) == Int(value % 10)
        else { return nil }
        self.value = value
    }

    /// Parses exactly thirteen ASCII digits, without hyphens or blanks. Takes about 3 ns.
    package init?(thirteen bytes: UnsafeRawBufferPointer) {
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
    package init?(ten bytes: UnsafeRawBufferPointer) {
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
    package init?(normalized bytes: UnsafeRawBufferPointer) {
        switch bytes.count {
        case 13: self.init(thirteen: bytes)
        case 10: self.init(ten: bytes)
        default: return nil
        }
    }

    /// Parses the normalized form of an ISBN-13 or ISBN-10. ``ISBNReader`` parses what people write.
    package init?(_ string: some StringProtocol) {
        var copy = Array(string.utf8)
        let isbn = copy.withUnsafeMutableBytes { ISBN(normalized: UnsafeRawBufferPointer($0)) }
        guard let isbn else { return nil }
        self = isbn
    }

    /// An ISBN as catalogs and services have it, with whatever stands around the number: `978-0-306-40615-7 (set)`.
    /// Damaged numbers are not repaired.
    package init?(written text: String) {
        if let plain = ISBN(text) {
            self = plain
        } else if case .valid(let isbn) = ISBNReader.read(text) {
            self = isbn
        } else {
            return nil
        }
    }

    /// The ISBN for the first nine digits of an ISBN-10; nil for fillers.
    package init?(body: Int64) {
        let twelve = 978_000_000_000 + body
        let value = twelve * 10 + Int64(ISBNCheckDigit.ofThirteen(twelve))
        guard !Self.isPlaceholder(value) else { return nil }
        self.value = value
    }

    /// Whether the ISBN has an ISBN-10 form; only prefix 978 has one.
    package var hasISBN10: Bool { value < 9_790_000_000_000 }

    /// Thirteen digits.
    package var isbn13: String { String(value) }

    /// Nine digits and a tenth or `X`; nil for prefix 979.
    package var isbn10: String? {
        guard hasISBN10 else { return nil }
        var bytes: [UInt8] = []
        appendISBN10(to: &bytes)
        return String(decoding: bytes, as: UTF8.self)
    }

    /// Appends the thirteen digits in ASCII.
    package func appendISBN13(to bytes: inout [UInt8]) { Self.append(value, digits: 13, to: &bytes) }

    /// Appends the ten characters of the ISBN-10; nothing for prefix 979.
    package func appendISBN10(to bytes: inout [UInt8]) {
        guard hasISBN10 else { return }
        let body = value / 10 % 1_000_000_000
        Self.append(body, digits: 9, to: &bytes)
        let check = ISBNCheckDigit.ofTen(body)
        bytes.append(check == UInt8(ascii: "x") ? UInt8(ascii: "X") : check)
    }

    /// Compares the thirteen digits.
    package static func < (a: ISBN, b: ISBN) -> Bool { a.value < b.value }

    /// Whether a number is in the ranges of books: prefix 978, or prefix 979 without 979-0.
    package static func isBook(_ value: Int64) -> Bool {
        (9_780_000_000_000..<9_790_000_000_000).contains(value)
            || (9_791_000_000_000..<9_800_000_000_000).contains(value)
    }

    /// Whether the nine digits after 978 are all the same.
    package static func isPlaceholder(_ value: Int64) -> Bool {
        value < 9_790_000_000_000 && isPlaceholder(body: value / 10 - 978_000_000_000)
    }

    /// Whether nine digits are all the same.
    @inline(__always)
    package static func isPlaceholder(body: Int64) -> Bool { body % 111_111_111 == 0 }

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
    package var description: String { isbn13 }
}

extension ISBN {
    /// Parses the ISBN-13 and the ISBN-10 of one book together. Most rows have both; they share nine digits,
    /// so this is faster than parsing each. Nil if one of them is wrong or they belong to different books.
    ///
    /// - Parameters:
    ///   - thirteen: Thirteen bytes.
    ///   - ten: Ten bytes.
    @inline(__always)
    package init?(thirteen: UnsafeRawBufferPointer, ten: UnsafeRawBufferPointer) {
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
        let body = Int64(eight.number * 10 + ninth)
        guard !Self.isPlaceholder(body: body) else { return nil }
        self.init(unchecked: (978_000_000_000 + body) * 10 + Int64(lastOfThirteen))
    }
}
