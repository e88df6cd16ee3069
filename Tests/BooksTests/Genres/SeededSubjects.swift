import TestSupport

/// Makes subjects from words, separators and odd bytes.
struct SeededSubjects {
    private var random: SeededGenerator
    private let pieces = [
        "Fiction", "thrillers", "Mystery", "general", "é", "\u{A0}", "/", " / ", ", ", "--", " -- ", "-", "'",
        "&", ".", ":",
        "genre:", "1984", "1835-1910", " ", "  ", "Wölfe", "in fiction", "classics", "Solarpunk", "\u{2019}",
        "中",
    ]

    init(seed: UInt64) { random = SeededGenerator(seed: seed) }

    mutating func subject() -> String {
        (0..<Int.random(in: 0..<9, using: &random)).map { _ in pieces.randomElement(using: &random) ?? "" }
            .joined()
    }
}
