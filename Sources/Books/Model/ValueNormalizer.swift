package import Bytes

/// Converts values to the contract's form. Returns nil for values that have no such form.
///
/// If a value is in canonical form, or contains it, nothing is copied: the result points into the original.
package enum ValueNormalizer {
    /// `YYYY-MM-DD` or `YYYY`.
    package static func date(_ text: Text, in arena: inout Arena) -> Text? {
        guard let date = arena.withBytes(text, { PublicationDate($0) }) else { return nil }
        if date.monthDay == nil { return text.cut(from: date.yearOffset, length: 4) }
        if date.standsAsISO { return text.cut(from: date.yearOffset, length: 10) }
        return arena.append(writing: date.append)
    }

    /// A year in digits, with a minus sign before the common era.
    package static func year(_ text: Text, in arena: inout Arena) -> Text? {
        guard let year = arena.withBytes(text, { YearText.read($0) }) else { return nil }
        if text.length == 4, year >= 1000 { return text }
        let digits = String(year)
        let isCanonical = arena.withBytes(text) { $0.elementsEqual(digits.utf8) }
        return isCanonical ? text : arena.append(digits)
    }

    /// A count from 1 to 999,999, without leading zeros.
    package static func count(_ text: Text, in arena: Arena) -> Text? {
        let trimmed = arena.trimmed(text)
        return arena.withBytes(trimmed) { bytes -> Text? in
            guard let first = bytes.firstIndex(where: { $0 != UInt8(ascii: "0") }), bytes.count - first <= 6,
                bytes.allSatisfy({ $0 &- 48 < 10 })
            else { return nil }
            return trimmed.cut(from: first, length: bytes.count - first)
        }
    }

    /// A decimal number above zero, such as `4.17`; also accepts `4,17`.
    package static func rating(_ text: Text, in arena: inout Arena) -> Text? {
        let trimmed = arena.trimmed(text)
        let (point, comma) = (UInt8(ascii: "."), UInt8(ascii: ","))
        let hasComma = arena.withBytes(trimmed) { bytes -> Bool? in
            guard bytes.count <= 16, let first = bytes.first, first &- 48 < 10,
                bytes.count(where: { $0 == point || $0 == comma }) <= 1,
                bytes.allSatisfy({ $0 &- 48 < 10 || $0 == point || $0 == comma }),
                bytes.contains(where: { $0 &- 49 < 9 })
            else { return nil }
            return bytes.contains(comma)
        }
        guard hasComma == true else { return hasComma.map { _ in trimmed } }
        return arena.append(arena.bytes(trimmed).map { $0 == comma ? point : $0 })
    }

    /// A numeric id: digits only.
    package static func identifier(_ text: Text, in arena: Arena) -> Text? {
        let trimmed = arena.trimmed(text)
        let isNumber = arena.withBytes(trimmed) {
            (1...18).contains($0.count) && $0.allSatisfy { $0 &- 48 < 10 }
        }
        return isNumber ? trimmed : nil
    }

    /// A lower-case ISO 639-1 code; nil for two letters that are not a language.
    package static func language(_ text: Text, in arena: Arena) -> Text? {
        let trimmed = arena.trimmed(text)
        let isCode = arena.withBytes(trimmed) {
            $0.count == 2 && $0.allSatisfy { $0 &- 97 < 26 } && Languages.twoLetters($0) != nil
        }
        return isCode ? trimmed : nil
    }
}

extension Text {
    /// A slice of the text.
    package func cut(from start: Int, length: Int) -> Text {
        Text(offset: offset + UInt32(start), length: UInt32(length))
    }
}

extension Arena {
    /// The text without ASCII blanks around it.
    package func trimmed(_ text: Text) -> Text {
        withBytes(text) { bytes in
            guard let first = bytes.firstIndex(where: { $0 > 0x20 }),
                let last = bytes.lastIndex(where: { $0 > 0x20 })
            else { return .none }
            return text.cut(from: first, length: last - first + 1)
        }
    }
}

extension Arena {
    /// Removes and returns the text before the next separator.
    package func cut(at separator: UInt8, from left: inout Text) -> Text {
        let whole = left
        let end = withBytes(whole) { $0.firstIndex(of: separator) } ?? Int(whole.length)
        left = whole.part(min(end + 1, Int(whole.length))..<Int(whole.length))
        return whole.part(0..<end)
    }
}
