import Bytes

/// Splits a RIS file at its records: from a line that begins with `TY  -` to one that begins with `ER  -`.
package struct RISFraming: RecordFraming {
    package private(set) var isInRecord = false

    /// Bytes of a line that are looked at again when more of it arrives.
    private static let lookBack = 64

    package init() {}

    package mutating func next(in bytes: UnsafeRawBufferPointer, from offset: Int) -> FrameMark {
        let start = max(0, offset - Self.lookBack)
        if !isInRecord {
            guard let begin = Self.line("TY", in: bytes, from: start) else { return .needsInput }
            isInRecord = true
            return .mayBegin(begin)
        }
        guard let last = Self.line("ER", in: bytes, from: start),
            let end = bytes.offset(of: UInt8(ascii: "\n"), from: last)
        else { return .needsInput }
        isInRecord = false
        return .ends(end + 1)
    }

    package mutating func endOfInput(in bytes: UnsafeRawBufferPointer) -> Int? {
        guard isInRecord, Self.line("ER", in: bytes, from: max(0, bytes.count - Self.lookBack)) != nil else {
            return nil
        }
        isInRecord = false
        return bytes.count
    }

    /// Start of a line with a tag: two letters, blanks, a hyphen.
    private static func line(_ tag: StaticString, in bytes: UnsafeRawBufferPointer, from start: Int) -> Int? {
        // A byte order mark may be before the first line.
        let isLineStart = start == 0 || bytes[start - 1] == UInt8(ascii: "\n") || bytes[start - 1] == 0xBF
        if isLineStart, RISLine.isTag(tag, in: bytes, at: start) { return start }
        if start == 0, bytes.starts(with: TextEncoding.utf8.byteOrderMark),
            RISLine.isTag(tag, in: bytes, at: 3)
        {
            return 3
        }
        var at = start
        while let end = bytes.offset(of: UInt8(ascii: "\n"), from: at) {
            at = end + 1
            if RISLine.isTag(tag, in: bytes, at: at) { return at }
        }
        return nil
    }
}

/// The lines of a RIS record.
package enum RISLine {
    /// The tags and values of a record, in order. A line without a tag continues the value before it.
    package static func fields(of record: String) -> [(tag: String, value: String)] {
        var fields: [(tag: String, value: String)] = []
        for line in record.split(whereSeparator: \.isNewline) {
            let head = line.prefix { $0 != "-" }
            let tag = head.prefix(2)
            let isTag =
                head.count < line.count && head.count >= 3 && head.count <= 5 && tag.count == 2
                && tag.allSatisfy { $0.isASCII && ($0.isUppercase || $0.isNumber) }
                && head.dropFirst(2).allSatisfy { $0 == " " }
            if isTag {
                fields.append((String(tag), line.dropFirst(head.count + 1).trimming(.spaces)))
            } else if !fields.isEmpty {
                fields[fields.count - 1].value += " " + line.trimming(.spaces)
            }
        }
        return fields
    }

    /// Whether a line begins with a tag.
    static func isTag(_ tag: StaticString, in bytes: UnsafeRawBufferPointer, at start: Int) -> Bool {
        guard start + 4 <= bytes.count,
            tag.withUTF8Buffer({ $0[0] == bytes[start] && $0[1] == bytes[start + 1] })
        else { return false }
        let rest = bytes[(start + 2)..<min(bytes.count, start + 6)].drop { $0 == 0x20 }
        return bytes[start + 2] == 0x20 && rest.first == UInt8(ascii: "-")
    }
}
