import Bytes

/// One person's name.
package enum PersonName {
    /// The name in reading order, of a name with the family name first: `Guin, Ursula K. Le` becomes `Ursula K. Le
    /// Guin`, `King, Martin Luther, Jr.` becomes `Martin Luther King Jr.`, and so does BibTeX's `King, Jr., Martin
    /// Luther`. A name without a comma stays.
    package static func readingOrder(_ name: [UInt8]) -> [UInt8] {
        guard name.contains(UInt8(ascii: ",")) else { return name }
        return name.withUnsafeBytes { readingOrder($0) }
    }

    /// The same for bytes of a batch.
    package static func readingOrder(_ bytes: UnsafeRawBufferPointer) -> [UInt8] {
        let parts = NameParts(bytes, .familyFirst).parts
        guard let family = parts.first else { return [] }
        var name: [UInt8] = []
        // Titles stand after the given name: Wellington, Arthur Wellesley, Duke of
        for part in parts.dropFirst() {
            if !name.isEmpty { name += Array(", ".utf8) }
            name += bytes[part.name]
        }
        if !name.isEmpty { name.append(0x20) }
        name += bytes[family.name]
        for suffix in parts.flatMap(\.suffixes) { name += [0x20] + bytes[suffix] }
        return name
    }
}

extension PersonName {
    /// The two parts of a text with one comma that is not before a suffix; nil for any other text.
    package static func twoParts(_ bytes: UnsafeRawBufferPointer) -> (String, String)? {
        let parts = NameParts(bytes, .unknown).parts.map { String(decoding: bytes[$0.name], as: UTF8.self) }
        return parts.count == 2 ? (parts[0], parts[1]) : nil
    }

    /// Whether a text is one name whose family name, a single word, comes first: `Smith, Mark`.
    package static func beginsWithFamilyName(_ bytes: UnsafeRawBufferPointer) -> Bool {
        let parts = NameParts(bytes, .unknown).parts
        return parts.count == 2 && !bytes[parts[0].name].contains(0x20)
    }
}

extension PersonName {
    /// Bytes of a text that may stand for nobody, such as `VV., AA.`
    private static let longestNobody = 10

    /// The places of given and family name in a text that is certainly one person's name with the family name first:
    /// `Le Guin, Ursula K.` Nil for any other text, and for one that needs a closer look (``PeopleCell``).
    package static func plainInversion(
        _ bytes: UnsafeRawBufferPointer
    ) -> (given: Range<Int>, family: Range<Int>)? {
        guard bytes.count > longestNobody else { return nil }
        var comma: Int?
        var word: UInt64 = 0
        for (at, byte) in bytes.enumerated() {
            switch byte {
            case UInt8(ascii: ","), UInt8(ascii: " "):
                if PeopleCell.mayBeNoName(word) { return nil }
                word = 0
                if byte == UInt8(ascii: " ") { continue }
                guard comma == nil else { return nil }
                comma = at
            case _ where word == 0 && PeopleCell.mayBeginDash(byte): return nil
            case UInt8(ascii: "."), UInt8(ascii: "'"), UInt8(ascii: "-"), 0x80...0xFF,
                UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"):
                word = word << 8 | UInt64(byte.lowered)
            default: return nil
            }
        }
        guard let comma, !PeopleCell.mayBeNoName(word) else { return nil }
        let family = bytes.trimmedBlanks(in: 0..<comma)
        let given = bytes.trimmedBlanks(in: comma + 1..<bytes.count)
        guard !family.isEmpty, !given.isEmpty, NameSuffix(bytes, given) == nil,
            !ContributorRole.mayBegin(UnsafeRawBufferPointer(rebasing: bytes[given]))
        else { return nil }
        return (given, family)
    }
}

/// Iterates over a list of names.
///
/// Names are separated by `;` if the list contains one, and by `,` otherwise. A suffix stays with its name.
package struct NameList {
    private var left: Range<Int>
    private let separator: UInt8

    /// The order of a name in the list: a comma can only be inside a name if it separates no names.
    package var order: NameOrder { separator == UInt8(ascii: ",") ? .readingOrder : .unknown }

    /// - Parameter explicit: Separates the names; nil for `;` if there is one, and `,` otherwise.
    package init(_ bytes: UnsafeRawBufferPointer, separator explicit: UInt8? = nil) {
        left = 0..<bytes.count
        let guess = bytes.contains(UInt8(ascii: ";")) ? UInt8(ascii: ";") : UInt8(ascii: ",")
        separator = explicit ?? guess
    }

    /// The next name, trimmed and never empty.
    package mutating func next(in bytes: UnsafeRawBufferPointer) -> Range<Int>? {
        while !left.isEmpty {
            var name = bytes.trimmedBlanks(in: cut(in: bytes))
            if name.isEmpty { continue }
            while !left.isEmpty {
                let before = left
                let next = bytes.trimmedBlanks(in: cut(in: bytes))
                guard NameSuffix(bytes, next) != nil else {
                    left = before
                    break
                }
                name = name.lowerBound..<next.upperBound
            }
            return name
        }
        return nil
    }

    /// Removes and returns the part before the next separator, which is not within brackets.
    private mutating func cut(in bytes: UnsafeRawBufferPointer) -> Range<Int> {
        var (depth, first, end) = (0, left.upperBound, left.upperBound)
        for at in left {
            switch bytes[at] {
            case UInt8(ascii: "("): depth += 1
            case UInt8(ascii: ")"): depth = max(0, depth - 1)
            case separator:
                first = min(first, at)
                if depth == 0 { end = at }
            default: break
            }
            if end < left.upperBound { break }
        }
        // A bracket that is not closed encloses nothing.
        if depth > 0 { end = first }
        let part = left.lowerBound..<end
        left = min(end + 1, left.upperBound)..<left.upperBound
        return part
    }
}
