package import Bytes

/// A pull parser for one JSON document (RFC 8259), such as a provider's answer or a line of a dump.
///
/// It builds no tree. A decoder walks through the document and reads the values it needs. Other values are
/// skipped:
///
///     try reader.forEachKey { key, reader throws(JSONReadError) in
///         switch key {
///         case "title": title = try reader.text(into: &arena)
///         case "authors": try reader.forEachElement { … }
///         default: break
///         }
///     }
///
/// Any bytes give a value or a ``JSONReadError``, in time linear in their number. The reader itself does not
/// recurse. Skipped values are checked like values that are read. Nesting is limited to ``depthLimit``. Bytes
/// in a string that are not UTF-8 become U+FFFD and do not invalidate the document. A byte order mark is
/// skipped.
package struct JSONReader {
    /// Maximum nesting of objects and arrays. Real answers of providers have fewer than 12 levels.
    package static let depthLimit = 64

    let start: UnsafePointer<UInt8>
    let count: Int
    /// Offset of the next byte to read.
    package internal(set) var offset: Int
    private(set) var depth = 0
    /// Whether strings may contain unescaped control characters. RFC 8259 forbids them, but users' files have
    /// them.
    var allowsBareControls = false
    /// Whether a string contained one.
    var hasBareControls = false

    /// - Parameter bytes: The document. The bytes must outlive the reader and every ``JSONString`` it
    ///   returns.
    package init(_ bytes: UnsafeRawBufferPointer) {
        // An empty buffer may have no address. Any address works, since nothing is read from it.
        start = (bytes.baseAddress ?? UnsafeRawPointer(bitPattern: 1)).unsafelyUnwrapped
            .assumingMemoryBound(to: UInt8.self)
        count = bytes.count
        offset = bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? 3 : 0
    }

    /// Calls a decoder with a reader of a document's bytes.
    package static func read<Result>(
        _ bytes: [UInt8], _ decode: (inout JSONReader) throws(JSONReadError) -> Result
    ) throws(JSONReadError) -> Result {
        try bytes.withUnsafeBufferPointer { buffer throws(JSONReadError) in
            var reader = JSONReader(UnsafeRawBufferPointer(buffer))
            return try decode(&reader)
        }
    }

    /// The kind of the next value. Skips only whitespace.
    package mutating func peek() throws(JSONReadError) -> JSONKind {
        switch try nextByte() {
        case UInt8(ascii: "{"): return .object
        case UInt8(ascii: "["): return .array
        case UInt8(ascii: "\""): return .string
        case UInt8(ascii: "-"), UInt8(ascii: "0")...UInt8(ascii: "9"): return .number
        case UInt8(ascii: "t"), UInt8(ascii: "f"): return .bool
        case UInt8(ascii: "n"): return .null
        default: throw JSONReadError(.syntax, at: offset)
        }
    }

    /// Walks through an object. `body` gets each key in the document's order and may read its value;
    /// otherwise the value is skipped.
    ///
    /// - Throws: ``JSONReadError/Kind/unexpected(_:)`` if the next value is not an object.
    @inline(__always)
    package mutating func forEachKey(
        _ body: (JSONString, inout JSONReader) throws(JSONReadError) -> Void
    ) throws(JSONReadError) {
        guard try enter(UInt8(ascii: "{"), end: UInt8(ascii: "}")) else { return }
        repeat {
            let key = try string()
            try expect(UInt8(ascii: ":"))
            _ = try nextByte()
            let valueOffset = offset
            try body(key, &self)
            if offset == valueOffset { try skip() }
        } while try continues(UInt8(ascii: "}"))
    }

    /// Walks through an array. `body` may read each element; otherwise the element is skipped.
    ///
    /// - Throws: ``JSONReadError/Kind/unexpected(_:)`` if the next value is not an array.
    @inline(__always)
    package mutating func forEachElement(
        _ body: (inout JSONReader) throws(JSONReadError) -> Void
    ) throws(JSONReadError) {
        guard try enter(UInt8(ascii: "["), end: UInt8(ascii: "]")) else { return }
        repeat {
            _ = try nextByte()
            let valueOffset = offset
            try body(&self)
            if offset == valueOffset { try skip() }
        } while try continues(UInt8(ascii: "]"))
    }

    /// Skips the next value of any kind, and checks its syntax.
    package mutating func skip() throws(JSONReadError) {
        // One bit per level, the innermost lowest: 1 for an object, 0 for an array.
        var objects: UInt64 = 0
        let outerDepth = depth
        while true {
            switch try peek() {
            case .object:
                if try enter(UInt8(ascii: "{"), end: UInt8(ascii: "}")) {
                    objects = objects << 1 | 1
                    try skipKey()
                    continue
                }
            case .array:
                if try enter(UInt8(ascii: "["), end: UInt8(ascii: "]")) {
                    objects <<= 1
                    continue
                }
            case .string:
                _ = try string()
            case .number:
                _ = try number()
            case .bool:
                _ = try bool()
            case .null:
                try expectWord("null")
            }
            while depth > outerDepth {
                let isObject = objects & 1 == 1
                if try continues(isObject ? UInt8(ascii: "}") : UInt8(ascii: "]")) {
                    if isObject { try skipKey() }
                    break
                }
                objects >>= 1
            }
            if depth == outerDepth { return }
        }
    }

    /// Checks that only whitespace follows the document's value.
    package mutating func finish() throws(JSONReadError) {
        skipBlanks()
        guard offset == count else { throw JSONReadError(.trailingBytes, at: offset) }
    }

    private mutating func skipKey() throws(JSONReadError) {
        _ = try string()
        try expect(UInt8(ascii: ":"))
    }

    /// Enters a container. If it is empty, leaves it again and returns false.
    private mutating func enter(_ open: UInt8, end: UInt8) throws(JSONReadError) -> Bool {
        guard try nextByte() == open else { throw JSONReadError(.unexpected(try peek()), at: offset) }
        guard depth < Self.depthLimit else { throw JSONReadError(.tooDeep, at: offset) }
        offset += 1
        if try nextByte() == end {
            offset += 1
            return false
        }
        depth += 1
        return true
    }

    /// Reads what follows a member: true at a comma; false at the container's end, which is left.
    private mutating func continues(_ end: UInt8) throws(JSONReadError) -> Bool {
        let byte = try nextByte()
        guard byte == UInt8(ascii: ",") || byte == end else { throw JSONReadError(.syntax, at: offset) }
        offset += 1
        if byte == end { depth -= 1 }
        return byte != end
    }
}

extension JSONReader {
    /// Reads a string without decoding it.
    package mutating func string() throws(JSONReadError) -> JSONString {
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

    /// Decodes the next string and appends it to a buffer.
    package mutating func string(into buffer: inout [UInt8]) throws(JSONReadError) {
        try string().append(to: &buffer)
    }

    /// Decodes the next string and appends it to a batch's arena.
    package mutating func text(into arena: inout Arena) throws(JSONReadError) -> Text {
        let string = try string()
        if let plain = string.plainBytes { return arena.append(plain) }
        return arena.append { string.append(to: &$0) }
    }

    /// The next value if it is a string. Any other value is skipped and gives nil. For fields whose type
    /// varies between providers' answers.
    package mutating func stringIfAny() throws(JSONReadError) -> JSONString? {
        guard try peek() == .string else {
            try skip()
            return nil
        }
        return try string()
    }

    /// The bytes of a number as written in the document: `-1.5e3`.
    package mutating func number() throws(JSONReadError) -> UnsafeRawBufferPointer {
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

    /// The next number if it is an integer that fits in 64 bits; nil for any other number.
    package mutating func integer() throws(JSONReadError) -> Int64? {
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

    /// An integer, written as a number or as a string of digits.
    package mutating func wholeNumber() throws(JSONReadError) -> Int64? {
        switch try peek() {
        case .number: return try integer()
        case .string: return Int64(try string().string)
        default:
            try skip()
            return nil
        }
    }

    /// Reads `true` or `false`.
    package mutating func bool() throws(JSONReadError) -> Bool {
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

    /// Skips the next value if it is `null`, and returns whether it was.
    package mutating func takeNull() throws(JSONReadError) -> Bool {
        guard try peek() == .null else { return false }
        try expectWord("null")
        return true
    }
}

extension JSONReader {
    /// The next byte that is not whitespace. It is not consumed.
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

    /// Skips bytes of a string up to a quote, a backslash or a control character, eight at a time.
    @inline(__always)
    private mutating func skipPlainStringBytes() {
        let ones: UInt64 = 0x0101_0101_0101_0101
        let highs: UInt64 = 0x8080_8080_8080_8080
        while offset &+ 8 <= count {
            let word = UInt64(littleEndian: UnsafeRawPointer(start + offset).loadUnaligned(as: UInt64.self))
            let quotes = word ^ (ones &* UInt64(UInt8(ascii: "\"")))
            let slashes = word ^ (ones &* UInt64(UInt8(ascii: "\\")))
            // The classic test for a zero byte, three times. In the last one, a byte below 0x20 borrows.
            // Borrows only affect higher bytes, so the lowest mark is exact.
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

    /// Skips an escape and checks its syntax (RFC 8259 section 7).
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
