package import Books

/// Makes subjects from words, separators and odd bytes.
package struct SeededSubjects {
    private var random: SeededGenerator
    private let pieces = [
        "Fiction", "thrillers", "Mystery", "general", "é", "\u{A0}", "/", " / ", ", ", "--", " -- ", "-", "'",
        "&", ".", ":",
        "genre:", "1984", "1835-1910", " ", "  ", "Wölfe", "in fiction", "classics", "Solarpunk", "\u{2019}",
        "中",
    ]

    /// The same seed makes the same subjects.
    package init(seed: UInt64) { random = SeededGenerator(seed: seed) }

    /// The next subject, perhaps empty.
    package mutating func subject() -> String {
        (0..<Int.random(in: 0..<9, using: &random)).map { _ in pieces.randomElement(using: &random) ?? "" }
            .joined()
    }
}

extension ISBN {
    /// A random valid ISBN, one in four with prefix 979.
    package static func random(using random: inout SeededGenerator) -> ISBN {
        while true {
            let is979 = UInt8.random(in: 0..<4, using: &random) == 0
            let range: ClosedRange<Int64> =
                is979 ? 979_100_000_000...979_999_999_999 : 978_000_000_000...978_999_999_999
            let twelve = Int64.random(in: range, using: &random)
            if let isbn = ISBN(number: twelve * 10 + Int64(ISBNCheckDigit.ofThirteen(twelve))) { return isbn }
        }
    }
}
