import Bytes

/// The encoding guessed from a file's beginning, with the reason.
package struct EncodingGuess: Sendable, Hashable {
    /// An encoding, and words of the file as it reads them.
    package struct Candidate: Sendable, Hashable {
        package var encoding: TextEncoding
        package var words: [String]
    }

    package var encoding: TextEncoding
    /// Length of the byte order mark in bytes; 0 if there is none.
    package var byteOrderMarkLength: Int
    /// One sentence for the user.
    package var evidence: String
    /// The likeliest encodings that read the file differently, the chosen one first, at most three; empty if the guess is
    /// near certain.
    package var candidates: [Candidate] = []

    package init(encoding: TextEncoding, byteOrderMarkLength: Int, evidence: String) {
        self.encoding = encoding
        self.byteOrderMarkLength = byteOrderMarkLength
        self.evidence = evidence
    }
}

extension TextEncoding {
    /// Guesses the encoding from the first bytes of a file.
    ///
    /// A byte order mark decides. Without one, NULs in every other byte mean UTF-16. Text is UTF-8 if most of its cells
    /// are; some damaged ones then flag their records. Otherwise ``EncodingEvidence`` weighs all cells that are not: a
    /// pair of bytes that happens to be valid UTF-8 outvotes nothing.
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
        let count = UTF8Count(head)
        if count.invalid > 0, let guess = EncodingEvidence(head)?.guess(count) { return guess }
        return EncodingGuess(
            encoding: .utf8, byteOrderMarkLength: 0,
            evidence: count.sequences == 0
                ? "The beginning of the file is ASCII."
                : "The beginning of the file is UTF-8 with \(count.sequences) non-ASCII characters.")
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
}

/// How much of some bytes is UTF-8.
package struct UTF8Count {
    /// Characters of more than one byte.
    package private(set) var sequences = 0
    /// Bytes above 0x7F that belong to no character.
    package private(set) var invalid = 0

    package init(_ head: [UInt8]) {
        var rest = head[...].dropLast(Self.cutOff(head[...]))
        while let start = rest.firstIndex(where: { $0 >= 0x80 }) {
            rest = rest[start...]
            let length = Self.length(ofCharacterIn: rest)
            if length == 0 { invalid += 1 } else { sequences += 1 }
            rest = rest.dropFirst(max(1, length))
        }
    }

    /// The length of the character of several bytes that some bytes begin with; 0 if there is none.
    private static func length(ofCharacterIn bytes: ArraySlice<UInt8>) -> Int {
        let lead = bytes.first ?? 0
        let length = lead >= 0xF0 ? 4 : lead >= 0xE0 ? 3 : lead >= 0xC2 ? 2 : 0
        guard length > 0, bytes.count >= length,
            String(validating: bytes.prefix(length), as: UTF8.self)?.unicodeScalars.count == 1
        else { return 0 }
        return length
    }

    /// Number of bytes at the end that begin a character but do not complete it.
    static func cutOff(_ bytes: ArraySlice<UInt8>) -> Int {
        for length in 1...3 where length <= bytes.count {
            let byte = bytes[bytes.endIndex - length]
            let needed = byte >= 0xF0 ? 4 : byte >= 0xE0 ? 3 : byte >= 0xC0 ? 2 : 0
            if needed > 0 { return needed > length ? length : 0 }
            if byte < 0x80 { return 0 }
        }
        return 0
    }
}
