/// The lines of a table embedded in the program. Fields are separated by tabs. Lines that start with `#` are
/// comments.
package struct TableLines: Sequence, IteratorProtocol {
    private let text: UnsafeRawBufferPointer
    private var offset = 0

    /// - Parameter text: The table. It must outlive the sequence and its lines.
    package init(_ text: UnsafeRawBufferPointer) { self.text = text }

    package mutating func next() -> TableLine? {
        while offset < text.count {
            let start = offset
            while offset < text.count, text[offset] != UInt8(ascii: "\n") { offset += 1 }
            let line = UnsafeRawBufferPointer(rebasing: text[start..<offset])
            offset += 1
            if let first = line.first, first != UInt8(ascii: "#") { return TableLine(bytes: line) }
        }
        return nil
    }
}

/// One line of an embedded table.
package struct TableLine {
    let bytes: UnsafeRawBufferPointer

    /// The field at an index, from 0; empty if the line has fewer fields.
    package func field(_ number: Int) -> UnsafeRawBufferPointer {
        var pieces = Pieces(rest: bytes, separator: UInt8(ascii: "\t"))
        for _ in 0..<number { _ = pieces.next() }
        return pieces.next() ?? UnsafeRawBufferPointer(rebasing: bytes[bytes.count...])
    }

    /// The items of a field, split at a separator and trimmed of spaces.
    package func items(_ number: Int, separator: UInt8 = UInt8(ascii: ";")) -> Pieces {
        Pieces(rest: field(number), separator: separator)
    }

    /// The number in a field; nil unless it is one to nine digits.
    package static func number(_ field: UnsafeRawBufferPointer) -> UInt32? {
        guard !field.isEmpty, field.count <= 9 else { return nil }
        var value: UInt32 = 0
        for byte in field {
            guard byte >= UInt8(ascii: "0"), byte <= UInt8(ascii: "9") else { return nil }
            value = value * 10 + UInt32(byte - UInt8(ascii: "0"))
        }
        return value
    }

    /// Pieces between separators, trimmed of spaces.
    package struct Pieces: Sequence, IteratorProtocol {
        private var rest: UnsafeRawBufferPointer?
        private let separator: UInt8

        package init(rest: UnsafeRawBufferPointer, separator: UInt8) {
            self.rest = rest
            self.separator = separator
        }

        package mutating func next() -> UnsafeRawBufferPointer? {
            guard let bytes = rest else { return nil }
            var end = bytes.startIndex
            while end < bytes.count, bytes[end] != separator { end += 1 }
            rest = end < bytes.count ? UnsafeRawBufferPointer(rebasing: bytes[(end + 1)...]) : nil
            var start = 0
            while start < end, bytes[start] == 0x20 { start += 1 }
            while end > start, bytes[end - 1] == 0x20 { end -= 1 }
            return UnsafeRawBufferPointer(rebasing: bytes[start..<end])
        }
    }
}
