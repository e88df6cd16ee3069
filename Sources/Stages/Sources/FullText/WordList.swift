import Books
import Database
import System

/// The words of a full-text index: the number of documents of a word, and the corrections of a mistyped one.
final class WordList {
    /// Maximum words that a word may stand for.
    static let correctionLimit = 4
    /// The same for a script without spaces, where names and titles are single words.
    static let runLimit = 32
    /// Words with the same beginning that are read for a completion.
    private static let completionsRead = 256
    private static let runsRead = 1_024
    /// Letters a word needs to be completed, in most scripts.
    private static let minLetters = 3
    /// Maximum words with remembered corrections. When it is reached, all are forgotten.
    private static let memoryLimit = 4_096

    private let blockOfWord: Statement
    private let blockOfNumber: Statement
    private let blocksFrom: Statement
    private let near: KeyBlockReader
    /// Corrections looked up so far. A search asks for each of its words twice, titles repeat words, and each
    /// lookup takes one query per letter. The index cannot change meanwhile: a list is read in one
    /// transaction, or rebuilt when the index has changed.
    private var remembered: [String: [(word: String, count: Int64)]] = [:]

    init(_ connection: Connection) throws(ETLError) {
        blockOfWord = try connection.prepare(
            "SELECT number, words FROM search_term WHERE first <= ?1 ORDER BY first DESC LIMIT 1")
        blockOfNumber = try connection.prepare("SELECT words FROM search_term WHERE number = ?1")
        blocksFrom = try connection.prepare(
            "SELECT words FROM search_term WHERE number >= ?1 ORDER BY number")
        near = try KeyBlockReader(connection, table: "search_typo")
    }

    /// Number of documents with a word.
    func count(_ word: String) throws(ETLError) -> Int64 {
        guard try blockOfWord.first(word) else { return 0 }
        defer { blockOfWord.reset() }
        var count: Int64 = 0
        let length = word.utf8.count
        blockOfWord.withBytes(1) { block in
            WordBlock.visit(block) { other, documents in
                guard other.count == length, other.elementsEqual(word.utf8) else { return true }
                count = documents
                return false
            }
        }
        return count
    }

    /// Words one mistake away, most documents first.
    func corrections(of word: String) throws(ETLError) -> [(word: String, count: Int64)] {
        if let corrections = remembered[word] { return corrections }
        var found: [String: Int64] = [:]
        var seen: Set<Int64> = []
        for key in TypoKeys.ofQuery(Array(word.utf8)) {
            for number in try near.values(of: key) where seen.insert(number).inserted {
                guard let other = try self.word(number), other.word != word,
                    SingleTypo.parts(word, other.word)
                else { continue }
                found[other.word] = other.count
            }
        }
        let corrections = Self.commonest(found)
        if remembered.count >= Self.memoryLimit { remembered.removeAll(keepingCapacity: true) }
        remembered[word] = corrections
        return corrections
    }

    /// Words that differ from a three-letter word by two swapped neighbors. Other mistakes in so short a word
    /// would match almost anything.
    func exchanges(of word: String) throws(ETLError) -> [(word: String, count: Int64)] {
        let letters = Array(word.unicodeScalars)
        guard letters.count == 3, letters.allSatisfy(\.properties.isLowercase) else { return [] }
        var found: [String: Int64] = [:]
        for other in [[letters[1], letters[0], letters[2]], [letters[0], letters[2], letters[1]]]
        where other != letters {
            let other = String(String.UnicodeScalarView(other))
            let count = try count(other)
            if count > 0 { found[other] = count }
        }
        return Self.commonest(found)
    }

    /// Words that start with the given one, most documents first.
    ///
    /// - Parameter isRun: Whether its script has no spaces (``SplitSpellings/isRun(_:)``). Then any length is
    ///   enough; otherwise three letters are needed.
    func completions(
        of word: String, isRun: Bool = false
    ) throws(ETLError) -> [(word: String, count: Int64)] {
        guard isRun || word.unicodeScalars.count >= Self.minLetters else { return [] }
        let maxRead = isRun ? Self.runsRead : Self.completionsRead
        let hasBlock = try blockOfWord.first(word)
        blocksFrom.bind(1, hasBlock ? blockOfWord.integer(0) : 0)
        blockOfWord.reset()
        defer { blocksFrom.reset() }
        let beginning = Array(word.utf8)
        var found: [String: Int64] = [:]
        var isPast = false
        while !isPast, found.count < maxRead, try blocksFrom.next() {
            blocksFrom.withBytes(0) { block in
                WordBlock.visit(block) { other, documents in
                    if other.starts(with: beginning) {
                        if other.count > beginning.count {
                            found[String(decoding: other, as: UTF8.self)] = documents
                        }
                    } else {
                        isPast = beginning.lexicographicallyPrecedes(other)
                    }
                    return !isPast && found.count < maxRead
                }
            }
        }
        return Self.commonest(found, isRun ? Self.runLimit : Self.correctionLimit)
    }

    /// A word by its number, with its number of documents.
    private func word(_ number: Int64) throws(ETLError) -> (word: String, count: Int64)? {
        let (block, place) = WordBlock.place(ofWord: number)
        guard try blockOfNumber.first(block) else { return nil }
        defer { blockOfNumber.reset() }
        var rest = place
        var found: (word: String, count: Int64)?
        blockOfNumber.withBytes(0) { block in
            WordBlock.visit(block) { word, documents in
                if rest == 0 { found = (String(decoding: word, as: UTF8.self), documents) }
                rest -= 1
                return rest >= 0
            }
        }
        return found
    }

    private static func commonest(
        _ found: [String: Int64], _ limit: Int = correctionLimit
    ) -> [(word: String, count: Int64)] {
        let sorted = found.sorted { ($1.value, $0.key) < ($0.value, $1.key) }
        return sorted.prefix(limit).map { (word: $0.key, count: $0.value) }
    }
}
