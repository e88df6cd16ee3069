public import Bytes

extension JSONReader {
    /// Reads a string without decoding it: compare it, or append it where it belongs.
    public mutating func string() throws(JSONReadError) -> JSONString {
        guard try nextByte() == UInt8(ascii: "\"") else {
            throw JSONReadError(.unexpected(try peek()), at: offset)
        }
        offset += 1
        let first = offset
        var hasEscapes = false
        while true {
            skipPlainStringBytes()
            guard offset < count else { throw JSONReadError(.truncated, at: count) }
            switch start[offset] {
            case UInt8(ascii: "\""):
                let raw = UnsafeRawBufferPointer(start: start + first, count: offset - first)
                offset += 1
                return JSONString(raw: raw, hasEscapes: hasEscapes)
            case UInt8(ascii: "\\"):
                hasEscapes = true
                try skipEscape()
            default:
                // A control character must be escaped.
                guard allowsBareControls else { throw JSONReadError(.syntax, at: offset) }
                hasBareControls = true
                offset += 1
            }
        }
    }

    /// Appends the next string, decoded, to a buffer.
    public mutating func string(into buffer: inout [UInt8]) throws(JSONReadError) {
        try string().append(to: &buffer)
    }

    /// Appends the next string, decoded, to a batch's arena.
    public mutating func text(into arena: inout Arena) throws(JSONReadError) -> Text {
        let string = try string()
        if let plain = string.plainBytes { return arena.append(plain) }
        return arena.append { string.append(to: &$0) }
    }

    /// The next value if it is a string; anything else is skipped and gives nil. For fields whose type
    /// providers vary.
    public mutating func stringIfAny() throws(JSONReadError) -> JSONString? {
        guard try peek() == .string else {
            try skip()
            return nil
        }
        return try string()
    }

    /// The bytes of a number as they stand in the document: `-1.5e3`.
    public mutating func number() throws(JSONReadError) -> UnsafeRawBufferPointer {
        guard try peek() == .number else { throw JSONReadError(.unexpected(try peek()), at: offset) }
        let first = offset
        if start[offset] == UInt8(ascii: "-") { offset += 1 }
        if offset < count, start[offset] == UInt8(ascii: "0") {
            offset += 1
        } else {
            try skipDigits()
        }
        if offset < count, start[offset] == UInt8(ascii: ".") {
            offset += 1
            try skipDigits()
        }
        if offset < count, start[offset] | 0x20 == UInt8(ascii: "e") {
            offset += 1
            if offset < count, start[offset] == UInt8(ascii: "+") || start[offset] == UInt8(ascii: "-") {
                offset += 1
            }
            try skipDigits()
        }
        return UnsafeRawBufferPointer(start: start + first, count: offset - first)
    }

    /// The next number where it is an integer that fits 64 bits; nil for any other number.
    public mutating func integer() throws(JSONReadError) -> Int64? {
        let digits = try number()
        let isNegative = digits[0] == UInt8(ascii: "-")
        var value: Int64 = 0
        for byte in digits.dropFirst(isNegative ? 1 : 0) {
            guard byte >= UInt8(ascii: "0"), byte <= UInt8(ascii: "9") else { return nil }
            let digit = Int64(byte - UInt8(ascii: "0"))
            let (product, overflowed) = value.multipliedReportingOverflow(by: 10)
            let (sum, exceeded) = product.addingReportingOverflow(isNegative ? -digit : digit)
            guard !overflowed, !exceeded else { return nil }
            value = sum
        }
        return value
    }

    /// Reads `true` or `false`.
    public mutating func bool() throws(JSONReadError) -> Bool {
        switch try nextByte() {
        case UInt8(ascii: "t"):
            try expectWord("true")
            return true
        case UInt8(ascii: "f"):
            try expectWord("false")
            return false
        default: throw JSONReadError(.unexpected(try peek()), at: offset)
        }
    }

    /// Passes over a `null`, if that is the next value.
    public mutating func takeNull() throws(JSONReadError) -> Bool {
        guard try peek() == .null else { return false }
        try expectWord("null")
        return true
    }
}

extension JSONReader {
    /// The next byte that is no blank; it is not passed over.
    @inline(__always)
    mutating func nextByte() throws(JSONReadError) -> UInt8 {
        if offset < count, start[offset] > 0x20 { return start[offset] }
        skipBlanks()
        guard offset < count else { throw JSONReadError(.truncated, at: count) }
        return start[offset]
    }

    mutating func skipBlanks() {
        while offset < count {
            switch start[offset] {
            case 0x20, 0x0A, 0x0D, 0x09: offset += 1
            default: return
            }
        }
    }

    @inline(__always)
    mutating func expect(_ byte: UInt8) throws(JSONReadError) {
        guard try nextByte() == byte else { throw JSONReadError(.syntax, at: offset) }
        offset += 1
    }

    mutating func expectWord(_ word: StaticString) throws(JSONReadError) {
        for index in 0..<word.utf8CodeUnitCount {
            guard offset < count else { throw JSONReadError(.truncated, at: count) }
            guard start[offset] == word.utf8Start[index] else { throw JSONReadError(.syntax, at: offset) }
            offset += 1
        }
    }

    private mutating func skipDigits() throws(JSONReadError) {
        let first = offset
        while offset < count, start[offset] &- UInt8(ascii: "0") < 10 { offset += 1 }
        guard offset > first else {
            throw JSONReadError(offset == count ? .truncated : .syntax, at: offset)
        }
    }

    /// Passes over bytes of a string up to a quote, a backslash or a control character, eight at a time.
    @inline(__always)
    private mutating func skipPlainStringBytes() {
        let ones: UInt64 = 0x0101_0101_0101_0101
        let highs: UInt64 = 0x8080_8080_8080_8080
        while offset &+ 8 <= count {
            let word = UInt64(littleEndian: UnsafeRawPointer(start + offset).loadUnaligned(as: UInt64.self))
            let quotes = word ^ (ones &* UInt64(UInt8(ascii: "\"")))
            let slashes = word ^ (ones &* UInt64(UInt8(ascii: "\\")))
            // The classic test for a zero byte, three times: a byte under 0x20 borrows in the last one.
            // Borrows run upwards only, so the lowest mark is exact.
            let marks =
                ((quotes &- ones) & ~quotes | (slashes &- ones) & ~slashes | (word &- ones &* 0x20) & ~word)
                & highs
            if marks != 0 {
                offset &+= marks.trailingZeroBitCount / 8
                return
            }
            offset &+= 8
        }
        while offset < count {
            let byte = start[offset]
            if byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "\\") || byte < 0x20 { return }
            offset &+= 1
        }
    }

    /// Passes over an escape, checking its form (RFC 8259 section 7).
    private mutating func skipEscape() throws(JSONReadError) {
        offset += 1
        guard offset < count else { throw JSONReadError(.truncated, at: count) }
        switch start[offset] {
        case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"), UInt8(ascii: "b"), UInt8(ascii: "f"),
            UInt8(ascii: "n"), UInt8(ascii: "r"), UInt8(ascii: "t"):
            offset += 1
        case UInt8(ascii: "u"):
            offset += 1
            for _ in 0..<4 {
                guard offset < count else { throw JSONReadError(.truncated, at: count) }
                guard start[offset].hexadecimalValue != nil else { throw JSONReadError(.syntax, at: offset) }
                offset += 1
            }
        default: throw JSONReadError(.syntax, at: offset)
        }
    }
}
