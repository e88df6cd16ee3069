/// A word of a question and what it may stand for: itself where the index knows it, its corrections or completions where it
/// does not. What it stands for is a word, or several that stand behind each other.
struct SearchWord: Hashable {
    /// Letters and figures of a word that nobody need know, and of one that says next to nothing.
    private static let (short, slight) = (3, 2)

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
    var isSlight: Bool { asked.unicodeScalars.count <= Self.slight && !SplitSpellings.isRun(asked) }

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
