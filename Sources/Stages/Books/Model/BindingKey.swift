import Bytes

/// A binding as it is compared: lower-case, each run of blanks and joiners one space.
enum BindingKey {
    /// Writes the key and returns the part of the buffer it fills; the buffer is as long as the part at
    /// least.
    static func write(
        _ bytes: UnsafeRawBufferPointer, part: Range<Int>, into buffer: UnsafeMutableRawBufferPointer
    ) -> UnsafeRawBufferPointer {
        var count = 0
        var at = part.lowerBound
        while at < part.upperBound {
            let byte = bytes[at]
            let blank = bytes.blankLength(at: at, before: part.upperBound)
            if blank > 0 || byte == UInt8(ascii: "_") || byte == UInt8(ascii: "-") {
                if count > 0, buffer[count - 1] != 0x20 {
                    buffer[count] = 0x20
                    count += 1
                }
                at += max(1, blank)
                continue
            }
            buffer[count] = lowered(byte, after: at > part.lowerBound ? bytes[at - 1] : 0)
            count += 1
            at += 1
        }
        return UnsafeRawBufferPointer(rebasing: buffer[..<count])
    }

    /// Lower case of ASCII and, in the second byte, of the Latin letters U+00C0…U+00DE.
    private static func lowered(_ byte: UInt8, after previous: UInt8) -> UInt8 {
        if byte &- UInt8(ascii: "A") < 26 { return byte | 0x20 }
        if previous == 0xC3, (0x80...0x9E).contains(byte), byte != 0x97 { return byte + 0x20 }
        return byte
    }
}
