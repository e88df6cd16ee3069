extension Array where Element == UInt8 {
    /// Appends a number in decimal digits, with a minus sign if it is negative.
    @inlinable
    package mutating func append(digitsOf value: Int64) {
        if value < 0 { append(UInt8(ascii: "-")) }
        // 20 digits hold any 64-bit number.
        withUnsafeTemporaryAllocation(of: UInt8.self, capacity: 20) { digits in
            var rest = value.magnitude
            var first = digits.count
            repeat {
                first -= 1
                digits[first] = UInt8(ascii: "0") + UInt8(truncatingIfNeeded: rest % 10)
                rest /= 10
            } while rest != 0
            append(contentsOf: UnsafeBufferPointer(rebasing: digits[first...]))
        }
    }

    /// Appends the bytes of a literal.
    @inline(__always)
    @inlinable
    package mutating func append(_ literal: StaticString) {
        literal.withUTF8Buffer { append(contentsOf: $0) }
    }
}

extension Array where Element == UInt8 {
    /// Calls `body` with the bytes. Unlike `withUnsafeBytes`, it keeps the type of thrown errors.
    @inlinable
    package func lend<Result, Failure: Error>(
        _ body: (UnsafeRawBufferPointer) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        try withUnsafeBufferPointer { buffer throws(Failure) in try body(UnsafeRawBufferPointer(buffer)) }
    }
}

extension Array where Element: Hashable {
    /// The elements without duplicates. The first of equal elements is kept.
    @inlinable
    package var deduplicated: [Element] {
        var seen: Set<Element> = []
        return filter { seen.insert($0).inserted }
    }
}
