/// How a file's bytes mean text.
package enum TextEncoding: String, Sendable, Hashable, CaseIterable {
    case utf8 = "UTF-8"
    case utf16LittleEndian = "UTF-16LE"
    case utf16BigEndian = "UTF-16BE"
    /// Western European, a superset of the printable part of Latin-1; a byte it leaves undefined means the
    /// control character of its number (WHATWG Encoding Standard, index windows-1252).
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

    /// The mark that a file may begin with, as it reads once its bytes have become UTF-8. Before windows-1252 some programs
    /// write the mark of UTF-8, for the sake of spreadsheets.
    var byteOrderMarkAsRead: [UInt8] {
        self == .windows1252 ? Array("\u{EF}\u{BB}\u{BF}".utf8) : Self.utf8.byteOrderMark
    }

    /// How many bytes of the file became these bytes of UTF-8: positions stay those of the file on disk
    /// without a table of where which byte came from.
    func length(onDiskOf bytes: UnsafeRawBufferPointer) -> Int {
        switch self {
        case .utf8:
            return bytes.count
        case .windows1252:
            // A byte there is a character here, and a character has one byte that does not continue another.
            return bytes.count { $0 & 0xC0 != 0x80 }
        case .utf16LittleEndian, .utf16BigEndian:
            return bytes.reduce(0) { $0 + Self.utf16Length(ofCharacterBeginningWith: $1) }
        }
    }

    private static func utf16Length(ofCharacterBeginningWith byte: UInt8) -> Int {
        switch byte {
        case 0x80..<0xC0: 0
        case 0xF0..<0xF8: 4
        default: 2  // Transcoder.loneSurrogate among them
        }
    }
}
