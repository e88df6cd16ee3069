/// Converts bytes of another encoding to UTF-8, piece by piece.
///
/// Invalid input becomes a byte that is also invalid in UTF-8. So it sets ``RecordFlags/invalidUTF8`` like
/// any other damage, is shown as one U+FFFD, and is counted correctly by ``TextEncoding/length(onDiskOf:)``.
struct Transcoder {
    /// Replaces a surrogate without its other half.
    static let loneSurrogate: UInt8 = 0xFE
    /// Replaces one byte that begins no character.
    static let invalidByte: UInt8 = 0xFF
    /// Maximum number of output bytes per input byte.
    static let growth = 3
    /// Maximum number of additional bytes, held back from the previous piece.
    static let slack = 8

    private let encoding: TextEncoding
    /// See ``SingleByteTable``; empty for other encodings.
    private let table: [UInt16]
    /// Nil for encodings that are not ``TextEncoding/isMultiByte``.
    private let converter: CharacterConverter?
    private var heldByte: UInt8?
    private var heldSurrogate: UInt16?
    /// Bytes that begin a character, at most 3.
    private var heldBytes: [UInt8] = []

    init(_ encoding: TextEncoding) {
        self.encoding = encoding
        table = SingleByteTable.units(encoding) ?? []
        converter = encoding.isMultiByte ? CharacterConverter(encoding) : nil
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
        case _ where encoding.isMultiByte: return convert(piece, into: buffer)
        case _ where encoding.isSingleByte:
            var end = 0
            for byte in piece {
                let unit = byte < 0x80 ? UInt16(byte) : table[Int(byte) - 0x80]
                if unit == SingleByteTable.undefined {
                    putInvalid(in: buffer, &end)
                } else {
                    put(UInt32(unit), in: buffer, &end)
                }
            }
            return end
        default:
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

    /// At the end of the input, writes the bytes held back into a buffer of at least ``slack`` bytes.
    ///
    /// - Returns: The number of bytes written.
    mutating func finish(into buffer: UnsafeMutableRawBufferPointer) -> Int {
        var end = 0
        dropSurrogate(buffer, &end)
        for _ in heldBytes { putInvalid(in: buffer, &end) }
        heldBytes = []
        return end
    }

    /// Converts characters of several bytes. Of bytes that are no character the first is invalid; the others may be
    /// characters of their own, such as a delimiter.
    private mutating func convert(
        _ piece: UnsafeRawBufferPointer, into buffer: UnsafeMutableRawBufferPointer
    ) -> Int {
        var (at, end) = (0, 0)
        while at < piece.count {
            if !heldBytes.isEmpty {
                heldBytes.append(piece[at])
                at += 1
                convertHeld(into: buffer, &end)
                continue
            }
            switch converter?.convert(piece, from: &at, into: buffer, at: &end) {
            case .complete: break
            case .incomplete where piece.count - at < 4:
                heldBytes = Array(piece[at...])
                at = piece.count
            case .incomplete, .invalid, nil:
                putInvalid(in: buffer, &end)
                at += 1
            }
        }
        return end
    }

    private mutating func convertHeld(into buffer: UnsafeMutableRawBufferPointer, _ end: inout Int) {
        while !heldBytes.isEmpty {
            var at = 0
            let ending = heldBytes.withUnsafeBytes {
                converter?.convert($0, from: &at, into: buffer, at: &end)
            }
            heldBytes.removeFirst(at)
            if ending == .incomplete, heldBytes.count < 4 { return }
            if ending == .complete { continue }
            putInvalid(in: buffer, &end)
            heldBytes.removeFirst()
        }
    }

    private func putInvalid(in buffer: UnsafeMutableRawBufferPointer, _ end: inout Int) {
        buffer[end] = Self.invalidByte
        end += 1
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
}
