/// Converts bytes of another encoding to UTF-8, piece by piece.
///
/// Invalid input becomes a byte that is also invalid in UTF-8. So it sets ``RecordFlags/invalidUTF8`` like
/// any other damage, is shown as one U+FFFD, and is counted correctly by ``TextEncoding/length(onDiskOf:)``.
struct Transcoder {
    /// Replaces a surrogate without its other half.
    static let loneSurrogate: UInt8 = 0xFE
    /// Maximum number of output bytes per input byte.
    static let growth = 3
    /// Maximum number of additional bytes, from what was held back of the previous piece.
    static let slack = 8

    private let encoding: TextEncoding
    private var heldByte: UInt8?
    private var heldSurrogate: UInt16?

    init(_ encoding: TextEncoding) {
        self.encoding = encoding
    }

    /// Writes a piece as UTF-8 into a buffer of at least ``growth`` × its length + ``slack`` bytes.
    ///
    /// - Returns: The number of bytes written.
    mutating func transcode(_ piece: UnsafeRawBufferPointer, into buffer: UnsafeMutableRawBufferPointer)
        -> Int
    {
        switch encoding {
        case .utf8:
            buffer.copyMemory(from: piece)
            return piece.count
        case .windows1252:
            var end = 0
            for byte in piece {
                let isInTable = (0x80..<0xA0).contains(byte)
                put(UInt32(isInTable ? Self.windows1252[Int(byte) - 0x80] : UInt16(byte)), in: buffer, &end)
            }
            return end
        case .macRoman:
            var end = 0
            for byte in piece {
                put(UInt32(byte < 0x80 ? UInt16(byte) : Self.macRoman[Int(byte) - 0x80]), in: buffer, &end)
            }
            return end
        case .utf16LittleEndian, .utf16BigEndian:
            var end = 0
            for byte in piece {
                guard let first = heldByte else {
                    heldByte = byte
                    continue
                }
                heldByte = nil
                let unit =
                    encoding == .utf16LittleEndian
                    ? UInt16(byte) << 8 | UInt16(first) : UInt16(first) << 8 | UInt16(byte)
                take(unit, buffer, &end)
            }
            return end
        }
    }

    /// Whether half a UTF-16 unit is held back. At the end of the input this means that the input was
    /// truncated.
    var holdsHalfUnit: Bool { heldByte != nil }

    /// At the end of the input, writes what was held back into a buffer of at least ``slack`` bytes.
    ///
    /// - Returns: The number of bytes written.
    mutating func finish(into buffer: UnsafeMutableRawBufferPointer) -> Int {
        var end = 0
        dropSurrogate(buffer, &end)
        return end
    }

    private mutating func take(_ unit: UInt16, _ buffer: UnsafeMutableRawBufferPointer, _ end: inout Int) {
        if let high = heldSurrogate, UTF16.isTrailSurrogate(unit) {
            heldSurrogate = nil
            put(0x10000 + (UInt32(high) - 0xD800) << 10 + (UInt32(unit) - 0xDC00), in: buffer, &end)
            return
        }
        dropSurrogate(buffer, &end)
        if UTF16.isLeadSurrogate(unit) {
            heldSurrogate = unit
        } else if UTF16.isTrailSurrogate(unit) {
            buffer[end] = Self.loneSurrogate
            end += 1
        } else {
            put(UInt32(unit), in: buffer, &end)
        }
    }

    private mutating func dropSurrogate(_ buffer: UnsafeMutableRawBufferPointer, _ end: inout Int) {
        guard heldSurrogate != nil else { return }
        heldSurrogate = nil
        buffer[end] = Self.loneSurrogate
        end += 1
    }

    /// Appends a character's UTF-8.
    @inline(__always)
    private func put(_ scalar: UInt32, in buffer: UnsafeMutableRawBufferPointer, _ end: inout Int) {
        func continuation(_ shift: UInt32) -> UInt8 {
            UInt8(truncatingIfNeeded: scalar >> shift & 0x3F | 0x80)
        }
        switch scalar {
        case 0..<0x80:
            buffer[end] = UInt8(truncatingIfNeeded: scalar)
            end += 1
        case 0x80..<0x800:
            buffer[end] = UInt8(truncatingIfNeeded: scalar >> 6 | 0xC0)
            buffer[end + 1] = continuation(0)
            end += 2
        case 0x800..<0x10000:
            buffer[end] = UInt8(truncatingIfNeeded: scalar >> 12 | 0xE0)
            buffer[end + 1] = continuation(6)
            buffer[end + 2] = continuation(0)
            end += 3
        default:
            buffer[end] = UInt8(truncatingIfNeeded: scalar >> 18 | 0xF0)
            buffer[end + 1] = continuation(12)
            buffer[end + 2] = continuation(6)
            buffer[end + 3] = continuation(0)
            end += 4
        }
    }

    /// Characters of the bytes 0x80…0x9F (WHATWG Encoding Standard, index windows-1252).
    private static let windows1252: [UInt16] = [
        0x20AC, 0x0081, 0x201A, 0x0192, 0x201E, 0x2026, 0x2020, 0x2021,
        0x02C6, 0x2030, 0x0160, 0x2039, 0x0152, 0x008D, 0x017D, 0x008F,
        0x0090, 0x2018, 0x2019, 0x201C, 0x201D, 0x2022, 0x2013, 0x2014,
        0x02DC, 0x2122, 0x0161, 0x203A, 0x0153, 0x009D, 0x017E, 0x0178,
    ]

    /// Characters of the bytes 0x80…0xFF (WHATWG Encoding Standard, index macintosh).
    private static let macRoman: [UInt16] = [
        0x00C4, 0x00C5, 0x00C7, 0x00C9, 0x00D1, 0x00D6, 0x00DC, 0x00E1,
        0x00E0, 0x00E2, 0x00E4, 0x00E3, 0x00E5, 0x00E7, 0x00E9, 0x00E8,
        0x00EA, 0x00EB, 0x00ED, 0x00EC, 0x00EE, 0x00EF, 0x00F1, 0x00F3,
        0x00F2, 0x00F4, 0x00F6, 0x00F5, 0x00FA, 0x00F9, 0x00FB, 0x00FC,
        0x2020, 0x00B0, 0x00A2, 0x00A3, 0x00A7, 0x2022, 0x00B6, 0x00DF,
        0x00AE, 0x00A9, 0x2122, 0x00B4, 0x00A8, 0x2260, 0x00C6, 0x00D8,
        0x221E, 0x00B1, 0x2264, 0x2265, 0x00A5, 0x00B5, 0x2202, 0x2211,
        0x220F, 0x03C0, 0x222B, 0x00AA, 0x00BA, 0x03A9, 0x00E6, 0x00F8,
        0x00BF, 0x00A1, 0x00AC, 0x221A, 0x0192, 0x2248, 0x2206, 0x00AB,
        0x00BB, 0x2026, 0x00A0, 0x00C0, 0x00C3, 0x00D5, 0x0152, 0x0153,
        0x2013, 0x2014, 0x201C, 0x201D, 0x2018, 0x2019, 0x00F7, 0x25CA,
        0x00FF, 0x0178, 0x2044, 0x20AC, 0x2039, 0x203A, 0xFB01, 0xFB02,
        0x2021, 0x00B7, 0x201A, 0x201E, 0x2030, 0x00C2, 0x00CA, 0x00C1,
        0x00CB, 0x00C8, 0x00CD, 0x00CE, 0x00CF, 0x00CC, 0x00D3, 0x00D4,
        0xF8FF, 0x00D2, 0x00DA, 0x00DB, 0x00D9, 0x0131, 0x02C6, 0x02DC,
        0x00AF, 0x02D8, 0x02D9, 0x02DA, 0x00B8, 0x02DD, 0x02DB, 0x02C7,
    ]
}
