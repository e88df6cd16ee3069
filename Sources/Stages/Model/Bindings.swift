/// Reading a binding: what library exports and providers (Open Library's `physical_format` …) say of an
/// edition's outer form, in any case and in a dozen languages.
extension EditionFormat {
    /// Maps a binding to a format (contract.md section 3; providers.md 1.7); nil where the text says nothing
    /// of the kind (`Unknown Binding`, `Comic`, empty), which is for the merge to decide.
    ///
    /// The whole text is looked up first, then searched for telling parts in an order that matters: `audio`
    /// before `cd`, `mass market` before `paper`. Case, blanks, `_` and `-` make no difference:
    /// `kindle_edition`, `E-Book `. Texts longer than 128 bytes are descriptions, not bindings, and are
    /// searched no further.
    public init?(binding bytes: UnsafeRawBufferPointer) {
        // Nine bindings of ten are one of these two, spelled just so.
        if bytes.count == 9 {
            switch bytes.loadUnaligned(fromByteOffset: 0, as: UInt64.self).littleEndian {
            case Self.paperbac where bytes[8] == UInt8(ascii: "k"):
                self = .paperback
                return
            case Self.hardcove where bytes[8] == UInt8(ascii: "r"):
                self = .hardcover
                return
            default: break
            }
        }
        let part = bytes.trimmedBlanks
        guard !part.isEmpty else { return nil }
        let longest = 128
        let format = withUnsafeTemporaryAllocation(byteCount: longest, alignment: 1) { buffer in
            let key = BindingKey.write(bytes, part: part.prefix(longest), into: buffer)
            return BindingTable.shared.format(of: key)
        }
        guard let format else { return nil }
        self = format
    }

    /// The first eight bytes of `Paperback` and `Hardcover` as little-endian numbers.
    private static let paperbac: UInt64 = 0x6361_6272_6570_6150
    private static let hardcove: UInt64 = 0x6576_6F63_6472_6148
}

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
