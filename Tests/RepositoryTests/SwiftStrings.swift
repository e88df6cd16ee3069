import Testing

/// The string literals in Swift text. Literals joined with `+` are one, and interpolations are `…`.
struct SwiftStrings {
    /// The literals in the order of their ends; those within an interpolation come before the one around it.
    static func of(_ text: String) -> [String] {
        var strings = SwiftStrings(bytes: Array(text.utf8))
        strings.scanCode(until: nil)
        return strings.found
    }

    private let bytes: [UInt8]
    private var next = 0
    private var found: [String] = []

    private init(bytes: [UInt8]) { self.bytes = bytes }

    private func hasText(_ text: StaticString, at index: Int) -> Bool {
        let count = text.utf8CodeUnitCount
        guard index + count <= bytes.count else { return false }
        return text.withUTF8Buffer { $0.elementsEqual(bytes[index..<index + count]) }
    }

    /// Scans code up to the end, or behind the parenthesis that closes an interpolation.
    private mutating func scanCode(until closing: UInt8?) {
        var depth = 0
        // The literals joined so far, and where the last one ended.
        var joined: (text: String, end: Int)?
        func finish() -> [String] { joined.map { [$0.text] } ?? [] }
        while next < bytes.count {
            let byte = bytes[next]
            if let closing, byte == closing, depth == 0 {
                next += 1
                break
            }
            switch byte {
            case UInt8(ascii: "/"): skipComment()
            case UInt8(ascii: "\""), UInt8(ascii: "#"):
                let start = next
                guard let literal = scanLiteral() else { continue }
                if let before = joined, isJoin(before.end..<start) {
                    joined = (before.text + gap(before.end..<start) + literal, next)
                } else {
                    found += finish()
                    joined = (literal, next)
                }
            case UInt8(ascii: "("):
                depth += 1
                next += 1
            case UInt8(ascii: ")"):
                depth -= 1
                next += 1
            default: next += 1
            }
        }
        found += finish()
    }

    private mutating func skipComment() {
        if hasText("//", at: next) {
            while next < bytes.count, bytes[next] != UInt8(ascii: "\n") { next += 1 }
        } else if hasText("/*", at: next) {
            while next < bytes.count, !hasText("*/", at: next) { next += 1 }
            next += 2
        } else {
            next += 1
        }
    }

    /// Whether the code between two literals is `+`, or `+ value +`.
    private func isJoin(_ range: Range<Int>) -> Bool {
        let words = String(decoding: bytes[range], as: UTF8.self).split(whereSeparator: \.isWhitespace)
        return words == ["+"] || words.count == 3 && words[0] == "+" && words[2] == "+"
    }

    /// Placeholder for the code between two joined literals.
    private func gap(_ range: Range<Int>) -> String {
        bytes[range].count { $0 == UInt8(ascii: "+") } > 1 ? "…" : ""
    }

    /// Scans a literal; nil if there is none, as at `#if`.
    private mutating func scanLiteral() -> String? {
        var hashes = 0
        while next + hashes < bytes.count, bytes[next + hashes] == UInt8(ascii: "#") { hashes += 1 }
        guard next + hashes < bytes.count, bytes[next + hashes] == UInt8(ascii: "\"") else {
            next += max(1, hashes)
            return nil
        }
        let isMultiline = hasText("\"\"\"", at: next + hashes)
        let quotes = isMultiline ? 3 : 1
        next += hashes + quotes
        var text: [UInt8] = []
        while next < bytes.count, !isEnd(quotes: quotes, hashes: hashes) {
            if !isMultiline, bytes[next] == UInt8(ascii: "\n") { break }
            guard bytes[next] == UInt8(ascii: "\\"), areHashes(hashes, at: next + 1) else {
                text.append(bytes[next])
                next += 1
                continue
            }
            next += 1 + hashes
            scanEscape(into: &text)
        }
        next = min(next + quotes + hashes, bytes.count)
        let literal = String(decoding: text, as: UTF8.self)
        return isMultiline ? Self.withoutMargin(literal) : literal
    }

    /// Scans what follows a backslash.
    private mutating func scanEscape(into text: inout [UInt8]) {
        guard next < bytes.count else { return }
        let byte = bytes[next]
        next += 1
        switch byte {
        case UInt8(ascii: "("):
            scanCode(until: UInt8(ascii: ")"))
            text += "…".utf8
        case UInt8(ascii: "n"): text.append(UInt8(ascii: "\n"))
        case UInt8(ascii: "u"): scanScalar(into: &text)
        case UInt8(ascii: "\n"):
            // The line continues: its margin is not part of the text.
            while next < bytes.count, bytes[next] == UInt8(ascii: " ") { next += 1 }
        default: text.append(byte)
        }
    }

    /// Scans `{201C}` of `\u{201C}`.
    private mutating func scanScalar(into text: inout [UInt8]) {
        let digits = bytes[next...].dropFirst().prefix { $0 != UInt8(ascii: "}") }
        let code = UInt32(String(decoding: digits, as: UTF8.self), radix: 16)
        if let scalar = code.flatMap(Unicode.Scalar.init) { text += String(Character(scalar)).utf8 }
        next = min(digits.endIndex + 1, bytes.count)
    }

    private func areHashes(_ count: Int, at index: Int) -> Bool {
        index + count <= bytes.count && bytes[index..<index + count].allSatisfy { $0 == UInt8(ascii: "#") }
    }

    private func isEnd(quotes: Int, hashes: Int) -> Bool {
        guard bytes[next] == UInt8(ascii: "\""), quotes == 1 || hasText("\"\"\"", at: next) else {
            return false
        }
        return areHashes(hashes, at: next + quotes)
    }

    /// The lines of a multi-line literal without their common margin.
    private static func withoutMargin(_ text: String) -> String {
        let lines = text.split(separator: "\n", omittingEmptySubsequences: false).dropFirst().dropLast()
        let margin = lines.filter { !$0.isEmpty }.map { $0.prefix { $0 == " " }.count }.min() ?? 0
        return lines.map { $0.dropFirst(margin) }.joined(separator: "\n")
    }
}

@Suite struct SwiftStringsTests {
    @Test func `literals are found, comments are not`() {
        let code = #"""
            let a = "one" // "no"
            /* "no" */ let b = #"raw "two" \(x)"#
            #if DEBUG
            let c = "three \"q\" \\ \u{2026}"
            """#
        #expect(SwiftStrings.of(code) == ["one", #"raw "two" \(x)"#, #"three "q" \ …"#])
    }

    @Test func `an interpolation is an ellipsis, and its literals are found too`() {
        #expect(SwiftStrings.of(#"f("a \(b ? "yes" : g(1)) c")"#) == ["yes", "a … c"])
    }

    @Test func `joined literals are one`() {
        #expect(
            SwiftStrings.of("let a = \"b \"\n    + \"c\" + d + \" e\"; f(\"g\", \"h\")") == [
                "b c… e", "g", "h",
            ])
    }

    @Test func `a multi-line literal loses its margin, and a backslash joins lines`() {
        let code = "let a = \"\"\"\n    one \\\n    two\n      three\n    \"\"\""
        #expect(SwiftStrings.of(code) == ["one two\n  three"])
    }
}
