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
