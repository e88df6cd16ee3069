/// The words that a folded text holds.
struct WordSet {
    private let words: Set<Substring>
    private let text: String

    /// How many there are, each once.
    var count: Int { words.count }

    init(_ text: String) {
        words = Set(text.split(separator: " "))
        self.text = text
    }

    /// Whether a word is there, or several behind each other.
    func holds(_ spelt: String) -> Bool {
        Self.count(spelt) == 1 ? words.contains(spelt[...]) : " \(text) ".contains(" \(spelt) ")
    }

    /// Words of a spelling.
    static func count(_ spelt: String) -> Int { 1 + spelt.utf8.count { $0 == UInt8(ascii: " ") } }

    /// Whether a text holds a word: for one question only, as a set of all words costs more.
    static func text(_ text: String, holds word: Substring) -> Bool {
        var rest = text.utf8[...]
        while true {
            let end = rest.firstIndex(of: UInt8(ascii: " ")) ?? rest.endIndex
            if rest[..<end].elementsEqual(word.utf8) { return true }
            guard end < rest.endIndex else { return false }
            rest = rest[rest.index(after: end)...]
        }
    }
}
