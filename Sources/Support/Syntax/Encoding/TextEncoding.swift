import Bytes

/// A supported text encoding. The raw values are the names of the WHATWG Encoding Standard, or IANA's.
package enum TextEncoding: String, Sendable, Hashable, CaseIterable {
    case utf8 = "UTF-8"
    case utf16LittleEndian = "UTF-16LE"
    case utf16BigEndian = "UTF-16BE"
    /// Central European: Polish, Czech, Slovak, Hungarian.
    case windows1250 = "windows-1250"
    /// Cyrillic: Russian, Ukrainian, Bulgarian, Serbian.
    case windows1251 = "windows-1251"
    /// Western European, a superset of the printable part of Latin-1. An undefined byte is the control
    /// character with its number (WHATWG Encoding Standard, index windows-1252).
    case windows1252 = "windows-1252"
    /// Greek.
    case windows1253 = "windows-1253"
    /// Turkish.
    case windows1254 = "windows-1254"
    /// Hebrew.
    case windows1255 = "windows-1255"
    /// Arabic.
    case windows1256 = "windows-1256"
    /// Baltic: Estonian, Latvian, Lithuanian.
    case windows1257 = "windows-1257"
    /// Vietnamese.
    case windows1258 = "windows-1258"
    /// Thai.
    case windows874 = "windows-874"
    /// Central European.
    case latin2 = "ISO-8859-2"
    /// Cyrillic.
    case isoCyrillic = "ISO-8859-5"
    /// Arabic.
    case isoArabic = "ISO-8859-6"
    /// Greek.
    case isoGreek = "ISO-8859-7"
    /// Hebrew.
    case isoHebrew = "ISO-8859-8"
    /// Turkish.
    case latin5 = "ISO-8859-9"
    /// Baltic.
    case latin7 = "ISO-8859-13"
    /// Western European with the euro sign.
    case latin9 = "ISO-8859-15"
    /// Romanian and its neighbors.
    case latin10 = "ISO-8859-16"
    /// Russian.
    case koi8R = "KOI8-R"
    /// Ukrainian.
    case koi8U = "KOI8-U"
    /// Mac OS Roman, which old programs for the Macintosh write. The name is IANA's.
    case macRoman = "macintosh"
    /// Western European in MS-DOS.
    case dosWestern = "IBM850"
    /// Cyrillic in MS-DOS.
    case dosCyrillic = "IBM866"
    /// Japanese, with the additions of Windows.
    case shiftJIS = "Shift_JIS"
    case eucJP = "EUC-JP"
    /// Simplified Chinese; contains GBK and GB 2312.
    case gb18030 = "GB18030"
    /// Traditional Chinese.
    case big5 = "Big5"
    /// Korean, with the additions of Windows.
    case eucKR = "EUC-KR"

    /// The byte order mark that a file may begin with. It is not part of the first cell.
    package var byteOrderMark: [UInt8] {
        switch self {
        case .utf8: [0xEF, 0xBB, 0xBF]
        case .utf16LittleEndian: [0xFF, 0xFE]
        case .utf16BigEndian: [0xFE, 0xFF]
        default: []
        }
    }

    /// Whether a character is a unit of two bytes or two of them.
    package var isWide: Bool { self == .utf16LittleEndian || self == .utf16BigEndian }

    /// Whether some characters are one byte and others two to four, and none of it is Unicode.
    package var isMultiByte: Bool {
        switch self {
        case .shiftJIS, .eucJP, .gb18030, .big5, .eucKR: true
        default: false
        }
    }

    /// Whether each byte is one character.
    package var isSingleByte: Bool { self != .utf8 && !isWide && !isMultiByte }

    /// The name by which the C library's iconv knows it.
    var iconvName: String {
        switch self {
        case .shiftJIS: "CP932"
        case .eucKR: "UHC"
        case .macRoman: "MACINTOSH"
        case .windows874: "CP874"
        default:
            rawValue.hasPrefix("windows-") ? "CP" + rawValue.dropFirst("windows-".count) : rawValue
        }
    }

    /// The encoding with a name as people and documents write it: `cp1250`, `latin1`, `shift-jis`; nil if it is unknown.
    package init?(named name: String) {
        let key = name.lowercased().filter { $0.isASCII && ($0.isLetter || $0.isNumber) }
        let known = Self.allCases.first { $0.rawValue.lowercased().filter { $0 != "-" && $0 != "_" } == key }
        guard let encoding = known ?? Self.otherNames[key] else { return nil }
        self = encoding
    }

    private static let otherNames: [String: TextEncoding] = {
        var names: [String: TextEncoding] = [
            "usascii": .utf8, "ascii": .utf8, "latin1": .windows1252, "iso88591": .windows1252,
            "l1": .windows1252,
            "latin2": .latin2, "latin5": .latin5, "latin7": .latin7, "latin9": .latin9, "latin10": .latin10,
            "macroman": .macRoman, "xmacroman": .macRoman, "cp850": .dosWestern, "cp866": .dosCyrillic,
            "sjis": .shiftJIS, "cp932": .shiftJIS, "windows31j": .shiftJIS, "ms932": .shiftJIS,
            "ujis": .eucJP,
            "gbk": .gb18030, "cp936": .gb18030, "gb2312": .gb18030, "euccn": .gb18030, "cp950": .big5,
            "big5hkscs": .big5, "cp949": .eucKR, "uhc": .eucKR, "ksc5601": .eucKR, "tis620": .windows874,
            "iso885911": .windows874, "cp874": .windows874,
        ]
        for encoding in allCases where encoding.rawValue.hasPrefix("windows-") {
            names["cp" + encoding.rawValue.dropFirst("windows-".count)] = encoding
        }
        return names
    }()

    /// The byte order mark as it appears after conversion to UTF-8. Some programs write the mark of UTF-8
    /// before text with one byte per character, for the benefit of spreadsheets.
    var byteOrderMarkAsRead: [UInt8] {
        let mark = Self.utf8.byteOrderMark
        return self == .utf8 || isWide ? mark : utf8(ofHead: mark)
    }

    /// The number of file bytes that were converted to the characters that begin in a range of these bytes of UTF-8.
    /// This gives positions in the file on disk without a table of offsets.
    ///
    /// - Parameter bytes: They end with a complete character.
    func length(onDiskOf bytes: UnsafeRawBufferPointer, _ range: Range<Int>) -> Int {
        let part = UnsafeRawBufferPointer(rebasing: bytes[range])
        if self == .utf8 { return range.count }
        if isWide { return part.reduce(0) { $0 + Self.utf16Length(ofCharacterBeginningWith: $1) } }
        // One file byte is one character, and each character has one byte that is not a continuation byte.
        guard isMultiByte else { return part.count { $0 & 0xC0 != 0x80 } }
        let lengths = CharacterLengths.of(self)
        var count = 0
        for at in range where bytes[at] & 0xC0 != 0x80 {
            count += bytes[at] < 0x80 ? 1 : lengths.length(ofCharacterAt: at, in: bytes)
        }
        return count
    }

    private static func utf16Length(ofCharacterBeginningWith byte: UInt8) -> Int {
        switch byte {
        case 0x80..<0xC0: 0
        case 0xF0..<0xF8: 4
        default: 2  // including Transcoder.loneSurrogate
        }
    }

    /// The text of a file's head as UTF-8, without its byte order mark and a truncated last character.
    package func utf8(ofHead head: [UInt8]) -> [UInt8] {
        let body = head.starts(with: byteOrderMark) ? head.dropFirst(byteOrderMark.count) : head[...]
        if self == .utf8 { return Array(body.dropLast(UTF8Count.cutOff(body))) }
        return body.withUnsafeBytes { bytes in
            var transcoder = Transcoder(self)
            return [UInt8](unsafeUninitializedCapacity: Transcoder.growth * bytes.count + Transcoder.slack) {
                $1 = transcoder.transcode(bytes, into: UnsafeMutableRawBufferPointer($0))
            }
        }
    }
}
