import Bytes
import FoundationEssentials

/// The form in which genres are compared: `Science-Fiction,  ENGLISH.` and `science fiction / english` have
/// the same key.
///
/// Lower case, compatibility forms composed (NFKC), words separated by one blank. Hyphens become blanks and
/// `&` becomes `and`. Apostrophes and a final full stop are dropped. Every separator of compounds (`/`, `,`,
/// `--`, `>`, `|`) becomes `/`. The key is never shown and never stored.
enum GenreKey {
    /// Appends the key of UTF-8 text.
    @inline(__always)
    package static func append(_ bytes: UnsafeRawBufferPointer, to key: inout [UInt8]) {
        if isASCII(bytes) {
            appendFolded(bytes, to: &key)
        } else {
            appendUnicode(bytes, to: &key)
        }
    }

    /// The key of a string.
    static func key(_ string: String) -> [UInt8] {
        var key: [UInt8] = []
        var string = string
        string.withUTF8 { append(UnsafeRawBufferPointer($0), to: &key) }
        return key
    }

    @inline(__always)
    static func isASCII(_ bytes: UnsafeRawBufferPointer) -> Bool {
        var all: UInt8 = 0
        for byte in bytes { all |= byte }
        return all < 0x80
    }

    private static func appendFolded(_ bytes: UnsafeRawBufferPointer, to key: inout [UInt8]) {
        let start = key.count
        var blankPending = false
        var index = 0
        while index < bytes.count {
            let byte = bytes[index]
            index &+= 1
            switch classes[Int(byte)] {
            case 0:
                continue
            case 1:
                if byte == UInt8(ascii: "-"), index < bytes.count, bytes[index] == byte {
                    index &+= 1
                    key.append(UInt8(ascii: "/"))
                    blankPending = false
                } else {
                    blankPending = true
                }
            case 2:
                key.append(UInt8(ascii: "/"))
                blankPending = false
            case 3:
                if key.count > start, key[key.count - 1] != UInt8(ascii: "/") { key.append(0x20) }
                key.append(contentsOf: [UInt8(ascii: "a"), UInt8(ascii: "n"), UInt8(ascii: "d")])
                blankPending = true
            case let folded:
                if blankPending {
                    if key.count > start, key[key.count - 1] != UInt8(ascii: "/") { key.append(0x20) }
                    blankPending = false
                }
                key.append(folded)
            }
        }
        if key.count > start, key[key.count - 1] == UInt8(ascii: ".") { key.removeLast() }
    }

    private static func appendUnicode(_ bytes: UnsafeRawBufferPointer, to key: inout [UInt8]) {
        let composed = String(decoding: bytes, as: UTF8.self).normalized(.kc)
        var plain: [UInt8] = []
        for scalar in composed.lowercased().unicodeScalars {
            switch scalar.value {
            case 0x2018, 0x2019, 0x201B, 0x2032, 0xAD, 0x200B...0x200F, 0xFEFF: continue
            case 0x2010...0x2013, 0x2212: plain.append(UInt8(ascii: "-"))
            case 0x2014, 0x2015: plain.append(contentsOf: [UInt8(ascii: "-"), UInt8(ascii: "-")])
            default: plain.append(contentsOf: UTF8.encode(scalar) ?? UTF8.encodedReplacementCharacter)
            }
        }
        plain.withUnsafeBytes { appendFolded($0, to: &key) }
    }

    /// The class of each byte: 0 dropped, 1 a blank or hyphen, 2 a separator, 3 `&`; otherwise the folded
    /// byte.
    private static let classes: [UInt8] = (0...255).map { value -> UInt8 in
        switch UInt8(value) {
        case UInt8(ascii: "'"), UInt8(ascii: "`"): 0
        case 0...0x20, UInt8(ascii: "-"), 0x7F: 1
        case UInt8(ascii: "/"), UInt8(ascii: ","), UInt8(ascii: ">"), UInt8(ascii: "|"): 2
        case UInt8(ascii: "&"): 3
        case UInt8(ascii: "A")...UInt8(ascii: "Z"): UInt8(value) + 0x20
        case let other: other
        }
    }
}
