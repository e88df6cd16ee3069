import Bytes
import Database

/// The words of a question, each with what it may stand for.
struct SearchWords {
    /// Words of a question that are looked at; the rest says nothing new.
    static let limit = 16
    /// How many times commoner another word must be for a known one to be taken for its misspelling.
    private static let commoner: Int64 = 10

    /// Documents that a common word is in at the least, however few there are.
    private static let leastCommon: Int64 = 10

    /// The whole question, folded.
    let folded: String
    /// The same without the article that it begins with.
    let bare: String
    /// The same without blanks.
    let letters: [UInt8]
    private(set) var words: [SearchWord] = []
    private let isTyped: Bool

    var isEmpty: Bool { folded.isEmpty }
    var isCorrected: Bool { words.contains(where: \.isCorrected) }

    /// - Parameters:
    ///   - text: What was asked, as people type it.
    ///   - doubts: Whether a known word may stand for a far commoner one as well.
    ///   - isTyped: Whether somebody typed it who is to choose among what is found, rather than that it is of a record:
    ///     then initials may stand together or apart, and a short word may be wrong.
    init(_ text: String, _ list: WordList, doubts: Bool, isTyped: Bool = false) throws(SQLiteError) {
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

    private static func word(
        _ asked: String, _ list: WordList, _ doubts: Bool, _ isTyped: Bool
    ) throws(SQLiteError) -> SearchWord {
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
    ) throws(SQLiteError) -> [(word: String, count: Int64)] {
        let found = try list.corrections(of: word)
        return isTyped && found.isEmpty ? try list.exchanges(of: word) : found
    }

    /// Several words as one, which they are spelt as where they are not apart; nil where that is rarer than the rarest of
    /// them, or unknown.
    private static func word(
        joining group: ArraySlice<String>, _ list: WordList
    ) throws(SQLiteError) -> SearchWord? {
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

    /// Documents that hold all of some words, at the most.
    private static func documents(ofAll words: [String], _ list: WordList) throws(SQLiteError) -> Int64 {
        var fewest = Int64.max
        for word in words where fewest > 0 { fewest = min(fewest, try list.count(word)) }
        return words.isEmpty ? 0 : fewest
    }

    /// The question in FTS5's language, all known words required; nil where they are too few: no more than those that
    /// nobody knows. Words that most documents hold say nothing there: `the great gatsby` is not any book with a `the`.
    /// A short word that nobody knows is passed over in what was typed, beside one that says something.
    ///
    /// Words that most documents hold are left out where a rarer one is there: they cost much and part little.
    /// - Parameters:
    ///   - total: Documents of the index.
    ///   - withoutSlight: Whether words that say next to nothing are left out; nil then where there are none.
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

/// A word of a question and what it may stand for: itself where the index knows it, its corrections or completions where it
/// does not. What it stands for is a word, or several that stand behind each other.
struct SearchWord: Hashable {
    /// Letters and figures of a word that nobody need know, and of one that says next to nothing.
    private static let (short, tiny) = (3, 2)

    let asked: String
    /// Each folded.
    private(set) var meant: [String] = []
    /// Those of them that are what was asked, spelt together or apart.
    private(set) var spellings: [String] = []
    /// Documents that hold one of them, at the most.
    private(set) var documents: Int64 = 0
    /// Whether it stands for other words than itself.
    var isCorrected = false

    init(asked: String) { self.asked = asked }

    /// Adds the word itself, or another.
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

    /// A letter, two letters or a number of two figures, of a script in which they are no word.
    var isTiny: Bool { asked.unicodeScalars.count <= Self.tiny && !SplitSpellings.isRun(asked) }

    /// The spelling of it as letters that are words of their own.
    var initials: String? { spellings.first { $0.utf8.contains(UInt8(ascii: " ")) } }

    /// What it stands for, in FTS5's language, which finds several words wherever they stand.
    ///
    /// A folded word is letters and digits: in quotes nothing in it has a meaning.
    var expression: String {
        let any = meant.map { meant in
            let all = meant.split(separator: " ").map { "\"\($0)\"" }
            return all.count > 1 ? "(\(all.joined(separator: " AND ")))" : all.joined()
        }
        return "(\(any.joined(separator: " OR ")))"
    }
}

/// Spellings that differ by blanks: `jrr` and `J. R. R.`, `usa` and `U.S.A.`, `O Brien` and `O'Brien`.
enum SplitSpellings {
    /// Letters of a word that may be initials.
    private static let lengths = 2...4

    /// The initials that a word may be, parted by blanks; nil where it is too long, or has no small and great letters.
    static func initials(_ word: String) -> String? {
        let letters = word.unicodeScalars
        guard lengths.contains(letters.count), letters.allSatisfy(\.properties.isLowercase) else {
            return nil
        }
        return letters.map { String($0) }.joined(separator: " ")
    }

    /// Words in groups: letters that follow each other, each of which is a word, as one; a single one with the word
    /// behind it; every other word alone.
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

    /// Whether a word is a letter, of a script in which a letter is no word.
    private static func isLetter(_ word: String) -> Bool {
        let letters = word.unicodeScalars
        return letters.count == 1 && letters.allSatisfy(\.properties.isLowercase)
    }

    /// Whether a folded word is of a script that is written without blanks, or without one between a word and what
    /// belongs to it: Han, kana, Hangul. Names and titles are single words there.
    static func isRun(_ word: String) -> Bool {
        guard let first = word.unicodeScalars.first else { return false }
        return first.properties.isIdeographic || 0x3041...0x30FF ~= first.value
            || 0x1100...0x11FF ~= first.value
    }
}
