import Bytes

/// Parsing of people's names in exports.
enum PersonName {
    /// Suffixes that follow a comma but belong to the name before it.
    ///
    /// Goodreads joins additional authors with `, ` and keeps the comma inside `Walter M. Miller, Jr.`
    private static let suffixes: [StaticString] = [
        "jr", "jr.", "sr", "sr.", "ii", "iii", "iv", "phd", "ph.d", "ph.d.", "md", "m.d.", "m.a.", "esq",
        "esq.",
        "inc", "inc.", "ltd", "ltd.", "llc", "dds", "d.d.s.", "dvm", "d.v.m.", "psy.d.", "psyd", "ed.d.",
        "edd",
        "j.d.", "m.f.a.", "m.b.a.", "mba", "s.j.", "r.n.", "d.d.", "th.d.", "ll.d.", "lcsw", "m.s.w.", "msw",
    ]

    /// Whether this part of the bytes is such a suffix, ignoring case.
    static func isSuffix(_ bytes: UnsafeRawBufferPointer, _ part: Range<Int>) -> Bool {
        guard (2...6).contains(part.count) else { return false }
        return suffixes.contains { suffix in
            suffix.withUTF8Buffer { utf8 in
                bytes[part].elementsEqual(utf8) { lowered($0) == $1 }
            }
        }
    }

    private static func lowered(_ byte: UInt8) -> UInt8 {
        byte &- UInt8(ascii: "A") < 26 ? byte | 0x20 : byte
    }

    /// The range inside brackets at the end of a name: `László Szíjgyártó (Translator)`.
    static func bracket(_ bytes: UnsafeRawBufferPointer) -> Range<Int>? {
        guard bytes.last == UInt8(ascii: ")"), let open = bytes.lastIndex(of: UInt8(ascii: "(")), open > 0
        else {
            return nil
        }
        return open + 1..<bytes.count - 1
    }

    /// The offset of the comma after the family name in `Guin, Ursula K. Le`; nil for a name in reading
    /// order.
    static func inversion(_ bytes: UnsafeRawBufferPointer) -> Int? {
        guard let comma = bytes.firstIndex(of: UInt8(ascii: ",")) else { return nil }
        let given = bytes.trimmedBlanks(in: comma + 1..<bytes.count)
        let family = bytes.trimmedBlanks(in: 0..<comma)
        return given.isEmpty || family.isEmpty || isSuffix(bytes, given) ? nil : comma
    }

    /// The name in reading order: `Guin, Ursula K. Le` becomes `Ursula K. Le Guin`.
    static func readingOrder(_ name: [UInt8]) -> [UInt8] {
        guard let comma = name.withUnsafeBytes({ inversion($0) }) else { return name }
        let given = name[(comma + 1)...].drop { $0 == 0x20 }
        return Array(given) + [0x20] + name[..<comma]
    }
}

/// Iterates over a list of names.
///
/// Names are separated by `;` if the list contains one, and by `,` otherwise. A suffix stays with its name.
struct NameList {
    private var left: Range<Int>
    private let separator: UInt8

    /// Whether a comma inside a name can only mean that the family name comes first.
    let mayBeInverted: Bool

    /// - Parameter explicit: Separates the names; nil for `;` if there is one, and `,` otherwise.
    init(_ bytes: UnsafeRawBufferPointer, separator explicit: UInt8? = nil) {
        left = 0..<bytes.count
        let guess = bytes.contains(UInt8(ascii: ";")) ? UInt8(ascii: ";") : UInt8(ascii: ",")
        separator = explicit ?? guess
        mayBeInverted = separator != UInt8(ascii: ",")
    }

    /// The next name, trimmed and never empty.
    mutating func next(in bytes: UnsafeRawBufferPointer) -> Range<Int>? {
        while !left.isEmpty {
            var name = bytes.trimmedBlanks(in: cut(in: bytes))
            if name.isEmpty { continue }
            while !left.isEmpty {
                let before = left
                let next = bytes.trimmedBlanks(in: cut(in: bytes))
                guard PersonName.isSuffix(bytes, next) else {
                    left = before
                    break
                }
                name = name.lowerBound..<next.upperBound
            }
            return name
        }
        return nil
    }

    /// Removes and returns the part before the next separator.
    private mutating func cut(in bytes: UnsafeRawBufferPointer) -> Range<Int> {
        let end = bytes[left].firstIndex(of: separator) ?? left.upperBound
        let part = left.lowerBound..<end
        left = min(end + 1, left.upperBound)..<left.upperBound
        return part
    }
}
