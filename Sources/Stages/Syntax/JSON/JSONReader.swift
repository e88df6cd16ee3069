public import Bytes

/// A pull parser over the bytes of one JSON document (RFC 8259): provider answers and lines of dumps.
///
/// It builds nothing. A decoder walks the document, takes what it knows and leaves the rest, which is
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
/// Total on hostile input: any bytes give a value or a ``JSONReadError``, in time linear in their number and
/// with no recursion of its own. What is skipped is checked like what is read. Nesting stops at
/// ``depthLimit``. Bytes that are not UTF-8 inside a string do not lose the record: they show as U+FFFD. A
/// byte order mark is passed over.
public struct JSONReader {
    /// Levels of objects and arrays that a document may nest. Real answers of providers stay under 12.
    public static let depthLimit = 64

    let start: UnsafePointer<UInt8>
    let count: Int
    /// Offset in bytes of what is read next.
    public internal(set) var offset: Int
    private(set) var depth = 0
    /// Whether strings may hold control characters as they are, against RFC 8259: files of people do.
    var allowsBareControls = false
    /// Whether one did.
    var hasBareControls = false

    /// - Parameter bytes: The document. They must outlive the reader and every ``JSONString`` it hands out.
    public init(_ bytes: UnsafeRawBufferPointer) {
        // An empty buffer may have no address: any will do, since nothing is ever read from it.
        start = (bytes.baseAddress ?? UnsafeRawPointer(bitPattern: 1)).unsafelyUnwrapped
            .assumingMemoryBound(to: UInt8.self)
        count = bytes.count
        offset = bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? 3 : 0
    }

    /// Lends a document's bytes to a decoder.
    public static func read<Result>(
        _ bytes: [UInt8], _ decode: (inout JSONReader) throws(JSONReadError) -> Result
    ) throws(JSONReadError) -> Result {
        try bytes.withUnsafeBufferPointer { buffer throws(JSONReadError) in
            var reader = JSONReader(UnsafeRawBufferPointer(buffer))
            return try decode(&reader)
        }
    }

    /// The kind of the value that comes next; reads past blanks only.
    public mutating func peek() throws(JSONReadError) -> JSONKind {
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

    /// Walks an object: `body` gets each key in the document's order and reads its value, or leaves it, and
    /// then the value is skipped.
    ///
    /// - Throws: ``JSONReadError/Kind/unexpected(_:)`` where the next value is no object.
    @inline(__always)
    public mutating func forEachKey(
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

    /// Walks an array: `body` reads each element, or leaves it, and then it is skipped.
    ///
    /// - Throws: ``JSONReadError/Kind/unexpected(_:)`` where the next value is no array.
    @inline(__always)
    public mutating func forEachElement(
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

    /// Passes over the next value, whatever it is, checking its form.
    public mutating func skip() throws(JSONReadError) {
        // One bit a level, the innermost lowest: 1 for an object, 0 for an array.
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

    /// Makes sure that nothing but blanks follows the document's value.
    public mutating func finish() throws(JSONReadError) {
        skipBlanks()
        guard offset == count else { throw JSONReadError(.trailingBytes, at: offset) }
    }

    private mutating func skipKey() throws(JSONReadError) {
        _ = try string()
        try expect(UInt8(ascii: ":"))
    }

    /// Enters a container; false where it is empty, and then it is left again.
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

    /// After a member: true at a comma, false at the container's end, which is left.
    private mutating func continues(_ end: UInt8) throws(JSONReadError) -> Bool {
        let byte = try nextByte()
        guard byte == UInt8(ascii: ",") || byte == end else { throw JSONReadError(.syntax, at: offset) }
        offset += 1
        if byte == end { depth -= 1 }
        return byte != end
    }
}

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
