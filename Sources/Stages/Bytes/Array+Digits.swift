extension Array where Element == UInt8 {
    /// Appends the decimal digits of a number, a minus before them where it is below 0.
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
    /// Lends the bytes to a body that may throw: `withUnsafeBytes` forgets the type of what it throws.
    @inlinable
    package func lend<Result, Failure: Error>(
        _ body: (UnsafeRawBufferPointer) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        try withUnsafeBufferPointer { buffer throws(Failure) in try body(UnsafeRawBufferPointer(buffer)) }
    }
}

extension Array where Element: Hashable {
    /// Each element once, at its first place.
    @inlinable
    package var deduplicated: [Element] {
        var seen: Set<Element> = []
        return filter { seen.insert($0).inserted }
    }
}
