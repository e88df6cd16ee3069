import Bytes

/// Values of a few folded words. It is asked for every word of every title of a dump, so words are grouped by
/// their first letter, and nothing is allocated.
struct WordTable<Value> {
    private var byFirstLetter: [[(word: StaticString, value: Value)]] = Array(repeating: [], count: 256)

    /// - Parameter words: Folded and not empty; an empty one is left out.
    init(_ words: [(StaticString, Value)]) {
        for (word, value) in words where word.utf8CodeUnitCount > 0 {
            byFirstLetter[Int(word.utf8Start[0])].append((word, value))
        }
    }

    /// The value of a word; nil if the table does not have it.
    subscript(word: UnsafeRawBufferPointer) -> Value? {
        guard let first = word.first else { return nil }
        for (known, value) in byFirstLetter[Int(first)] where known == word { return value }
        return nil
    }

    /// The value of a word; nil if the table does not have it.
    subscript(word: String) -> Value? {
        var word = word
        return word.withUTF8 { self[UnsafeRawBufferPointer($0)] }
    }
}

extension WordTable: Sendable where Value: Sendable {}

extension WordTable where Value == Void {
    init(_ words: [StaticString]) { self.init(words.map { ($0, ()) }) }

    func contains(_ word: UnsafeRawBufferPointer) -> Bool { self[word] != nil }
    func contains(_ word: String) -> Bool { self[word] != nil }
}
