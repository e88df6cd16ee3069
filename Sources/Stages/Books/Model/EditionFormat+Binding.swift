import Bytes

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
