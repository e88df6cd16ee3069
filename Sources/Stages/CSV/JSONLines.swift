import Pipeline

/// JSON arrays of strings, one a line (RFC 8259), in a buffer that is used again.
struct JSONLines {
    private var bytes: [UInt8] = []

    /// Appends a line.
    ///
    /// - Parameter areUTF8: False where bytes may have to be shown as U+FFFD.
    mutating func append(_ cells: ArraySlice<Text>, in arena: UnsafeRawBufferPointer, areUTF8: Bool) {
        bytes.append(UInt8(ascii: "["))
        for (index, cell) in cells.enumerated() {
            if index > 0 { bytes.append(UInt8(ascii: ",")) }
            let value = UnsafeRawBufferPointer(rebasing: arena[cell.range])
            bytes.append(UInt8(ascii: "\""))
            if areUTF8 {
                appendEscaped(value)
            } else {
                var repaired = String(decoding: value, as: UTF8.self)
                repaired.withUTF8 { appendEscaped(UnsafeRawBufferPointer($0)) }
            }
            bytes.append(UInt8(ascii: "\""))
        }
        bytes.append(UInt8(ascii: "]"))
        bytes.append(UInt8(ascii: "\n"))
    }

    /// Hands over what there is and begins anew.
    mutating func flush(
        to write: (UnsafeRawBufferPointer) throws(StageFailure) -> Void
    ) throws(StageFailure) {
        guard !bytes.isEmpty else { return }
        try bytes.withUnsafeBufferPointer { buffer throws(StageFailure) in
            try write(UnsafeRawBufferPointer(buffer))
        }
        bytes.removeAll(keepingCapacity: true)
    }

    /// Appends text, control characters, quote and backslash escaped.
    private mutating func appendEscaped(_ text: UnsafeRawBufferPointer) {
        var plain = 0
        for at in 0..<text.count {
            let byte = text[at]
            guard byte < 0x20 || byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "\\") else { continue }
            bytes.append(contentsOf: text[plain..<at])
            plain = at + 1
            switch byte {
            case UInt8(ascii: "\""), UInt8(ascii: "\\"): bytes.append(contentsOf: [UInt8(ascii: "\\"), byte])
            case UInt8(ascii: "\n"): bytes.append(contentsOf: Array("\\n".utf8))
            case UInt8(ascii: "\r"): bytes.append(contentsOf: Array("\\r".utf8))
            case UInt8(ascii: "\t"): bytes.append(contentsOf: Array("\\t".utf8))
            default:
                bytes.append(contentsOf: Array("\\u00".utf8))
                bytes.append(Self.digits[Int(byte >> 4)])
                bytes.append(Self.digits[Int(byte & 0xF)])
            }
        }
        bytes.append(contentsOf: text[plain...])
    }

    private static let digits = Array("0123456789abcdef".utf8)
}
