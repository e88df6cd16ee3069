import Books
import Bytes
import Database
import System

/// The words of a query, each with the words it may stand for.
struct SearchWords {
    /// Maximum words of a query that are used; more would add nothing.
    static let limit = 16
    /// Ratio of frequencies from which a known word counts as a misspelling of a more common one.
    private static let commoner: Int64 = 10

    /// A word in at most this many documents is never too common.
    private static let leastCommon: Int64 = 10

    /// The whole query, folded.
    let folded: String
    /// The same without a leading article.
    let bare: String
    /// The same without spaces, as bytes.
    let letters: [UInt8]
    private(set) var words: [SearchWord] = []
    private let isTyped: Bool

    var isEmpty: Bool { folded.isEmpty }
    var isCorrected: Bool { words.contains(where: \.isCorrected) }

    /// - Parameters:
    ///   - text: The query as entered.
    ///   - doubts: Whether a known word may also stand for a far more common one.
    ///   - isTyped: Whether the user typed the query and will choose from the results, rather than that it
    ///     comes from a record. Initials may then be joined or separate, and a short word may be wrong.
    init(_ text: String, _ list: WordList, doubts: Bool, isTyped: Bool = false) throws(ETLError) {
        folded = Folding.fold(text)
        bare = String(TitleWords.withoutArticle(folded))
        letters = folded.utf8.filter { $0 != UInt8(ascii: " ") }
        self.isTyped = isTyped
        let all = folded.split(separator: " ").prefix(Self.limit).map(String.init)
        var seen: Set<String> = []
        for group in isTyped ? SplitSpellings.groups(of: all) : all.indices.map({ all[$0...$0] }) {
            if let word = try Self.word(joining: group, list) {
                if seen.insert(word.asked).inserted { words.append(word) }
                continue
            }
            for asked in group where seen.insert(asked).inserted {
                words.append(try Self.word(asked, list, doubts, isTyped))
            }
        }
    }

    /// The words as they were entered, for texts that are in no index.
    init(_ text: String) {
        folded = Folding.fold(text)
        bare = String(TitleWords.withoutArticle(folded))
        letters = folded.utf8.filter { $0 != UInt8(ascii: " ") }
        isTyped = true
        words = folded.split(separator: " ").prefix(Self.limit).map { SearchWord(asked: String($0)) }
    }

    /// Whether a folded text has all words. Initials may be written otherwise: `jrr` is in `j r r tolkien`, and a single
    /// letter may be missing.
    func areAll(in text: String) -> Bool {
        let held = WordSet(text)
        return words.allSatisfy { word in
            held.holds(word.asked) || SplitSpellings.initials(word.asked).map(held.holds) ?? false
                || SplitSpellings.isLetter(word.asked)
        }
    }

    private static func word(
        _ asked: String, _ list: WordList, _ doubts: Bool, _ isTyped: Bool
    ) throws(ETLError) -> SearchWord {
        let count = try list.count(asked)
        let isRun = isTyped && SplitSpellings.isRun(asked)
        var word = SearchWord(asked: asked)
        if count > 0 {
            word.add(asked, count)
            guard doubts else { return word }
            for other in try corrections(of: asked, list, isTyped) where other.count >= commoner * count {
                word.add(other.word, other.count)
            }
            if isRun {
                for other in try list.completions(of: asked, isRun: true) {
                    word.add(other.word, other.count)
                }
            }
        } else {
            var meant = try corrections(of: asked, list, isTyped)
            if meant.isEmpty { meant = try list.completions(of: asked, isRun: isRun) }
            for other in meant { word.add(other.word, other.count) }
            word.isCorrected = true
        }
        if isTyped, let apart = SplitSpellings.initials(asked) {
            let documents = try documents(ofAll: apart.split(separator: " ").map(String.init), list)
            if documents > 0, documents >= count { word.add(spelling: apart, documents) }
        }
        return word
    }

    private static func corrections(
        of word: String, _ list: WordList, _ isTyped: Bool
    ) throws(ETLError) -> [(word: String, count: Int64)] {
        let found = try list.corrections(of: word)
        return isTyped && found.isEmpty ? try list.exchanges(of: word) : found
    }

    /// Several words joined into one, for words that are also written together. Nil if the joined word is
    /// unknown, or rarer than the rarest of the words.
    private static func word(
        joining group: ArraySlice<String>, _ list: WordList
    ) throws(ETLError) -> SearchWord? {
        guard group.count > 1, let last = group.last else { return nil }
        let joined = try list.count(group.joined())
        let apart = try documents(ofAll: Array(group), list)
        let isOfLetters = last.unicodeScalars.count == 1
        guard joined > 0, isOfLetters || joined >= apart else { return nil }
        var word = SearchWord(asked: group.joined(separator: " "))
        if apart > 0 { word.add(word.asked, apart) }
        word.add(spelling: group.joined(), joined)
        return word
    }

    /// An upper bound of the documents with all words.
    private static func documents(ofAll words: [String], _ list: WordList) throws(ETLError) -> Int64 {
        var fewest = Int64.max
        for word in words where fewest > 0 { fewest = min(fewest, try list.count(word)) }
        return words.isEmpty ? 0 : fewest
    }

    /// The query as an FTS5 expression that requires all known words. Nil if too few are known: not more
    /// than the unknown ones. Common words do not count there: `the great gatsby` is not any book with a
    /// `the`. In a typed query, short unknown words are ignored if a word is known that is not common.
    ///
    /// Common words are left out if there is a rare one: they cost much and exclude little.
    ///
    /// - Parameters:
    ///   - total: Number of documents in the index.
    ///   - withoutTiny: Whether to leave out tiny words; the result is nil if there are none.
    func expression(total: Int64, withoutTiny: Bool = false) -> String? {
        var known = words.filter { !$0.meant.isEmpty }
        if withoutTiny {
            guard known.contains(where: \.isTiny) else { return nil }
            known.removeAll(where: \.isTiny)
        }
        let unknown = words.count { $0.meant.isEmpty && !(isTyped && $0.isShort) }
        let common = max(total / 20, Self.leastCommon)
        guard known.count == words.count || known.count(where: { $0.documents <= common }) > unknown else {
            return nil
        }
        if let rarest = known.map(\.documents).min(), rarest <= total / 50 {
            known.removeAll { $0.documents > max(rarest, total / 20) }
        }
        guard !known.isEmpty else { return nil }
        return known.map(\.expression).joined(separator: " AND ")
    }
}

/// A word of a query and its possible meanings: itself if the index knows it, otherwise its corrections or
/// completions. Each is one word, or several consecutive words.
struct SearchWord: Hashable {
    /// Maximum letters and digits of a word that may be unknown, and of one that says almost nothing.
    private static let (short, tiny) = (3, 2)

    let asked: String
    /// The folded words it may stand for.
    private(set) var meant: [String] = []
    /// Those of ``meant`` that are the same word, written joined or separate.
    private(set) var spellings: [String] = []
    /// An upper bound of the documents with one of them.
    private(set) var documents: Int64 = 0
    /// Whether it stands for other words than itself.
    var isCorrected = false

    init(asked: String) { self.asked = asked }

    /// Adds the word itself or another one.
    mutating func add(_ word: String, _ documents: Int64) {
        meant.append(word)
        self.documents += documents
        if word != asked { isCorrected = true }
    }

    /// Adds another spelling.
    mutating func add(spelling: String, _ documents: Int64) {
        add(spelling, documents)
        spellings.append(spelling)
    }

    var isShort: Bool { asked.unicodeScalars.count <= Self.short }

    /// One or two letters, or a number of two digits, in a script where these are not words.
    var isTiny: Bool { asked.unicodeScalars.count <= Self.tiny && !SplitSpellings.isRun(asked) }

    /// The spelling as separate initials, if there is one.
    var initials: String? { spellings.first { $0.utf8.contains(UInt8(ascii: " ")) } }

    /// The FTS5 expression for its meanings. FTS5 finds several words wherever they are in the text.
    ///
    /// Folded words contain only letters and digits, so quoting needs no escapes.
    var expression: String {
        let any = meant.map { meant in
            let all = meant.split(separator: " ").map { "\"\($0)\"" }
            return all.count > 1 ? "(\(all.joined(separator: " AND ")))" : all.joined()
        }
        return "(\(any.joined(separator: " OR ")))"
    }
}

/// Spellings that differ in spaces: `jrr` and `J. R. R.`, `usa` and `U.S.A.`, `O Brien` and `O'Brien`.
enum SplitSpellings {
    /// Number of letters of a word that may be initials.
    private static let lengths = 2...4

    /// The initials a word may be, separated by spaces. Nil if its length is out of range or its script has
    /// no case.
    static func initials(_ word: String) -> String? {
        let letters = word.unicodeScalars
        guard lengths.contains(letters.count), letters.allSatisfy(\.properties.isLowercase) else {
            return nil
        }
        return letters.map { String($0) }.joined(separator: " ")
    }

    /// Groups words: consecutive single letters form a group, one single letter is grouped with the word
    /// after it, and every other word is alone.
    static func groups(of words: [String]) -> [ArraySlice<String>] {
        var groups: [ArraySlice<String>] = []
        var start = 0
        while start < words.count {
            var end = start
            while end < words.count, isLetter(words[end]) { end += 1 }
            if end == start || end == start + 1, end < words.count { end += 1 }
            groups.append(words[start..<end])
            start = end
        }
        return groups
    }

    /// Whether a word is a single letter of a script where a letter is not a word.
    static func isLetter(_ word: String) -> Bool {
        let letters = word.unicodeScalars
        return letters.count == 1 && letters.allSatisfy(\.properties.isLowercase)
    }

    /// Whether a folded word is in a script written without spaces, or with suffixes attached: Han, kana,
    /// Hangul. Names and titles are single words there.
    static func isRun(_ word: String) -> Bool {
        guard let first = word.unicodeScalars.first else { return false }
        return first.properties.isIdeographic || 0x3041...0x30FF ~= first.value
            || 0x1100...0x11FF ~= first.value
    }
}
