/// Check digits as the ISBN Users' Manual defines them: modulus 10 with weights 1 and 3, modulus 11 with
/// weights 10 to 2.
package enum ISBNCheckDigit {
    /// The thirteenth digit, 0–9, for a number of twelve digits.
    package static func ofThirteen(_ twelve: Int64) -> Int {
        var rest = twelve
        var sum = 0
        for place in 0..<12 {
            sum += Int(rest % 10) * (place % 2 == 0 ? 3 : 1)
            rest /= 10
        }
        return (10 - sum % 10) % 10
    }

    /// The number with a correct check digit: `9780441172719` for `978-0-441-17271-8`. Nil if the check digit
    /// is already correct, or if no check digit makes the number an ISBN.
    package static func corrected(_ text: String) -> String? {
        let digits = text.filter { $0 != "-" && $0 != " " }
        guard let last = digits.last, last.isASCII, last.isNumber || last == "X" || last == "x",
            let others = Int64(digits.dropLast()), digits.dropLast().allSatisfy(\.isASCII),
            digits.first?.isNumber == true
        else { return nil }
        let check: Character
        switch digits.count {
        case 13 where digits.hasPrefix("978") || digits.hasPrefix("979"):
            check = Character(String(ofThirteen(others)))
        case 10: check = Character(Unicode.Scalar(ofTen(others))).uppercased().first ?? "X"
        default: return nil
        }
        return last.uppercased() == String(check) ? nil : "\(digits.dropLast())\(check)"
    }

    /// The tenth character, `0`–`9` or a lower-case `x`, for the first nine digits of an ISBN-10.
    package static func ofTen(_ nine: Int64) -> UInt8 {
        var rest = nine
        var sum = 0
        for weight in 2...10 {
            sum += Int(rest % 10) * weight
            rest /= 10
        }
        let check = (11 - sum % 11) % 11
        return check == 10 ? UInt8(ascii: "x") : UInt8(ascii: "0") + UInt8(check)
    }
}

/// Eight ASCII digits in one word, processed in parallel with word arithmetic.
struct EightDigits {
    /// The digits, one per byte, the first digit in the lowest byte.
    private let digits: UInt64

    /// Whether each of the eight bytes is an ASCII digit.
    static func areDigits(_ word: UInt64) -> Bool {
        // The high half of each byte is 3, and is still 3 after adding 6: only 0x30…0x39.
        let high = word & 0xF0F0_F0F0_F0F0_F0F0
        let raised = (word &+ 0x0606_0606_0606_0606) & 0xF0F0_F0F0_F0F0_F0F0
        return high | (raised >> 4) == 0x3333_3333_3333_3333
    }

    /// - Parameter count: Number of leading digits to treat as zero.
    init(_ word: UInt64, dropping count: UInt64 = 0) {
        digits = (word ^ 0x3030_3030_3030_3030) & (~0 << (8 * count))
    }

    /// The number the digits spell.
    var number: UInt64 {
        let pairs = (digits &* 10) &+ (digits >> 8)
        let mask: UInt64 = 0x0000_00FF_0000_00FF
        let first = (pairs & mask) &* 0x000F_4240_0000_0064
        let second = ((pairs >> 16) & mask) &* 0x0000_2710_0000_0001
        return (first &+ second) >> 32
    }

    /// Sum of the first, third, fifth and seventh digit.
    var evenSum: UInt64 { Self.sum(digits & 0x00FF_00FF_00FF_00FF) }
    /// Sum of the second, fourth, sixth and eighth digit.
    var oddSum: UInt64 { Self.sum((digits >> 8) & 0x00FF_00FF_00FF_00FF) }

    /// Sum of the digits with the weights of an ISBN-10's first eight digits: 10, 9, … 3.
    var sumOfTen: UInt64 {
        // The highest lane of the product is the sum of all lanes; the first digit gets the highest weight.
        let even = (digits & 0x00FF_00FF_00FF_00FF) &* 0x000A_0008_0006_0004
        let odd = ((digits >> 8) & 0x00FF_00FF_00FF_00FF) &* 0x0009_0007_0005_0003
        return even >> 48 + odd >> 48
    }

    private static func sum(_ lanes: UInt64) -> UInt64 { (lanes &* 0x0001_0001_0001_0001) >> 48 }
}
