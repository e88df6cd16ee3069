import Bytes

/// Finds the genres in a user's tag that the table lacks as a whole: `comics-and-manga`, `to-read-poetry`,
/// `hockey-romance`, `shortstory`.
///
/// If all words of a tag are known (``TagTerms``), each of its genres counts. If not, only its end or its start
/// counts, and only if that is a genre in any company: `viking-romance`, `nonfiction-bees`, but not `office-drama`.
struct TagParts {
    /// A genre of a tag.
    struct Finding {
        var sign: GenreNormalizer.Outcome.Sign
        var genre: GenreTable.Genre
        /// Hash of the words that name it.
        var hash: UInt64
    }

    private typealias Term = TagTerms.Term

    /// So many terms are a list of genres, and none is a topic of another.
    private static let termsOfList = 4

    private let table: GenreTable
    private var tag: TagTerms

    init(table: GenreTable, list: TagWords = .standard) {
        self.table = table
        tag = TagTerms(table: table, list: list)
    }

    /// The genres of a tag, in order of appearance.
    ///
    /// - Parameters:
    ///   - key: Its key (``GenreKey``).
    ///   - isMistyped: Whether it may have typing errors.
    mutating func findings(in key: UnsafeRawBufferPointer, isMistyped: Bool) -> [Finding] {
        tag.read(key, isMistyped: isMistyped)
        return agreeing(certain()).compactMap { term in
            term.genre.map {
                Finding(sign: term.isHint ? .hint : .genre, genre: $0, hash: tag.hash(of: term))
            }
        }
    }

    /// The genres and hints that count, whatever the unknown words mean.
    private func certain() -> [Term] {
        var terms = tag.terms
        guard let first = terms.first, let last = terms.last, !isBlocked else { return [] }
        if terms.count > 1, terms.allSatisfy({ $0.isHint && $0.genre == first.genre }) {
            // Two hints are a sign: `diaries-and-letters`.
            return terms.map { Term(words: $0.words, kind: first.genre.map { .genre($0) } ?? .unknown) }
        }
        // `fantasy-maps` is about neither.
        let isAlone = last.isHint && !last.isLinked && terms.count > 1
        if isAlone, !terms.dropLast().contains(where: { side(of: $0) == side(of: last) }) {
            terms[terms.count - 1].kind = .unknown
        }
        guard let unknown = terms.lastIndex(where: \.isUnknown) else { return terms }
        if last.isGenre, tag.contains(last, as: .head) || tag.endsIn(.head, last) {
            return Array(terms[(unknown + 1)...])
        }
        return first.isGenre && tag.contains(first, as: .front) ? [first] : []
    }

    /// Whether a word gives the others another meaning: `horror-film`. A list such as `theatre-film-music` does not.
    private var isBlocked: Bool {
        let isAboutNonfiction =
            tag.terms.contains(where: \.isGenre)
            && tag.terms.allSatisfy { $0.genre == nil || side(of: $0) == .nonfiction }
        return tag.terms.contains { tag.contains($0, as: .block) && !($0.isHint && isAboutNonfiction) }
    }

    /// The terms without those that others make a topic of: a work of fiction about sports is no book about sports,
    /// and a biography of historical persons no historical fiction. What `and` joins stays.
    private mutating func agreeing(_ terms: [Term]) -> [Term] {
        guard terms.count > 1, terms.count < Self.termsOfList, let last = terms.last else { return terms }
        let isFirstFiction = isFiction(terms[0]) && !tag.contains(terms[0], as: .modifier)
        let isLastNonfiction = last.isGenre && side(of: last) == .nonfiction
        let lastFiction = terms.lastIndex(where: isFiction) ?? -1
        var kept: [Term] = []
        for (index, term) in terms.enumerated() {
            let isLinked = term.isLinked || index + 1 < terms.count && terms[index + 1].isLinked
            guard term.isGenre, !isLinked else {
                kept.append(term)
                continue
            }
            switch side(of: term) {
            case .nonfiction where (isFirstFiction || index < lastFiction) && term.genre != table.nonfiction:
                guard let genre = tag.fictionHint(of: term) else { continue }
                kept.append(Term(words: term.words, kind: .genre(genre)))
            case .fiction where isLastNonfiction && tag.contains(term, as: .modifier): continue
            default: kept.append(term)
            }
        }
        return kept
    }

    private func isFiction(_ term: Term) -> Bool { term.isGenre && side(of: term) == .fiction }

    private func side(of term: Term) -> GenreTable.Side? { term.genre.map { table.side(of: $0) } }
}
