import Bytes

/// A supported text encoding.
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
    /// Mac OS Roman, which old programs for the Macintosh write. The name is IANA's.
    case macRoman = "macintosh"

    /// The byte order mark that a file may begin with. It is not part of the first cell.
    package var byteOrderMark: [UInt8] {
        switch self {
        case .utf8: [0xEF, 0xBB, 0xBF]
        case .utf16LittleEndian: [0xFF, 0xFE]
        case .utf16BigEndian: [0xFE, 0xFF]
        case .windows1250, .windows1251, .windows1252, .macRoman: []
        }
    }

    /// Whether each byte is one character.
    package var isSingleByte: Bool { SingleByteTable.units(self) != nil }

    /// The byte order mark as it appears after conversion to UTF-8. Some programs write the mark of UTF-8
    /// before text with one byte per character, for the benefit of spreadsheets.
    var byteOrderMarkAsRead: [UInt8] {
        let mark = Self.utf8.byteOrderMark
        return isSingleByte ? utf8(ofHead: mark) : mark
    }

    /// The number of file bytes that were converted to these bytes of UTF-8. This gives positions in the file
    /// on disk without a table of offsets.
    func length(onDiskOf bytes: UnsafeRawBufferPointer) -> Int {
        switch self {
        case .utf8:
            return bytes.count
        case .windows1250, .windows1251, .windows1252, .macRoman:
            // One file byte is one character, and each character has one byte that is not a continuation
            // byte.
            return bytes.count { $0 & 0xC0 != 0x80 }
        case .utf16LittleEndian, .utf16BigEndian:
            return bytes.reduce(0) { $0 + Self.utf16Length(ofCharacterBeginningWith: $1) }
        }
    }

    private static func utf16Length(ofCharacterBeginningWith byte: UInt8) -> Int {
        switch byte {
        case 0x80..<0xC0: 0
        case 0xF0..<0xF8: 4
        default: 2  // including Transcoder.loneSurrogate
        }
    }
}

/// The encoding guessed from a file's head, with the reason.
package struct EncodingGuess: Sendable, Hashable {
    package var encoding: TextEncoding
    /// Length of the byte order mark in bytes; 0 if there is none.
    package var byteOrderMarkLength: Int
    /// One sentence for the user.
    package var evidence: String

    package init(encoding: TextEncoding, byteOrderMarkLength: Int, evidence: String) {
        self.encoding = encoding
        self.byteOrderMarkLength = byteOrderMarkLength
        self.evidence = evidence
    }
}

extension TextEncoding {
    /// Guesses the encoding from the first bytes of a file.
    ///
    /// A byte order mark decides. Without one, NULs in every other byte mean UTF-16, and bytes above 0x7F
    /// that never form a UTF-8 character mean windows-1252, windows-1251 or Mac OS Roman. Everything else is
    /// UTF-8. If only some bytes are not UTF-8, the file has mixed encodings, and the affected records are
    /// flagged.
    package static func sniff(head: [UInt8]) -> EncodingGuess {
        for encoding in allCases {
            let mark = encoding.byteOrderMark
            if !mark.isEmpty, head.starts(with: mark) {
                return EncodingGuess(
                    encoding: encoding, byteOrderMarkLength: mark.count,
                    evidence: "The file begins with the byte order mark of \(encoding.rawValue).")
            }
        }
        if let utf16 = sniffUTF16(head) { return utf16 }
        let (sequences, invalid) = countUTF8(head)
        let (encoding, evidence): (TextEncoding, String) =
            switch (sequences, invalid) {
            case (0, 0): (.utf8, "The beginning of the file is ASCII.")
            case (_, 0): (.utf8, "The beginning of the file is UTF-8 with \(sequences) non-ASCII characters.")
            case (_, 1...) where sequences * 4 < invalid && looksCyrillic(head):
                (
                    .windows1251,
                    "The \(invalid) non-ASCII bytes at the beginning of the file are not UTF-8, but Cyrillic words in windows-1251."
                )
            // Two of its letters may be a character of UTF-8 by chance.
            case (_, 1...) where sequences * 4 < invalid && looksLikeMacRoman(head):
                (
                    .macRoman,
                    "The \(invalid) non-ASCII bytes at the beginning of the file are not UTF-8, but letters in Mac OS Roman."
                )
            case (0, _):
                (
                    .windows1252,
                    "None of the \(invalid) non-ASCII bytes at the beginning of the file are valid UTF-8."
                )
            default:
                (
                    .utf8,
                    "The beginning of the file is UTF-8 with \(sequences) non-ASCII characters and "
                        + "\(invalid) invalid bytes."
                )
            }
        return EncodingGuess(encoding: encoding, byteOrderMarkLength: 0, evidence: evidence)
    }

    /// The text of a file's head as UTF-8, without its byte order mark and a truncated last character.
    package func utf8(ofHead head: [UInt8]) -> [UInt8] {
        let body = head.starts(with: byteOrderMark) ? head.dropFirst(byteOrderMark.count) : head[...]
        if self == .utf8 { return Array(body.dropLast(Self.cutOff(body))) }
        return body.withUnsafeBytes { bytes in
            var transcoder = Transcoder(self)
            return [UInt8](unsafeUninitializedCapacity: Transcoder.growth * bytes.count + Transcoder.slack) {
                $1 = transcoder.transcode(bytes, into: UnsafeMutableRawBufferPointer($0))
            }
        }
    }

    /// In UTF-16, text of mostly ASCII has a NUL in nearly every unit. One in four is enough, since names may
    /// be in any script, while delimiters, digits and line ends are ASCII.
    private static func sniffUTF16(_ head: [UInt8]) -> EncodingGuess? {
        let units = head.count / 2
        guard units > 0 else { return nil }
        var nulsAtEven = 0
        var nulsAtOdd = 0
        for at in 0..<units {
            if head[2 * at] == 0 { nulsAtEven += 1 }
            if head[2 * at + 1] == 0 { nulsAtOdd += 1 }
        }
        let nuls = max(nulsAtEven, nulsAtOdd)
        guard nuls * 4 > units, min(nulsAtEven, nulsAtOdd) * 8 < nuls else { return nil }
        let encoding: TextEncoding = nulsAtOdd > nulsAtEven ? .utf16LittleEndian : .utf16BigEndian
        return EncodingGuess(
            encoding: encoding, byteOrderMarkLength: 0,
            evidence:
                "\(nuls) of the first \(units) byte pairs contain a NUL byte, as in \(encoding.rawValue) text."
        )
    }

    /// Whether bytes that are not UTF-8 are Mac OS Roman rather than windows-1252.
    ///
    /// Accented letters are 0x80…0x9F in Mac OS Roman, and mostly 0xC0…0xFF in windows-1252, where 0x80…0x9F are
    /// signs. Both encodings have letters next to other letters, and signs hardly ever between two of them. The
    /// bytes 0x91…0x97 are quotes and dashes in windows-1252, which also stand between letters.
    private static func looksLikeMacRoman(_ head: [UInt8]) -> Bool {
        var (mac, windows) = (0, 0)
        for at in head.indices where head[at] >= 0x80 {
            let before = at > 0 && head[at - 1].isLetter
            let after = at + 1 < head.count && head[at + 1].isLetter
            switch head[at] {
            case 0x85, 0x91...0x97, 0x99: continue
            case 0x80...0x9F: if before || after { mac += 1 }
            // An apostrophe, as in `don’t`: a capital in windows-1252.
            case 0xD5: if before, after, head[at - 1] >= 0x61, head[at + 1] >= 0x61 { mac += 1 }
            case 0xC0...0xFF: if before || after { windows += 1 }
            default: continue
            }
        }
        return mac > 0 && mac > 3 * windows
    }

    /// Whether bytes that are not UTF-8 are Cyrillic letters in windows-1251: words of small letters (0xE0…0xFF),
    /// some of them with a capital (0xC0…0xDF) before.
    ///
    /// Western words have one such letter or two in a row. In Greek (windows-1253) the bytes 0xDC…0xDF are accented
    /// small letters, which most words have; in KOI8-R small letters are 0xC0…0xDF; Hebrew has no capitals.
    private static func looksCyrillic(_ head: [UInt8]) -> Bool {
        var (high, inWords, small, capitals, accents) = (0, 0, 0, 0, 0)
        for word in head.split(whereSeparator: { $0 < 0x80 }) {
            high += word.count
            guard word.count >= 3 else { continue }
            inWords += word.count
            small += word.count { $0 >= 0xE0 }
            if let first = word.first, (0xC0..<0xE0).contains(first) { capitals += 1 }
            accents += word.dropFirst().count { (0xDC...0xDF).contains($0) }
        }
        return capitals > 0 && inWords * 10 >= high * 8 && small * 10 >= inWords * 6 && accents * 30 < inWords
    }

    /// Counts the characters of more than one byte, and the non-ASCII bytes that belong to none.
    private static func countUTF8(_ head: [UInt8]) -> (sequences: Int, invalid: Int) {
        var sequences = 0
        var invalid = 0
        var rest = head[...].dropLast(cutOff(head[...]))
        while let start = rest.firstIndex(where: { $0 >= 0x80 }) {
            rest = rest[start...]
            let length = (2...4).first { length in
                rest.count >= length
                    && String(validating: rest.prefix(length), as: UTF8.self)?.unicodeScalars.count == 1
            }
            if length == nil { invalid += 1 } else { sequences += 1 }
            rest = rest.dropFirst(length ?? 1)
        }
        return (sequences, invalid)
    }

    /// Number of bytes at the end that begin a character but do not complete it.
    private static func cutOff(_ bytes: ArraySlice<UInt8>) -> Int {
        for length in 1...3 where length <= bytes.count {
            let byte = bytes[bytes.endIndex - length]
            let needed = byte >= 0xF0 ? 4 : byte >= 0xE0 ? 3 : byte >= 0xC0 ? 2 : 0
            if needed > 0 { return needed > length ? length : 0 }
            if byte < 0x80 { return 0 }
        }
        return 0
    }
}
