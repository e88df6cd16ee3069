import TestSupport
import Testing

@testable import Books

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
        ("a", 1), ("été", 300), (String(repeating: "x", count: 400), .max), ("z", 0),
    ]

    @Test func `words come back as they were written`() {
        #expect(Self.read(Self.block(Self.words)) == Self.words.map { "\($0.0) \($0.1)" })
        #expect(Self.read([]) == [])
    }

    @Test func `who has enough leaves off`() {
        var seen = 0
        Self.block(Self.words).withUnsafeBytes { bytes in
            WordBlock.visit(bytes) { _, _ in
                seen += 1
                return seen < 2
            }
        }
        #expect(seen == 2)
    }

    @Test func `what is cut off or scribbled over ends the words, and nothing else`() {
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
