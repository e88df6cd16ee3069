/// Texts for parsers of numbers, dates and durations: none may trap, and each is parsed or refused.
package enum HostileNumbers {
    /// The limits of number types, other spellings of numbers, and digits of other scripts.
    private static let fixed = [
        "", " ", "0", "-0", "+0", "-", "+", ".", "1.", ".5", "1e9", "1e400", "-1e-400", "nan", "inf", "0x10",
        "9223372036854775807", "9223372036854775808", "-9223372036854775808", "-9223372036854775809",
        "18446744073709551616", "2147483647", "2147483648", "-2147483648", "4294967296",
        "99999999999999999999",
        "٣", "²", "½", "Ⅻ", "一", "1\u{301}", "1\u{0}", "\u{FEFF}1", "1 000", "1,000", "1'000", "1_000",
    ]

    /// Parts from which texts are put together: digits and what stands around them.
    private static let parts = [
        "0", "1", "2", "9", "19", "20", "1999", "2026", "00000", "99999", "9223372036854775807", "-", "+",
        ".",
        ",", "/", ":", " ", "e", "E", "T", "Z", "X", "x", "p", "BC", "GMT", "ms", "s", "h", "d", "w", "KiB",
        "%",
        "★", "½", "March", "Mar", "Sun", "st", "th", "c", "[", "]", "?", "W", "OL", "row:", "id:", "=\"",
        "\"",
        "\u{2212}", "ü", "\u{0}",
    ]

    /// The fixed texts, then random ones, the same in every run.
    package static let texts: [String] = {
        var random = SeededGenerator(seed: 26)
        let long = ["0", "9", "19"].map { String(repeating: $0, count: 5_000) }
        let joined = (0..<20_000).map { _ in
            (0..<Int.random(in: 1...8, using: &random)).map { _ in parts.randomElement(using: &random) ?? "" }
                .joined()
        }
        return fixed + long + joined
    }()

    /// Calls `body` with the bytes of each text.
    package static func visit(_ body: (String, UnsafeRawBufferPointer) throws -> Void) rethrows {
        for text in texts {
            let bytes = Array(text.utf8)
            try bytes.withUnsafeBytes { try body(text, $0) }
        }
    }
}
