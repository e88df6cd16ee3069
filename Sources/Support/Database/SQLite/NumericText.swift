/// A plain number: digits, optionally followed by a decimal point and more digits.
enum NumericText: Equatable {
    case integer(Int64)
    case decimal(Double)

    /// Up to this many digits are exact as a `Double`, and dividing them by a power of ten rounds correctly.
    private static let maxDigits = 15
    private static let powers: [Double] = [
        1, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15,
    ]

    /// Nil for anything else: signs, exponents, blanks, more than 15 digits, no digit before or after the
    /// point.
    @inline(__always)
    init?(_ bytes: UnsafeRawBufferPointer) {
        guard !bytes.isEmpty, bytes.count <= Self.maxDigits + 1 else { return nil }
        var value: Int64 = 0
        var point: Int?
        for (index, byte) in bytes.enumerated() {
            let digit = byte &- 0x30
            if digit < 10 {
                value = value &* 10 &+ Int64(digit)
            } else if byte == 0x2E, point == nil, index > 0, index + 1 < bytes.count {
                point = index
            } else {
                return nil
            }
        }
        if let point {
            self = .decimal(Double(value) / Self.powers[bytes.count - point - 1])
        } else {
            guard bytes.count <= Self.maxDigits else { return nil }
            self = .integer(value)
        }
    }
}
