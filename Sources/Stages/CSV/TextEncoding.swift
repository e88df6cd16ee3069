/// How a file's bytes mean text.
package enum TextEncoding: String, Sendable, Hashable, CaseIterable {
    case utf8 = "UTF-8"
    case utf16LittleEndian = "UTF-16LE"
    case utf16BigEndian = "UTF-16BE"
    /// Western European, a superset of the printable part of Latin-1; a byte it leaves undefined means the control
    /// character of its number (WHATWG Encoding Standard, index windows-1252).
    case windows1252 = "windows-1252"

    /// The mark a file of this encoding may begin with. It is no part of the first cell.
    package var byteOrderMark: [UInt8] {
        switch self {
        case .utf8: [0xEF, 0xBB, 0xBF]
        case .utf16LittleEndian: [0xFF, 0xFE]
        case .utf16BigEndian: [0xFE, 0xFF]
        case .windows1252: []
        }
    }
}
