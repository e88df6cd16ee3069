import TestSupport
import Testing

@testable import Books
@testable import Bytes
@testable import Sources

@Suite struct SingleTypoTests {
    @Test(arguments: [
        ("tolkien", "tolkein", true), ("tolkien", "tolkie", true), ("tolkie", "tolkien", true),
        ("tolkien", "tolkyen", true), ("tolkien", "otlkien", true), ("tolkien", "tolkiene", true),
        ("tolkien", "tolkien", false), ("tolkien", "tlokein", false), ("tolkien", "tolk", false),
        ("ab", "ba", true), ("", "a", true), ("", "", false), ("толстой", "толстои", true),
        ("abcd", "badc", false),
    ])
    func `one typo is distinguished from none and from two`(a: String, b: String, apart: Bool) {
        #expect(SingleTypo.parts(a, b) == apart)
        #expect(SingleTypo.parts(b, a) == apart)
    }

    /// Words one typo apart share a key, so comparing only words with a common key misses none.
    @Test func `words one typo apart share a key`() {
        var draws = SeededGenerator(seed: 11)
        for _ in 0..<2_000 {
            let word = (0..<Int.random(in: 4...12, using: &draws)).map { _ in Self.letter(&draws) }
            let other = Self.mistaken(word, &draws)
            guard word != other, other.count >= 4 else { continue }
            let (a, b) = (String(word), String(other))
            #expect(SingleTypo.parts(a, b), "\(a) \(b)")
            let keys = Set(TypoKeys.ofTerm(Array(a.utf8)))
            #expect(!keys.isDisjoint(with: TypoKeys.ofQuery(Array(b.utf8))), "\(a) \(b)")
        }
    }

    private static func letter(_ draws: inout SeededGenerator) -> Character {
        let letters: [Character] = ["a", "b", "c", "d", "й", "ж", "山"]
        return letters[Int.random(in: 0..<letters.count, using: &draws)]
    }

    private static func mistaken(_ word: [Character], _ draws: inout SeededGenerator) -> [Character] {
        var word = word
        let at = Int.random(in: 0..<word.count - 1, using: &draws)
        switch Int.random(in: 0..<4, using: &draws) {
        case 0: word.remove(at: at)
        case 1: word.insert(letter(&draws), at: at)
        case 2: word[at] = letter(&draws)
        default: word.swapAt(at, at + 1)
        }
        return word
    }

    @Test func `a Hangul syllable counts as one letter in words of several`() {
        func parts(_ a: String, _ b: String) -> Bool { SingleTypo.parts(Folding.fold(a), Folding.fold(b)) }
        #expect(parts("채식주의자", "채식의자") && parts("채식주의자", "채식의주자"))
        #expect(parts("채식주의자", "채식주의사") && !parts("채식주의자", "채의자"))
        #expect(!parts("한강", "한국"), "half of the word differs")
        let keys = Set(TypoKeys.ofTerm(Array(Folding.fold("채식주의자").utf8)))
        #expect(!keys.isDisjoint(with: TypoKeys.ofQuery(Array(Folding.fold("채식의자").utf8))))
        #expect(HangulSyllables.count(Folding.fold("채식주의자")) == 5 && HangulSyllables.count("hobbit") == 0)
        #expect(HangulSyllables.places(in: Array(Folding.fold("강남a").utf8)).isEmpty)
    }

    @Test func `short words and numbers are not corrected`() {
        #expect(TypoKeys.ofQuery(Array("the".utf8)) == [])
        #expect(TypoKeys.ofTerm(Array("it".utf8)) == [])
        #expect(TypoKeys.ofTerm(Array("1984".utf8)) == [])
        #expect(TypoKeys.ofTerm(Array("aaaa".utf8)).count == 2)
    }
}
