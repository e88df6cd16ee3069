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
        } while try goesOn(UInt8(ascii: "}"))
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
        } while try goesOn(UInt8(ascii: "]"))
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
                if try goesOn(isObject ? UInt8(ascii: "}") : UInt8(ascii: "]")) {
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
    private mutating func goesOn(_ end: UInt8) throws(JSONReadError) -> Bool {
        let byte = try nextByte()
        guard byte == UInt8(ascii: ",") || byte == end else { throw JSONReadError(.syntax, at: offset) }
        offset += 1
        if byte == end { depth -= 1 }
        return byte != end
    }
}
