import Pipeline

/// JSON arrays of strings, one a line (RFC 8259), in memory that is used again.
struct JSONLines: ~Copyable {
    /// Bytes that one byte of text becomes at the most: `\u001f`.
    private static let growth = 6

    private var buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: 1 << 20, alignment: 16)
    private var end = 0

    deinit {
        buffer.deallocate()
    }

    /// Appends a line.
    ///
    /// - Parameter areUTF8: False where bytes may have to be shown as U+FFFD.
    mutating func append(_ cells: ArraySlice<Text>, in arena: UnsafeRawBufferPointer, areUTF8: Bool) {
        var separator = UInt8(ascii: "[")
        for cell in cells {
            let value = UnsafeRawBufferPointer(rebasing: arena[cell.range])
            if areUTF8 {
                append(value, after: separator)
            } else {
                var repaired = String(decoding: value, as: UTF8.self)
                repaired.withUTF8 { append(UnsafeRawBufferPointer($0), after: separator) }
            }
            separator = UInt8(ascii: ",")
        }
        reserve(2)
        put(UInt8(ascii: "]"))
        put(UInt8(ascii: "\n"))
    }

    /// Hands over what there is and begins anew.
    mutating func flush(
        to write: (UnsafeRawBufferPointer) throws(StageFailure) -> Void
    ) throws(StageFailure) {
        guard end > 0 else { return }
        try write(UnsafeRawBufferPointer(rebasing: buffer[..<end]))
        end = 0
    }

    /// Appends a string in quotes; quote, backslash and control characters are escaped.
    private mutating func append(_ text: UnsafeRawBufferPointer, after separator: UInt8) {
        reserve(Self.growth * text.count + 3)
        put(separator)
        put(UInt8(ascii: "\""))
        var plain = 0
        for at in 0..<text.count {
            let byte = text[at]
            guard byte < 0x20 || byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "\\") else { continue }
            put(UnsafeRawBufferPointer(rebasing: text[plain..<at]))
            putEscaped(byte)
            plain = at + 1
        }
        put(UnsafeRawBufferPointer(rebasing: text[plain...]))
        put(UInt8(ascii: "\""))
    }

    private mutating func putEscaped(_ byte: UInt8) {
        put(UInt8(ascii: "\\"))
        switch byte {
        case UInt8(ascii: "\n"): put(UInt8(ascii: "n"))
        case UInt8(ascii: "\r"): put(UInt8(ascii: "r"))
        case UInt8(ascii: "\t"): put(UInt8(ascii: "t"))
        case 0..<0x20:
            for character in "u00".utf8 { put(character) }
            put(UInt8(ascii: "0") + byte >> 4)
            put(byte & 0xF < 10 ? UInt8(ascii: "0") + byte & 0xF : UInt8(ascii: "a") + byte & 0xF - 10)
        default: put(byte)
        }
    }

    /// Appends a byte for which room has been made.
    @inline(__always)
    private mutating func put(_ byte: UInt8) {
        buffer[end] = byte
        end &+= 1
    }

    private mutating func put(_ bytes: UnsafeRawBufferPointer) {
        UnsafeMutableRawBufferPointer(rebasing: buffer[end...]).copyMemory(from: bytes)
        end += bytes.count
    }

    private mutating func reserve(_ count: Int) {
        guard end + count > buffer.count else { return }
        let larger = UnsafeMutableRawBufferPointer.allocate(
            byteCount: max(2 * buffer.count, end + count), alignment: 16)
        larger.copyMemory(from: UnsafeRawBufferPointer(rebasing: buffer[..<end]))
        buffer.deallocate()
        buffer = larger
    }
}
