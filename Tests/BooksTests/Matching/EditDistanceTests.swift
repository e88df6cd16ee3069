import TestSupport
import Testing

@testable import Books

@Suite struct EditDistanceTests {
    @Test(arguments: [
        ("", "", 0), ("a", "", 1), ("kitten", "sitting", 3), ("ab", "ba", 1), ("gatsby", "gatsbey", 1),
        ("flaw", "lawn", 2),
    ])
    func `replaced, added, missing and swapped letters are counted`(a: String, b: String, distance: Int) {
        #expect(EditDistance.isAtMost(distance, a, b))
        #expect(EditDistance.isAtMost(distance, b, a))
        if distance > 0 { #expect(!EditDistance.isAtMost(distance - 1, a, b)) }
    }

    @Test func `a number of changes never exceeds the distance`() {
        var random = SeededGenerator(seed: 7)
        for _ in 0..<300 {
            let letters: [Character] = ["a", "b", "c"]
            func letter() -> Character { letters[Int.random(in: 0..<3, using: &random)] }
            var text = (0..<Int.random(in: 1...12, using: &random)).map { _ in letter() }
            let before = String(text)
            let changes = Int.random(in: 0...3, using: &random)
            for _ in 0..<changes where !text.isEmpty {
                text[Int.random(in: 0..<text.count, using: &random)] =
                    letter()
            }
            #expect(EditDistance.isAtMost(changes, before, String(text)))
        }
    }
}
