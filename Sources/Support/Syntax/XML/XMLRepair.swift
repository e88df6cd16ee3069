import Bytes

/// Makes a record's bytes acceptable to the parser: a wrong character damages a character, not the record.
///
/// libxml2 refuses a whole document for one control character, one byte that is not UTF-8, one bare `&` or one
/// undefined name. Exporters write all of these.
enum XMLRepair {
    /// Appends a record to a document.
    ///
    /// - A control character, a reference to one, an undefined name and bytes that are not UTF-8 become U+FFFD.
    /// - A bare `&` becomes `&amp;`.
    /// - A name that HTML 4 defines becomes a numeric reference (``XMLEntities``).
    ///
    /// In CDATA sections `&` has no meaning, so only characters are replaced there.
    ///
    /// - Returns: The kinds of characters that were replaced.
    static func append(_ record: UnsafeRawBufferPointer, to document: inout [UInt8]) -> RecordFlags {
        var flags: RecordFlags = []
        guard !record.isUTF8 else {
            flags = append(valid: record, to: &document)
            return flags
        }
        let repaired = Array(String(decoding: record, as: UTF8.self).utf8)
        flags = repaired.withUnsafeBytes { append(valid: $0, to: &document) }
        return flags.union(.invalidUTF8)
    }

    private static func append(valid record: UnsafeRawBufferPointer, to document: inout [UInt8])
        -> RecordFlags
    {
        var flags: RecordFlags = []
        var copied = 0
        var at = 0
        while at < record.count {
            let byte = record[at]
            let replacement: (length: Int, text: [UInt8])
            if byte == UInt8(ascii: "&") {
                guard let found = reference(at: at, in: record) else {
                    at += 1
                    continue
                }
                replacement = found
            } else if isControl(byte) {
                replacement = (1, unknown)
            } else if byte == 0xEF, isNoncharacter(at: at, in: record) {
                replacement = (3, unknown)
            } else if byte == UInt8(ascii: "<"), let end = endOfCDATA(at: at, in: record) {
                document.append(contentsOf: record[copied..<at])
                if appendCDATA(record[at..<end], to: &document) { flags.insert(.replacedCharacters) }
                (copied, at) = (end, end)
                continue
            } else {
                at += 1
                continue
            }
            document.append(contentsOf: record[copied..<at])
            document.append(contentsOf: replacement.text)
            if replacement.text == unknown { flags.insert(.replacedCharacters) }
            at += replacement.length
            copied = at
        }
        document.append(contentsOf: record[copied...])
        return flags
    }

    /// Replacement for the `&` or the reference at an offset; nil to keep it.
    private static func reference(
        at offset: Int, in record: UnsafeRawBufferPointer
    ) -> (length: Int, text: [UInt8])? {
        let name = record[(offset + 1)...].prefix(longestName + 1).prefix {
            $0.isLetter || $0.isDigit || $0 == UInt8(ascii: "#")
        }
        guard !name.isEmpty, name.count <= longestName, name.endIndex < record.count,
            record[name.endIndex] == UInt8(ascii: ";")
        else { return (1, Array("&amp;".utf8)) }
        let text = String(decoding: name, as: UTF8.self)
        let length = name.count + 2
        if text.hasPrefix("#") { return HTMLReferences.isCharacter(text) ? nil : (length, unknown) }
        if ["amp", "lt", "gt", "quot", "apos"].contains(text) { return nil }
        guard let number = XMLEntities.numbers[text] else { return (length, unknown) }
        return (length, Array("&#\(number);".utf8))
    }

    private static let longestName = 32
    /// U+FFFD, in place of a character that cannot be shown.
    private static let unknown = Array("\u{FFFD}".utf8)

    /// Whether XML 1.0 forbids the byte as a character.
    private static func isControl(_ byte: UInt8) -> Bool {
        byte < 0x20 && byte != 0x09 && byte != 0x0A && byte != 0x0D
    }

    /// Whether U+FFFE or U+FFFF is at an offset. XML forbids them.
    private static func isNoncharacter(at offset: Int, in record: UnsafeRawBufferPointer) -> Bool {
        offset + 2 < record.count && record[offset + 1] == 0xBF && record[offset + 2] >= 0xBE
    }

    /// End of the CDATA section that begins at an offset; nil if none begins there.
    private static func endOfCDATA(at offset: Int, in record: UnsafeRawBufferPointer) -> Int? {
        let rest = UnsafeRawBufferPointer(rebasing: record[offset...])
        guard rest.starts(with: "<![CDATA[".utf8) else { return nil }
        var at = 9
        while let bracket = rest.offset(of: UInt8(ascii: "]"), from: at) {
            if rest.dropFirst(bracket).starts(with: "]]>".utf8) { return offset + bracket + 3 }
            at = bracket + 1
        }
        return record.count
    }

    /// - Returns: Whether a character was replaced.
    private static func appendCDATA(_ bytes: Slice<UnsafeRawBufferPointer>, to document: inout [UInt8])
        -> Bool
    {
        var isReplaced = false
        for byte in bytes {
            if isControl(byte) {
                document.append(contentsOf: unknown)
                isReplaced = true
            } else {
                document.append(byte)
            }
        }
        return isReplaced
    }
}
