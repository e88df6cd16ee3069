import Bytes

/// Decides which of a provider's books is the row's book, if any. It compares title and author, weighs
/// evidence for and against, and requires a threshold and a gap.
///
/// A wrong book is worse than none. A book is matched if only it reaches the threshold. If a second book has
/// a similar score, no book is matched, unless both are records of the same book; then the better-known
/// record is used.
struct Matcher {
    /// The minimum score of a match.
    static let threshold = 0.86
    /// The minimum distance to the second-best book.
    static let gap = 0.04
    /// The minimum score of a book that is shown in a review.
    static let plausible = 0.5
    /// A record counts as a duplicate of another one that has at least this many times as many editions.
    private static let dominance = 2.0
    /// The minimum agreement of two names of one author: half a name is enough, a similar-sounding one is
    /// not.
    private static let sameAuthor = 0.75

    /// Why no book was matched.
    enum Abstention: Sendable, Hashable {
        /// The best book does not reach the threshold.
        case notSure
        /// The second-best book is too close.
        case tooClose
    }

    enum Verdict: Sendable, Hashable {
        /// The index of the matched book.
        case match(Int)
        case abstain(Abstention)
        /// No book is plausible.
        case nothing
    }

    /// The index of a book with its score.
    struct Ranked: Sendable, Hashable {
        var index: Int
        var score: MatchScore
    }

    private let wanted: MatchQuery
    private let title: ParsedTitle
    private let author: ParsedName

    init(_ wanted: MatchQuery) {
        self.wanted = wanted
        title = ParsedTitle(wanted.title)
        author = ParsedName(wanted.author)
    }

    /// Decides, and returns the plausible books, the best first.
    func decide(among offered: [MatchCandidate]) -> (verdict: Verdict, ranking: [Ranked]) {
        var ranking: [Ranked] = []
        for (index, book) in offered.enumerated() {
            let score = score(book)
            if score.value >= Self.plausible { ranking.append(Ranked(index: index, score: score)) }
        }
        // Ties are broken by data, never by the order in which books were offered.
        ranking.sort { a, b in
            if a.score.value != b.score.value { return a.score.value > b.score.value }
            let (first, second) = (offered[a.index], offered[b.index])
            return first.weight != second.weight ? first.weight > second.weight : first.record < second.record
        }
        guard let best = ranking.first else { return (.nothing, []) }
        guard best.score.value >= Self.threshold else { return (.abstain(.notSure), ranking) }
        let isContested = ranking.dropFirst().contains { other in
            offered[other.index].record != offered[best.index].record
                && best.score.value - other.score.value < Self.gap
                && !isDuplicate(offered[other.index], of: offered[best.index])
        }
        return (isContested ? .abstain(.tooClose) : .match(best.index), ranking)
    }

    /// Whether a record is of the same book as the one ranked above it.
    private func isDuplicate(_ other: MatchCandidate, of best: MatchCandidate) -> Bool {
        guard ParsedTitle(other.title).key == ParsedTitle(best.title).key, shareAuthor(other, best) else {
            return false
        }
        // Editions with the same title and author belong to the same work.
        if other.isEdition, best.isEdition { return true }
        return best.weight > other.weight && Double(best.weight) >= Self.dominance * Double(other.weight)
    }

    /// Whether the possible authors of the two books are one person: `J. Smith` can be John or Jane.
    private func shareAuthor(_ a: MatchCandidate, _ b: MatchCandidate) -> Bool {
        let (ours, theirs) = (namesMeant(a), namesMeant(b))
        return ours.contains { name in
            theirs.contains { NameAgreement.score(name, $0).value >= Self.sameAuthor }
        }
    }

    /// The names of a book's authors that can be the row's author; all names if none can.
    private func namesMeant(_ book: MatchCandidate) -> [ParsedName] {
        let names = (book.authors.isEmpty ? book.otherNames : Array(book.authors.joined())).map {
            ParsedName($0)
        }
        let meant = names.filter { NameAgreement.score(author, $0).value > 0 }
        return meant.isEmpty ? names : meant
    }

    // MARK: One book

    func score(_ book: MatchCandidate) -> MatchScore {
        if let isbn = wanted.isbn, book.isbns.contains(isbn) { return MatchScore(1, [.isbnSame]) }
        let author = authorScore(book)
        guard author.value > 0 else { return author }
        let title = titleScore(book)
        guard title.value > 0 else { return title }
        var score = MatchScore(title.value * author.value, title.evidence + author.evidence)
        weighYears(book, &score)
        weighEdition(book, &score)
        score.value = min(1, max(0, score.value))
        return score
    }

    private func titleScore(_ book: MatchCandidate) -> MatchScore {
        var best = TitleAgreement.score(title, ParsedTitle(book.title, subtitle: book.subtitle))
        for other in book.otherTitles where best.value < MatchWeights.Title.goodEnough {
            var score = TitleAgreement.score(title, ParsedTitle(other))
            score.add(MatchWeights.Title.ofEdition, .titleOfEdition)
            if score.value > best.value { best = score }
        }
        guard best.value < MatchWeights.Title.goodEnough, let bare = withoutAuthor(book) else { return best }
        let score = TitleAgreement.score(title, ParsedTitle(bare, subtitle: book.subtitle))
        return score.value > best.value ? score : best
    }

    /// The title without its author: `The Complete Poems of Emily Dickinson`.
    private func withoutAuthor(_ book: MatchCandidate) -> String? {
        let folded = Folding.fold(book.title)
        for name in book.authors.joined() {
            for joint in [" of ", " by "] where folded.hasSuffix(joint + Folding.fold(name)) {
                return String(folded.dropLast(joint.count + Folding.fold(name).count))
            }
        }
        return nil
    }

    private func authorScore(_ book: MatchCandidate) -> MatchScore {
        if author.words.isEmpty || (book.authors.isEmpty && book.otherNames.isEmpty) {
            return MatchScore(MatchWeights.Author.unknown, [.authorUnknown])
        }
        var best = MatchScore.none(.authorDiffers)
        for (place, names) in book.authors.enumerated() {
            for (index, name) in names.enumerated() {
                var score = NameAgreement.score(author, ParsedName(name))
                if index > 0, score.value > 0 { score.evidence.append(.authorOtherName) }
                if place > 0, score.value > 0 { score.add(MatchWeights.Author.notFirst, .authorNotFirst) }
                if score.value > best.value { best = score }
            }
        }
        for name in book.otherNames where best.value < MatchWeights.Author.goodEnough {
            var score = NameAgreement.score(author, ParsedName(name))
            guard score.value > 0 else { continue }
            score.add(MatchWeights.Author.otherName, .authorOtherName)
            if score.value > best.value { best = score }
        }
        return best
    }

    /// Years have little weight: catalogs date works by the oldest edition they know, exports by any edition.
    private func weighYears(_ book: MatchCandidate, _ score: inout MatchScore) {
        // A service can return any year. As Int, a difference of two never overflows.
        guard let year = book.year.map({ Int($0) }) else { return }
        let (published, firstYear) = (wanted.year.map { Int($0) }, wanted.firstYear.map { Int($0) })
        if book.isEdition {
            if published == year || firstYear == year {
                score.add(MatchWeights.Year.sameAsEdition, .yearSame)
            }
            return
        }
        if let firstYear {
            if abs(firstYear - year) <= 1 {
                score.add(MatchWeights.Year.sameAsWork, .yearSame)
            } else if abs(firstYear - year) > 3 {
                score.add(MatchWeights.Year.differs, .yearDiffers)
            }
        } else if let published {
            if published < year - 1 {
                score.add(MatchWeights.Year.tooEarly, .tooEarly)
            } else if published == year {
                score.add(MatchWeights.Year.sameAsEdition, .yearSame)
            }
        }
    }

    private func weighEdition(_ book: MatchCandidate, _ score: inout MatchScore) {
        if let ours = wanted.language, let theirs = book.language {
            if ours == theirs {
                score.add(MatchWeights.languageSame, .languageSame)
            } else if book.isEdition {
                score.add(MatchWeights.languageDiffers, .languageDiffers)
            }
        }
        // Another ISBN is another edition, possibly of the same book.
        if wanted.isbn != nil, book.isEdition, !book.isbns.isEmpty {
            score.add(MatchWeights.isbnDiffers, .isbnDiffers)
        }
    }
}

extension MatchScore {
    /// Adjusts the score by a weight and records the reason.
    mutating func add(_ amount: Double, _ reason: MatchEvidence) {
        value += amount
        evidence.append(reason)
    }
}

extension Matcher {
    /// Maximum number of books shown in a review.
    static let optionLimit = 3

    /// The best few books, for a review.
    static func options(
        _ ranking: [Ranked], of offered: [MatchCandidate], from provider: Provider
    ) -> [ReviewCandidate] {
        few(
            of: ranking.map { ranked in
                let book = offered[ranked.index]
                return ReviewCandidate(
                    provider: provider.contractName, record: book.record,
                    title: book.subtitle.isEmpty ? book.title : "\(book.title): \(book.subtitle)",
                    authors: book.authors.compactMap(\.first), year: book.year,
                    score: (ranked.score.value * 1_000).rounded() / 1_000,
                    evidence: ranked.score.evidence.map { "\($0.isFor ? "for" : "against"):\($0.rawValue)" })
            })
    }

    /// The first few of sorted options, each record once.
    static func few(of options: [ReviewCandidate]) -> [ReviewCandidate] {
        var seen: Set<[String]> = []
        return Array(
            options.filter { seen.insert([$0.provider, $0.record]).inserted }.prefix(optionLimit))
    }
}

/// A book that a provider offers for a title and author.
struct MatchCandidate: Sendable {
    /// The provider's id of the record.
    var record: String
    var title: String
    var subtitle = ""
    /// Titles of its editions, including translations.
    var otherTitles: [String] = []
    /// The names of each author, the first author first.
    var authors: [[String]] = []
    /// Further names of its authors; which author they belong to is unknown.
    var otherNames: [String] = []
    /// Year of first publication of a work; year of publication of an edition.
    var year: Int32?
    /// Whether it is an edition and not a work. Year and language are then the edition's.
    var isEdition = false
    /// ISO 639-1.
    var language: String?
    var isbns: [ISBN] = []
    /// Decides between records of the same book: the number of editions of a work, or of values of an
    /// edition.
    var weight: Int64 = 0
}
