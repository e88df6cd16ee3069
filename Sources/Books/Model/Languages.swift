import Bytes

/// ISO 639-1 codes for the three-letter codes of libraries (MARC, ISO 639-2), for Open Library's language
/// paths and for tags such as `pt-BR`. The table is `languages.tsv`.
package enum Languages {
    /// The two-letter code as its two lower-case ASCII bytes. Nil if the language has no two-letter code
    /// (`mul`, `und` and many others).
    ///
    /// - Parameter code: `eng`, `ger`, `deu`, `/languages/eng`, `en`, `en-GB`, `pt_BR`, in any case.
    package static func twoLetters(_ code: UnsafeRawBufferPointer) -> (UInt8, UInt8)? {
        let start = code.lastIndex(of: UInt8(ascii: "/")).map { $0 + 1 } ?? 0
        let letters = code[start...].prefix { $0.isLetter }
        if letters.endIndex < code.count {
            let next = code[letters.endIndex]
            guard next == UInt8(ascii: "-") || next == UInt8(ascii: "_") else { return nil }
        }
        let folded = letters.reduce(UInt32(0)) { $0 << 8 | UInt32($1 | 0x20) }
        let two: UInt16? =
            switch letters.count {
            case 2: known.contains(UInt16(folded)) ? UInt16(folded) : nil
            case 3: ofThree[folded]
            default: nil
            }
        return two.map { (UInt8($0 >> 8), UInt8(truncatingIfNeeded: $0)) }
    }

    /// The two-letter code of a string.
    package static func twoLetters(_ code: String) -> String? {
        var code = code
        let letters = code.withUTF8 { twoLetters(UnsafeRawBufferPointer($0)) }
        return letters.map { String(decoding: [$0.0, $0.1], as: UTF8.self) }
    }

    private static let ofThree: [UInt32: UInt16] = {
        var ofThree: [UInt32: UInt16] = [:]
        PackageResources.languages_tsv.withUnsafeBytes { text in
            for line in TableLines(text) {
                for item in line.items(0, separator: 0x20) where item.count >= 6 {
                    let two = UInt16(item[0]) << 8 | UInt16(item[1])
                    let threes = UnsafeRawBufferPointer(rebasing: item.dropFirst(3))
                    for three in TableLine.Pieces(rest: threes, separator: UInt8(ascii: ","))
                    where three.count == 3 {
                        ofThree[UInt32(three[0]) << 16 | UInt32(three[1]) << 8 | UInt32(three[2])] = two
                    }
                }
            }
        }
        return ofThree
    }()

    private static let known = Set(ofThree.values)
}
