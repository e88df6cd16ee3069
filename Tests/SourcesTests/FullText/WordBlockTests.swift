import TestSupport
import Testing

@testable import Bytes
@testable import Sources

@Suite struct WordBlockTests {
    private static func read(_ block: [UInt8]) -> [String] {
        var words: [String] = []
        block.withUnsafeBytes { bytes in
            WordBlock.visit(bytes) { word, documents in
                words.append("\(String(decoding: word, as: UTF8.self)) \(documents)")
                return true
            }
        }
        return words
    }

    private static func block(_ words: [(String, Int64)]) -> [UInt8] {
        var block: [UInt8] = []
        for (word, documents) in words {
            Array(word.utf8).withUnsafeBytes { WordBlock.append($0, documents: documents, to: &block) }
        }
        return block
    }

    private static let words: [(String, Int64)] = [
        ("a", 1), ("été", 300), (String(repeating: "x", count: 400), 1 << 40), ("z", 0),
    ]

    @Test func `words round-trip`() {
        #expect(Self.read(Self.block(Self.words)) == Self.words.map { "\($0.0) \($0.1)" })
        #expect(Self.read([]) == [])
    }

    @Test func `a count larger than any number of documents is cut`() {
        #expect(Self.read(Self.block([("a", .max)])) == ["a \(1 << 40)"])
    }

    @Test func `a visit can stop early`() {
        var seen = 0
        Self.block(Self.words).withUnsafeBytes { bytes in
            WordBlock.visit(bytes) { _, _ in
                seen += 1
                return seen < 2
            }
        }
        #expect(seen == 2)
    }

    @Test func `truncated or damaged blocks end the words and do no other harm`() {
        let block = Self.block(Self.words)
        let whole = Self.read(block)
        for length in 0..<block.count {
            #expect(whole.starts(with: Self.read(Array(block.prefix(length)))))
        }
        var random = SeededGenerator(seed: 5)
        for _ in 0..<2_000 {
            var damaged = block
            damaged[Int.random(in: damaged.indices, using: &random)] = .random(in: 0...255, using: &random)
            #expect(Self.read(damaged).count <= block.count)
        }
    }
}

@Suite struct WordSetTests {
    @Test func `several words match only in sequence`() {
        let held = WordSet("tolkien j r r")
        #expect(held.holds("j r r") && held.holds("tolkien") && held.count == 3)
        #expect(!held.holds("j r tolkien") && !held.holds("tolk") && !held.holds("en j"))
        for word in ["tolkien", "j", "r"] { #expect(WordSet.text("tolkien j r r", holds: word[...])) }
        for word in ["tolk", "en", "k"] { #expect(!WordSet.text("tolkien j r r", holds: word[...])) }
        #expect(WordSet("").count == 0)
    }
}

@Suite struct SplitSpellingsTests {
    @Test(arguments: [
        ("jrr", "j r r"), ("cs", "c s"), ("žš", "ž š"), ("j", nil), ("jrrtt", nil), ("u2", nil), ("村上", nil),
    ])
    func `a short word may be initials`(word: String, initials: String?) {
        #expect(SplitSpellings.initials(word) == initials)
    }

    @Test(arguments: [
        ("u s a", ["u s a"]), ("j r r tolkien", ["j r r", "tolkien"]),
        ("flann o brien", ["flann", "o brien"]),
        ("brien o", ["brien", "o"]), ("the hobbit", ["the", "hobbit"]), ("2 b", ["2", "b"]), ("", []),
    ])
    func `letters form a group of words`(text: String, groups: [String]) {
        let words = text.split(separator: " ").map(String.init)
        #expect(SplitSpellings.groups(of: words).map { $0.joined(separator: " ") } == groups)
    }

    @Test func `scripts without spaces are recognized`() {
        for word in ["村上", "ノルウェイ", "한강", "あ"] { #expect(SplitSpellings.isRun(Folding.fold(word))) }
        for word in ["hobbit", "толстой", "", "1984"] { #expect(!SplitSpellings.isRun(Folding.fold(word))) }
    }
}
