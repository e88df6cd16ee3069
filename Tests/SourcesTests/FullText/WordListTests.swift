import TestSupport
import Testing

@testable import Books
@testable import Database
@testable import Sources

@Suite struct WordListTests {
    private let connection: Connection

    init() throws {
        connection = try Connection(":memory:", .create)
        try connection.execute(FullTextSchema.tables)
    }

    /// Documents of one word each; a repeated word has two documents.
    private func list(
        _ words: [String], after earlier: Int = 0, keysInMemory: Int = KeySorter.maxWaiting
    ) throws -> WordList {
        let writer = try FullTextWriter(connection, keysInMemory: keysInMemory)
        for (number, word) in words.enumerated() {
            let place = Int64(earlier + number + 1)
            try writer.append(place: place, document: place, editions: 1, SearchText(title: word, author: ""))
        }
        try writer.finish()
        return try WordList(connection)
    }

    /// Words of four to six letters of a small alphabet, so that many are one typo apart.
    private static func words(_ count: Int, seed: UInt64) -> [String] {
        var random = SeededGenerator(seed: seed)
        var words: Set<String> = []
        while words.count < count {
            let letters = (0..<Int.random(in: 4...6, using: &random)).map { _ in
                ["a", "b", "c", "ö"].randomElement(using: &random) ?? "a"
            }
            words.insert(letters.joined())
        }
        return words.sorted()
    }

    @Test(arguments: [1, 63, 64, 65, 400])
    func `every word is counted, wherever it is in its block`(count: Int) throws {
        let words = Self.words(count, seed: UInt64(count))
        let list = try list(words + words.prefix(1))
        for (number, word) in words.enumerated() {
            #expect(try list.count(word) == (number == 0 ? 2 : 1))
            #expect(try list.count(word + "zz") == 0)
        }
        #expect(try list.count("") == 0)
        #expect(try list.count("\u{10FFFF}") == 0)
    }

    @Test func `corrections are the words one typo away`() throws {
        let words = Self.words(400, seed: 8)
        // All are equally frequent, so the first four in word order are kept.
        let list = try list(words, keysInMemory: 50)
        for word in words.prefix(120) {
            let near = words.filter { $0 != word && SingleTypo.parts(word, $0) }
            #expect(try list.corrections(of: word).map(\.word) == Array(near.prefix(4)))
        }
    }

    @Test func `completions share the beginning, in any block, the most frequent first`() throws {
        let words = (0..<300).map { "plan\(Array("abcdefghij")[$0 / 100])\($0)" }
        let list = try list(["plan", "plaz", "oz"] + words + ["planc299"])
        #expect(try list.completions(of: "planc").first?.word == "planc299")
        #expect(try list.completions(of: "planc").count == 4)
        #expect(try list.completions(of: "planc29").first?.word == "planc299")
        #expect(
            try list.completions(of: "plan").allSatisfy { $0.word.hasPrefix("plan") && $0.word != "plan" })
        #expect(try list.completions(of: "pl").isEmpty, "too short")
        #expect(try list.completions(of: "plax").isEmpty)
        #expect(try list.completions(of: "aaa").isEmpty)
        #expect(try list.completions(of: "zzz").isEmpty)
    }

    @Test func `neighbours may be swapped in words of three letters, nothing else`() throws {
        let list = try list(["the", "tea", "hte", "cat", "日本人"])
        #expect(try list.exchanges(of: "teh").map(\.word) == ["the"])
        #expect(try list.exchanges(of: "the").map(\.word) == ["hte"])
        #expect(try list.exchanges(of: "cap").isEmpty && list.exchanges(of: "at").isEmpty)
        #expect(try list.exchanges(of: "本日人").isEmpty)
    }

    @Test func `one character is a beginning in scripts without spaces`() throws {
        let list = try list(["村上春樹", "村上龍", "村田", "上"])
        #expect(try list.completions(of: "村上", isRun: true).map(\.word) == ["村上春樹", "村上龍"])
        #expect(try list.completions(of: "村", isRun: true).count == 3)
        #expect(try list.completions(of: "村").isEmpty)
    }

    @Test func `later documents are added to earlier ones`() throws {
        _ = try list(["hobbit", "gatsby"], keysInMemory: 1)
        let list = try list(["hobbits", "hobbit"], after: 2, keysInMemory: 1)
        #expect(try list.count("hobbit") == 2)
        #expect(try list.corrections(of: "hobit").map(\.word) == ["hobbit"])
        let search = try FullTextSearch(connection)
        let hits = try search.find(title: "hobbit", author: "") { _ in SearchText(title: "hobbit", author: "")
        }
        #expect(hits.map(\.document) == [1, 4])
    }

    @Test func `an empty list has no words`() throws {
        let list = try list([])
        #expect(try list.count("hobbit") == 0)
        #expect(try list.corrections(of: "hobbit").isEmpty)
        #expect(try list.completions(of: "hobbit").isEmpty)
    }
}
