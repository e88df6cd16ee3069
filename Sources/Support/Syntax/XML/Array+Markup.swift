extension [UInt8] {
    /// Appends text as the content or attribute of an XML or HTML element. Characters that markup does not have become
    /// U+FFFD.
    package mutating func append(markup text: String) {
        var text = text
        text.withUTF8 { bytes in
            for (index, byte) in bytes.enumerated() {
                switch byte {
                case UInt8(ascii: "<"): self += "&lt;".utf8
                case UInt8(ascii: ">"): self += "&gt;".utf8
                case UInt8(ascii: "&"): self += "&amp;".utf8
                case UInt8(ascii: "\""): self += "&quot;".utf8
                case UInt8(ascii: "'"): self += "&#39;".utf8
                // No other control characters than blanks.
                case 0x00..<0x09, 0x0B, 0x0C, 0x0E..<0x20, 0x7F: self += "\u{FFFD}".utf8
                // U+FFFE and U+FFFF end with these bytes after EF BF.
                case 0xBE, 0xBF:
                    let isNoncharacter = index > 1 && bytes[index - 2] == 0xEF && bytes[index - 1] == 0xBF
                    self.append(isNoncharacter ? 0xBD : byte)
                default: self.append(byte)
                }
            }
        }
    }
}
