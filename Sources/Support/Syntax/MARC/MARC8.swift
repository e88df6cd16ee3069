import Bytes
import FoundationEssentials
import Glibc

/// Converts MARC-8 to UTF-8. MARC-8 is the encoding of library records from before Unicode (MARC 21
/// Specifications, Character Sets and Encoding Options, part 2).
///
/// Bytes below 0x80 are read in set G0, those above in set G1. Each text begins with ASCII and ANSEL; escape
/// sequences select others. In MARC-8, a combining mark precedes its letter; in Unicode it follows. Text with
/// marks is composed (normalization form C).
///
/// The decoder accepts any bytes. Each character without a meaning becomes one U+FFFD and is counted.
package struct MARC8 {
    /// Number of characters replaced so far.
    package private(set) var replaced = 0

    private var g0 = MARC8Set.ascii
    private var g1 = MARC8Set.extendedLatin
    /// Marks that wait for their letter, as UTF-8.
    private var marks: [UInt8] = []

    package init() {}

    /// Whether bytes are the same text in MARC-8 and in UTF-8.
    static func isPlain(_ bytes: UnsafeRawBufferPointer) -> Bool {
        bytes.allSatisfy { $0 < 0x80 && $0 != escape }
    }

    /// Appends a subfield's text. Each subfield begins with ASCII and ANSEL.
    package mutating func decode(_ bytes: UnsafeRawBufferPointer, into output: inout [UInt8]) {
        (g0, g1) = (.ascii, .extendedLatin)
        let start = output.count
        var hadMarks = false
        var at = 0
        while at < bytes.count {
            if bytes[at] == Self.escape {
                at += escapeSequence(bytes, at, &output)
                continue
            }
            let set = bytes[at] < 0x80 ? g0 : g1
            if set == .eastAsian, bytes[at] & 0x7F > 0x20 {
                put(nil, &output)
                at = min(at + 3, bytes.count)
                continue
            }
            hadMarks = take(bytes[at], set, &output) || hadMarks
            at += 1
        }
        // A mark without a letter is kept.
        output.append(contentsOf: marks)
        marks.removeAll(keepingCapacity: true)
        if hadMarks { Self.compose(&output, from: start) }
    }

    /// Decodes a character of one byte.
    ///
    /// - Returns: True if it is a mark.
    private mutating func take(_ byte: UInt8, _ set: MARC8Set, _ output: inout [UInt8]) -> Bool {
        switch byte {
        case 0..<0x21, 0x7F:
            // Control characters and spaces are the same in every set.
            put(UInt16(byte), &output)
        case 0x88, 0x89:
            break  // They enclose text that sorting ignores, and have no character.
        case 0x8D: put(0x200D, &output)
        case 0x8E: put(0x200C, &output)
        case 0x80..<0xA1, 0xFF: put(nil, &output)
        default:
            let scalar = set.scalar(byte & 0x7F)
            if let scalar, Self.isMark(scalar) {
                Self.append(scalar, to: &marks)
                return true
            }
            put(scalar, &output)
        }
        return false
    }

    /// Appends a character, then the marks that preceded it. Nil is replaced by U+FFFD.
    private mutating func put(_ scalar: UInt16?, _ output: inout [UInt8]) {
        if scalar == nil { replaced += 1 }
        Self.append(scalar ?? 0xFFFD, to: &output)
        guard !marks.isEmpty else { return }
        output.append(contentsOf: marks)
        marks.removeAll(keepingCapacity: true)
    }

    /// Applies the escape sequence at an offset.
    ///
    /// - Returns: Its length. A sequence that selects no known set counts as one replaced character.
    private mutating func escapeSequence(
        _ bytes: UnsafeRawBufferPointer, _ start: Int, _ output: inout [UInt8]
    ) -> Int {
        var at = start + 1
        var isG1 = false
        var isLong = false
        // Intermediate bytes select G0 or G1, or say that characters have several bytes.
        while at < bytes.count, (0x20..<0x30).contains(bytes[at]) {
            switch bytes[at] {
            case UInt8(ascii: ")"), UInt8(ascii: "-"): isG1 = true
            case UInt8(ascii: "("), UInt8(ascii: ","), UInt8(ascii: "$"), UInt8(ascii: "!"): break
            default:
                put(nil, &output)
                return 1
            }
            isLong = true
            at += 1
        }
        guard at < bytes.count else {
            put(nil, &output)
            return bytes.count - start
        }
        if !isLong, bytes[at] == UInt8(ascii: "s") {
            g0 = .ascii
        } else if let set = MARC8Set(rawValue: bytes[at]) {
            if isG1 { g1 = set } else { g0 = set }
        } else {
            put(nil, &output)
            return 1
        }
        return at + 1 - start
    }

    private static let escape: UInt8 = 0x1B

    /// Whether a character of the sets is a combining mark. All others are letters.
    private static func isMark(_ scalar: UInt16) -> Bool {
        switch scalar {
        case 0x0300...0x036F, 0x05B0...0x05BD, 0x05BF, 0x05C1, 0x05C2, 0x064B...0x0652, 0xFB1E,
            0xFE20...0xFE23:
            true
        default: false
        }
    }

    private static func append(_ scalar: UInt16, to bytes: inout [UInt8]) {
        let value = UInt32(scalar)
        switch value {
        case 0..<0x80:
            bytes.append(UInt8(truncatingIfNeeded: value))
        case 0x80..<0x800:
            bytes.append(UInt8(truncatingIfNeeded: 0xC0 | value >> 6))
            bytes.append(UInt8(truncatingIfNeeded: 0x80 | value & 0x3F))
        default:
            bytes.append(UInt8(truncatingIfNeeded: 0xE0 | value >> 12))
            bytes.append(UInt8(truncatingIfNeeded: 0x80 | value >> 6 & 0x3F))
            bytes.append(UInt8(truncatingIfNeeded: 0x80 | value & 0x3F))
        }
    }

    private static func compose(_ bytes: inout [UInt8], from start: Int) {
        let text = String(decoding: bytes[start...], as: UTF8.self)
        bytes.removeSubrange(start...)
        bytes.append(contentsOf: text.normalized(.c).utf8)
    }
}
