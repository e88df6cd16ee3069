import Bytes

/// A string or key as written in the document, between its quotes and with its escapes.
///
/// It points into the document, so it is valid only as long as the bytes of the ``JSONReader``.
package struct JSONString {
    /// The bytes between the quotes.
    package let raw: UnsafeRawBufferPointer
    /// Whether the bytes contain a backslash.
    let hasEscapes: Bool

    /// The bytes themselves if they need no decoding (no escapes, valid UTF-8); nil otherwise.
    package var plainBytes: UnsafeRawBufferPointer? {
        !hasEscapes && raw.isUTF8 ? raw : nil
    }

    /// Appends the string as UTF-8. Escapes are decoded and surrogate pairs joined. A single surrogate and
    /// bytes that are not UTF-8 become U+FFFD.
    package func append(to buffer: inout [UInt8]) {
        guard hasEscapes else {
            Self.appendRepaired(raw, to: &buffer)
            return
        }
        var index = 0
        while index < raw.count {
            let runStart = index
            while index < raw.count, raw[index] != UInt8(ascii: "\\") { index += 1 }
            if index > runStart {
                Self.appendRepaired(UnsafeRawBufferPointer(rebasing: raw[runStart..<index]), to: &buffer)
            }
            if index < raw.count { index = appendEscape(at: index, to: &buffer) }
        }
    }

    /// The decoded bytes, as ``append(to:)`` appends them.
    package var bytes: [UInt8] {
        var buffer: [UInt8] = []
        buffer.reserveCapacity(raw.count)
        append(to: &buffer)
        return buffer
    }

    /// The decoded string.
    package var string: String { String(decoding: bytes, as: UTF8.self) }

    /// Whether the decoded string equals this literal. Lets a decoder write `switch key { case "title": … }`.
    @inline(__always)
    package static func ~= (literal: StaticString, string: JSONString) -> Bool { string == literal }

    /// Whether the decoded string equals this literal.
    @inline(__always)
    package static func == (string: JSONString, literal: StaticString) -> Bool {
        if string.hasEscapes { return string.decodedEquals(literal) }
        return literal.withUTF8Buffer { bytes in
            guard bytes.count == string.raw.count else { return false }
            for index in 0..<bytes.count where bytes[index] != string.raw[index] { return false }
            return true
        }
    }

    private func decodedEquals(_ literal: StaticString) -> Bool {
        let decoded = bytes
        return literal.withUTF8Buffer { $0.elementsEqual(decoded) }
    }

    /// Decodes the escape that begins at `start` and returns where it ends. The reader has checked its
    /// syntax.
    private func appendEscape(at start: Int, to buffer: inout [UInt8]) -> Int {
        guard start + 1 < raw.count else { return raw.count }
        let simple: UInt8
        switch raw[start + 1] {
        case UInt8(ascii: "n"): simple = 0x0A
        case UInt8(ascii: "t"): simple = 0x09
        case UInt8(ascii: "r"): simple = 0x0D
        case UInt8(ascii: "b"): simple = 0x08
        case UInt8(ascii: "f"): simple = 0x0C
        case UInt8(ascii: "u"): return appendUnicodeEscape(at: start, to: &buffer)
        case let other: simple = other
        }
        buffer.append(simple)
        return start + 2
    }

    private func appendUnicodeEscape(at start: Int, to buffer: inout [UInt8]) -> Int {
        guard let unit = codeUnit(at: start) else { return raw.count }
        var code = UInt32(unit)
        var end = start + 6
        if UTF16.isLeadSurrogate(unit), let trail = codeUnit(at: end), UTF16.isTrailSurrogate(trail) {
            code = 0x10000 + (UInt32(unit) - 0xD800) << 10 + (UInt32(trail) - 0xDC00)
            end += 6
        }
        let scalar = Unicode.Scalar(code) ?? "\u{FFFD}"
        buffer.append(contentsOf: UTF8.encode(scalar) ?? UTF8.encodedReplacementCharacter)
        return end
    }

    /// The value of a `\u` escape at `start`; nil if there is none.
    private func codeUnit(at start: Int) -> UInt16? {
        guard start + 6 <= raw.count, raw[start] == UInt8(ascii: "\\"), raw[start + 1] == UInt8(ascii: "u")
        else { return nil }
        var value: UInt16 = 0
        for index in start + 2..<start + 6 {
            guard let digit = raw[index].hexadecimalValue else { return nil }
            value = value << 4 | UInt16(digit)
        }
        return value
    }

    private static func appendRepaired(_ bytes: UnsafeRawBufferPointer, to buffer: inout [UInt8]) {
        if bytes.isUTF8 {
            buffer.append(contentsOf: bytes)
        } else {
            buffer.append(contentsOf: String(decoding: bytes, as: UTF8.self).utf8)
        }
    }
}

extension UInt8 {
    /// 0–15 if the byte is a hexadecimal digit of either case.
    @inline(__always)
    var hexadecimalValue: UInt8? {
        switch self {
        case UInt8(ascii: "0")...UInt8(ascii: "9"): self - UInt8(ascii: "0")
        case UInt8(ascii: "a")...UInt8(ascii: "f"): self - UInt8(ascii: "a") + 10
        case UInt8(ascii: "A")...UInt8(ascii: "F"): self - UInt8(ascii: "A") + 10
        default: nil
        }
    }
}
