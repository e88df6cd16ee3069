import Testing

/// Swift text with comments and the content of strings blanked, for searching code. Code in interpolations
/// and line ends are kept, and so are line numbers.
enum SwiftCode {
    static func blank(_ text: String) -> String {
        var scanner = Scanner(bytes: Array(text.utf8))
        scanner.scanCode(until: nil)
        return String(decoding: scanner.out, as: UTF8.self)
    }

    private struct Scanner {
        let bytes: [UInt8]
        var out: [UInt8] = []
        var next = 0

        init(bytes: [UInt8]) {
            self.bytes = bytes
            out.reserveCapacity(bytes.count)
        }

        private func hasText(_ text: StaticString, at index: Int) -> Bool {
            let count = text.utf8CodeUnitCount
            guard index + count <= bytes.count else { return false }
            return text.withUTF8Buffer { $0.elementsEqual(bytes[index..<index + count]) }
        }

        private mutating func keep() {
            out.append(bytes[next])
            next += 1
        }

        private mutating func blank(_ count: Int = 1) {
            for index in next..<min(next + count, bytes.count) {
                out.append(bytes[index] == UInt8(ascii: "\n") ? UInt8(ascii: "\n") : UInt8(ascii: " "))
            }
            next += count
        }

        /// Scans code up to the end, or up to the parenthesis that closes an interpolation.
        mutating func scanCode(until closing: UInt8?) {
            var depth = 0
            while next < bytes.count {
                let byte = bytes[next]
                if let closing, byte == closing, depth == 0 { return keep() }
                switch byte {
                case UInt8(ascii: "/"): scanComment()
                case UInt8(ascii: "\""), UInt8(ascii: "#"): scanString()
                case UInt8(ascii: "("):
                    depth += 1
                    keep()
                case UInt8(ascii: ")"):
                    depth -= 1
                    keep()
                default: keep()
                }
            }
        }

        /// Blanks a comment; a slash that does not begin one is kept.
        private mutating func scanComment() {
            if hasText("//", at: next) {
                while next < bytes.count, bytes[next] != UInt8(ascii: "\n") { blank() }
            } else if hasText("/*", at: next) {
                while next < bytes.count, !hasText("*/", at: next) { blank() }
                blank(2)
            } else {
                keep()
            }
        }

        /// Blanks a string but keeps its quotes; a `#` that does not begin one is kept.
        private mutating func scanString() {
            var hashes = 0
            while next + hashes < bytes.count, bytes[next + hashes] == UInt8(ascii: "#") { hashes += 1 }
            guard next + hashes < bytes.count, bytes[next + hashes] == UInt8(ascii: "\"") else {
                for _ in 0..<hashes { keep() }
                return
            }
            let quotes = hasText("\"\"\"", at: next + hashes) ? 3 : 1
            for _ in 0..<hashes + quotes { keep() }
            while next < bytes.count {
                if isEnd(quotes: quotes, hashes: hashes) {
                    for _ in 0..<quotes + hashes { keep() }
                    return
                }
                if quotes == 1, bytes[next] == UInt8(ascii: "\n") { return }
                guard bytes[next] == UInt8(ascii: "\\"), areHashes(hashes, at: next + 1) else {
                    blank()
                    continue
                }
                let escaped = next + 1 + hashes
                if escaped < bytes.count, bytes[escaped] == UInt8(ascii: "(") {
                    for _ in 0..<hashes + 2 { keep() }
                    scanCode(until: UInt8(ascii: ")"))
                } else {
                    blank(hashes + 2)
                }
            }
        }

        private func areHashes(_ count: Int, at index: Int) -> Bool {
            index + count <= bytes.count
                && bytes[index..<index + count].allSatisfy { $0 == UInt8(ascii: "#") }
        }

        private func isEnd(quotes: Int, hashes: Int) -> Bool {
            guard bytes[next] == UInt8(ascii: "\""), quotes == 1 || hasText("\"\"\"", at: next) else {
                return false
            }
            return areHashes(hashes, at: next + quotes)
        }
    }
}

/// The scanner that the other repository tests rely on.
@Suite struct SwiftCodeTests {
    @Test func `comments and strings are blanked, code and line ends stay`() {
        let code = SwiftCode.blank(
            """
            let a = "try! // no" // try! here
            /* as! */ let b = #"raw "try!" \\(x)"#
            let c = "\\(f("in", as: 1)) as! \\"q\\" end"
            """)
        #expect(!code.contains("try!") && !code.contains("as!") && !code.contains("raw"))
        #expect(
            code.contains("let a = \"") && code.contains("let b = #\"") && code.contains("f(\"  \", as: 1)"))
        #expect(code.split(separator: "\n", omittingEmptySubsequences: false).count == 3)
    }

    @Test func `a multi-line string ends at its closing quotes`() {
        let text = "let a = \"\"\"\n  fatalError() \"quoted\"\n  \"\"\"\nlet b = 1"
        let code = SwiftCode.blank(text)
        #expect(!code.contains("fatalError") && code.hasSuffix("  \"\"\"\nlet b = 1"))
    }

    @Test func `an unclosed string ends with its line`() {
        #expect(SwiftCode.blank("let a = \"open\nlet b = 2").hasSuffix("\nlet b = 2"))
    }
}
