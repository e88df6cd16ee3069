/// Makes control characters in data visible, for data that is shown on a terminal.
///
/// A file can contain characters that move the cursor, retitle the window or reverse the direction of text. They
/// become `\u001b`, which is also the character's escape in JSON. In a file or a pipe data stays as it is.
enum VisibleControls {
    /// The bytes with visible control characters, except tabs and line ends.
    static func escape(_ bytes: [UInt8]) -> [UInt8] {
        guard bytes.contains(where: mayBeControl) else { return bytes }
        var text: [UInt8] = []
        text.reserveCapacity(bytes.count + 64)
        var index = 0
        while index < bytes.count {
            let (scalar, length) = control(in: bytes, at: index)
            if let scalar {
                let digits = String(scalar, radix: 16)
                text.append(contentsOf: "\\u".utf8)
                text.append(contentsOf: repeatElement(UInt8(ascii: "0"), count: 4 - digits.utf8.count))
                text.append(contentsOf: digits.utf8)
            } else {
                text.append(contentsOf: bytes[index..<index + length])
            }
            index += length
        }
        return text
    }

    private static func mayBeControl(_ byte: UInt8) -> Bool {
        byte < 0x20 && byte != UInt8(ascii: "\n") && byte != UInt8(ascii: "\t")
            || byte == 0x7F || byte == 0xC2 || byte == 0xD8 || byte == 0xE2
    }

    /// The control character at an index, if there is one, and the number of bytes to go on by.
    private static func control(in bytes: [UInt8], at index: Int) -> (scalar: UInt32?, length: Int) {
        func byte(_ offset: Int) -> UInt8 { index + offset < bytes.count ? bytes[index + offset] : 0 }
        switch bytes[index] {
        case UInt8(ascii: "\n"), UInt8(ascii: "\t"): return (nil, 1)
        case UInt8(ascii: "\r") where byte(1) == UInt8(ascii: "\n"): return (nil, 1)
        case let first where first < 0x20 || first == 0x7F: return (UInt32(first), 1)
        case 0xC2 where (0x80...0x9F).contains(byte(1)): return (UInt32(byte(1)), 2)
        // The Arabic letter mark.
        case 0xD8 where byte(1) == 0x9C: return (0x61C, 2)
        case 0xE2:
            let scalar = 0x2000 | UInt32(byte(1) & 0x3F) << 6 | UInt32(byte(2) & 0x3F)
            switch scalar {
            // Marks of direction, embeddings, overrides, isolates, and separators of lines.
            case 0x200E, 0x200F, 0x2028...0x202E, 0x2066...0x2069: return (scalar, 3)
            default: return (nil, 1)
            }
        default: return (nil, 1)
        }
    }
}
