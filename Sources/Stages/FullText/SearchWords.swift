/// The words of a question, each with what it may stand for.
struct SearchWords {
    /// Words of a question that are looked at; the rest says nothing new.
    static let limit = 16
    /// How many times commoner another word must be for a known one to be taken for its misspelling.
    private static let commoner: Int64 = 10

    /// Documents that a common word is in at the least, however few there are.
    private static let leastCommon: Int64 = 10

    /// A word and the words it may stand for: itself where the index knows it, its corrections or completions
    /// where it does not.
    struct Word: Hashable {
        var asked: String
        var meant: [String]
        /// Documents that hold one of them, at the most.
        var documents: Int64
        /// Whether it stands for other words than itself.
        var isCorrected: Bool
    }

    /// The whole question, folded.
    private(set) var folded: String
    private(set) var words: [Word] = []

    var isEmpty: Bool { folded.isEmpty }
    var isCorrected: Bool { words.contains(where: \.isCorrected) }

    /// - Parameters:
    ///   - text: What was asked, as people type it.
    ///   - doubts: Whether a known word may stand for a far commoner one as well.
    init(_ text: String, _ list: WordList, doubts: Bool) throws(SQLiteError) {
        folded = Folding.fold(text)
        var seen: Set<String> = []
        for asked in folded.split(separator: " ").prefix(Self.limit).map(String.init)
        where seen.insert(asked).inserted {
            words.append(try Self.word(asked, list, doubts))
        }
    }

    private static func word(_ asked: String, _ list: WordList, _ doubts: Bool) throws(SQLiteError) -> Word {
        let count = try list.count(asked)
        guard count > 0 else {
            var meant = try list.corrections(of: asked)
            if meant.isEmpty { meant = try list.completions(of: asked) }
            return Word(
                asked: asked, meant: meant.map(\.word), documents: meant.reduce(0) { $0 + $1.count },
                isCorrected: true)
        }
        var word = Word(asked: asked, meant: [asked], documents: count, isCorrected: false)
        guard doubts else { return word }
        for other in try list.corrections(of: asked) where other.count >= Self.commoner * count {
            word.meant.append(other.word)
            word.documents += other.count
            word.isCorrected = true
        }
        return word
    }

    /// The question in FTS5's language, all known words required; nil where they are too few: no more than those that
    /// nobody knows. Words that most documents hold say nothing there: `the great gatsby` is not any book with a `the`.
    ///
    /// Words that most documents hold are left out where a rarer one is there: they cost much and part little.
    /// - Parameter total: Documents of the index.
    func expression(total: Int64) -> String? {
        var known = words.filter { !$0.meant.isEmpty }
        let unknown = words.count - known.count
        let common = max(total / 20, Self.leastCommon)
        guard unknown == 0 || known.count(where: { $0.documents <= common }) > unknown else { return nil }
        if let rarest = known.map(\.documents).min(), rarest <= total / 50 {
            known.removeAll { $0.documents > max(rarest, total / 20) }
        }
        guard !known.isEmpty else { return nil }
        // A folded word is letters and digits: in quotes nothing in it has a meaning.
        return known.map { word in
            "(" + word.meant.map { "\"\($0)\"" }.joined(separator: " OR ") + ")"
        }.joined(separator: " AND ")
    }
}
