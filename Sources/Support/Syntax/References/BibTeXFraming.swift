import Bytes

/// Splits a BibTeX file at its entries: from an `@` at the beginning of a line to the brace that closes the entry.
package struct BibTeXFraming: RecordFraming {
    package private(set) var isInRecord = false
    private var depth = 0
    private var isEscaped = false
    private var isLineStart = true

    package init() {}

    package mutating func next(in bytes: UnsafeRawBufferPointer, from offset: Int) -> FrameMark {
        var index = offset
        while index < bytes.count {
            let byte = bytes[index]
            index += 1
            guard isInRecord else {
                if byte == UInt8(ascii: "@"), isLineStart {
                    (isInRecord, depth, isEscaped) = (true, 0, false)
                    return .mayBegin(index - 1)
                }
                isLineStart = byte == 0x0A || byte == 0x0D || isLineStart && (byte <= 0x20 || byte >= 0xBB)
                continue
            }
            if isEscaped {
                isEscaped = false
            } else if byte == UInt8(ascii: "\\") {
                isEscaped = true
            } else if byte == UInt8(ascii: "{") {
                depth += 1
            } else if byte == UInt8(ascii: "}") {
                depth -= 1
                guard depth <= 0 else { continue }
                (isInRecord, isLineStart) = (false, true)
                return .ends(index)
            } else if depth == 0, byte == 0x0A {
                // An `@` in a text between entries.
                (isInRecord, isLineStart) = (false, true)
            }
        }
        return .needsInput
    }
}

/// An entry of BibTeX.
package struct BibTeXEntry: Sendable {
    /// `book`, in lower case.
    package private(set) var type = ""
    package private(set) var key = ""
    /// Names in lower case, and values as they are written, without their outer delimiters.
    package private(set) var fields: [String: String] = [:]

    /// Nil for anything but an entry: a comment, a preamble, an abbreviation, or damage.
    ///
    /// - Parameter abbreviations: The texts of names that stand in place of values, in lower case.
    package init?(_ text: String, abbreviations: [String: String] = [:]) {
        var rest = text[...]
        guard rest.popFirst() == "@" else { return nil }
        type = rest.prefix { $0.isLetter }.lowercased()
        rest = rest.drop { $0.isLetter || $0.isWhitespace }
        guard !["comment", "preamble", "string", ""].contains(type), rest.popFirst() == "{" else {
            return nil
        }
        key = String(rest.prefix { $0 != "," && !$0.isNewline && $0 != "}" }).filter { !$0.isWhitespace }
        rest = rest.drop { $0 != "," }.dropFirst()
        while let field = Self.field(&rest, abbreviations) { fields[field.name] = field.value }
    }

    /// The abbreviations that a file defines: `@string{knopf = "Alfred A. Knopf"}`.
    package static func abbreviations(in text: String) -> [String: String] {
        var found: [String: String] = [:]
        var rest = text[...]
        while let at = rest.firstIndex(of: "@") {
            rest = rest[at...].dropFirst()
            guard rest.prefix(6).lowercased() == "string" else { continue }
            var inside = rest.dropFirst(6).drop(while: \.isWhitespace)
            guard let open = inside.popFirst(), open == "{" || open == "(" else { continue }
            while let field = field(&inside, found) { found[field.name] = field.value }
            rest = inside
        }
        return found
    }

    /// The next field, with the comma after it.
    private static func field(
        _ rest: inout Substring, _ abbreviations: [String: String]
    ) -> (name: String, value: String)? {
        rest = rest.drop { $0.isWhitespace || $0 == "," }
        let name = rest.prefix { $0 != "=" && $0 != "}" && $0 != "{" }
        let after = rest.dropFirst(name.count)
        guard after.first == "=", !name.isEmpty else { return nil }
        rest = after.dropFirst()
        var value = ""
        repeat {
            rest = rest.drop(while: \.isWhitespace)
            value += piece(&rest, abbreviations)
            rest = rest.drop(while: \.isWhitespace)
        } while rest.first == "#" && rest.popFirst() != nil
        return (name.filter { !$0.isWhitespace }.lowercased(), value)
    }

    /// A value in braces or quotes, or a number or abbreviation.
    private static func piece(_ rest: inout Substring, _ abbreviations: [String: String]) -> String {
        guard let first = rest.first, first == "{" || first == "\"" else {
            let bare = rest.prefix { $0 != "," && $0 != "}" && $0 != ")" && $0 != "#" && !$0.isWhitespace }
            rest = rest.dropFirst(bare.count)
            return abbreviations[bare.lowercased()] ?? String(bare)
        }
        rest.removeFirst()
        var (value, depth, isEscaped) = ("", 0, false)
        while let character = rest.popFirst() {
            if isEscaped {
                isEscaped = false
            } else if character == "\\" {
                isEscaped = true
            } else if depth == 0, character == (first == "{" ? "}" : "\"") {
                return value
            } else if character == "{" {
                depth += 1
            } else if character == "}" {
                depth -= 1
            }
            value.append(character)
        }
        return value
    }
}
