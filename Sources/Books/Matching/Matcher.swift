import Bytes

/// Decides which of a provider's books is the row's book, if any. It compares title and author, weighs
/// evidence for and against, and requires a threshold and a gap.
///
/// A wrong book is worse than none. A book is matched if only it reaches the threshold. If a second book has
/// a similar score, no book is matched, unless both are records of the same book; then the better-known
/// record is used.
package struct Matcher {
    /// The minimum score of a match.
    package static let threshold = 0.86
    /// The minimum distance to the second-best book.
    package static let gap = 0.04
    /// Distances that differ by less are equal.
    private static let precision = 0.000_1
    /// The minimum score of a book that is shown in a review.
    package static let plausible = 0.5
    /// The minimum agreement of two names of one author: half a name is enough, a similar-sounding one is
    /// not.
    private static let sameAuthor = 0.75

    /// Why no book was matched.
    package enum Abstention: Sendable, Hashable {
        /// The best book does not reach the threshold.
        case notSure
        /// The second-best book is too close.
        case tooClose
    }

    /// The decision for one wanted book.
    package enum Verdict: Sendable, Hashable {
        /// The index of the matched book.
        case match(Int)
        case abstain(Abstention)
        /// No book is plausible.
        case nothing
    }

    /// The index of a book with its score.
    package struct Ranked: Sendable, Hashable {
        package var index: Int
        package var score: MatchScore
    }

    /// A verdict with the evidence for it.
    package struct Decision: Sendable, Hashable {
        package var verdict: Verdict
        /// The plausible books, the best first.
        package var ranking: [Ranked] = []
        /// The score of the matched book.
        package var score: MatchScore?
        /// Further records of the matched book, by their ids.
        package var duplicates: [String] = []
    }

    private let wanted: MatchQuery
    private let title: ParsedTitle
    private let author: ParsedName
    private let otherAuthors: [ParsedName]

    package init(_ wanted: MatchQuery) {
        self.wanted = wanted
        title = ParsedTitle(wanted.title, series: wanted.series)
        author = ParsedName(wanted.author)
        otherAuthors = wanted.otherAuthors.map { ParsedName($0) }
    }

    /// Decides which book is meant.
    ///
    /// - Parameter areAll: Whether every book that fits is offered. If not, a title alone is not enough.
    package func decide(among offered: [MatchCandidate], areAll: Bool = true) -> Decision {
        let names = offered.map(authorScore)
        // Titles of other authors' books need not be parsed.
        let titles = offered.enumerated().map { index, book in
            names[index].value > 0 ? ParsedTitle(book.title, subtitle: book.subtitle) : ParsedTitle("")
        }
        let known = OfferedTitles(titles, wanted: title, where: { names[$0].value > 0 })
        var ranking: [Ranked] = []
        for (index, book) in offered.enumerated() {
            var context = TitleAgreement.Context(years: years(book))
            known.add(titles[index], of: index, to: &context) { years(offered[$0]) == 0 }
            if !areAll { context.mayHaveVolumes = true }
            let score = score(book, titles[index], names[index], context)
            if score.value >= Self.plausible { ranking.append(Ranked(index: index, score: score)) }
        }
        if areAll { promoteTitleAlone(&ranking, offered, titles) }
        // Ties are broken by data, never by the order in which books were offered.
        ranking.sort { a, b in
            if a.score.value != b.score.value { return a.score.value > b.score.value }
            return Self.isPreferred(offered[a.index], offered[b.index])
        }
        guard var best = ranking.first else { return Decision(verdict: .nothing) }
        // The whole title says more than a middle initial.
        func isWhole(_ ranked: Ranked) -> Bool {
            ranked.score.isWholeTitle && names[ranked.index].value >= MatchWeights.Author.sharedGivenName
        }
        let whole = ranking.first { isWhole($0) && best.score.value - $0.score.value < Self.wholeTitleLead }
        if let whole, !isWhole(best) { best = whole }
        guard best.score.value >= Self.threshold else {
            return Decision(verdict: .abstain(.notSure), ranking: ranking.map(\.capped))
        }
        var same = [best]
        for other in ranking where offered[other.index].record != offered[best.index].record {
            if isSameBook(other.index, best.index, offered, titles) {
                same.append(other)
            } else if best.index == whole?.index, !isWhole(other) {
                continue
            } else if best.score.value - other.score.value < Self.gap - Self.precision
                || areNamesakes(best, other)
            {
                return Decision(verdict: .abstain(.tooClose), ranking: ranking.map(\.capped))
            }
        }
        let equal = same.filter { best.score.value - $0.score.value < Self.gap - Self.precision }
        let chosen = equal.min { Self.isPreferred(offered[$0.index], offered[$1.index]) } ?? best
        let record = offered[chosen.index].record
        return Decision(
            verdict: .match(chosen.index), ranking: ranking.map(\.capped), score: chosen.capped.score,
            duplicates: Set(same.map { offered[$0.index].record }).subtracting([record]).sorted())
    }

    /// Whether an initial in the row's author stands for two people who both wrote the title. A year does not tell
    /// who is meant.
    private func areNamesakes(_ best: Ranked, _ other: Ranked) -> Bool {
        func isByInitial(_ score: MatchScore) -> Bool {
            score.evidence.contains(.authorInitials) && score.evidence.contains(.titleSame)
        }
        let hasInitial = author.given.contains { $0.unicodeScalars.count == 1 }
        return hasInitial && isByInitial(best.score) && isByInitial(other.score)
    }

    /// Of two records of a book, the one with more editions, then the one with the lower id.
    private static func isPreferred(_ a: MatchCandidate, _ b: MatchCandidate) -> Bool {
        if a.weight != b.weight { return a.weight > b.weight }
        return (a.record.utf8.count, a.record) < (b.record.utf8.count, b.record)
    }

    /// By how much a book with another title can score more than one with the whole title.
    private static let wholeTitleLead = 0.15

    /// A row without an author matches the only book with exactly its title, if the year agrees.
    private func promoteTitleAlone(
        _ ranking: inout [Ranked], _ offered: [MatchCandidate], _ titles: [ParsedTitle]
    ) {
        guard author.words.isEmpty else { return }
        let exact = ranking.indices.filter { ranking[$0].score.evidence.contains(.titleSame) }
        guard let dated = exact.first(where: { ranking[$0].score.evidence.contains(.yearSame) }),
            exact.allSatisfy({
                $0 == dated || isSameBook(ranking[$0].index, ranking[dated].index, offered, titles)
            })
        else { return }
        for place in exact { ranking[place].score.value = MatchWeights.titleAlone }
    }

    /// Whether two records are of the same book: title, subtitle and author agree, and no year contradicts.
    private func isSameBook(
        _ other: Int, _ best: Int, _ offered: [MatchCandidate], _ titles: [ParsedTitle]
    ) -> Bool {
        let (a, b) = (offered[other], offered[best])
        guard titles[other].key == titles[best].key,
            titles[other].volume?.number == titles[best].volume?.number,
            titles[other].volume?.noun == titles[best].volume?.noun, shareAuthor(a, b)
        else { return false }
        // Editions with the same title and author belong to the same work.
        if a.isEdition, b.isEdition { return true }
        guard let year = a.year, let otherYear = b.year, abs(Int(year) - Int(otherYear)) > Self.sameYears
        else {
            return true
        }
        // Catalogs date many records by a reprint. The book itself has far more editions.
        guard !titles[best].isGeneric else { return false }
        let (few, many) = a.weight < b.weight ? (a, b) : (b, a)
        return many.weight >= Self.dominance * max(few.weight, 1)
            && (few.year ?? 0) > (many.year ?? 0)
    }

    /// Years by which two records of one book differ.
    private static let sameYears = 2
    /// A record with another year is of the same book if that has at least this many times as many editions.
    private static let dominance: Int64 = 5

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

    /// The score of one book, without regard to others.
    package func score(_ book: MatchCandidate) -> MatchScore {
        let score = score(
            book, ParsedTitle(book.title, subtitle: book.subtitle), authorScore(book),
            TitleAgreement.Context(years: years(book)))
        return Ranked(index: 0, score: score).capped.score
    }

    private func score(
        _ book: MatchCandidate, _ parsed: ParsedTitle, _ author: MatchScore, _ context: TitleAgreement.Context
    ) -> MatchScore {
        if let isbn = wanted.isbn, book.isbns.contains(isbn) { return MatchScore(1, [.isbnSame]) }
        guard author.value > 0 else { return author }
        var title = titleScore(book, parsed, context)
        guard title.value > 0 else { return title }
        // With another spelling of the author, a spelling error in the title is one too many.
        if title.evidence.first == .titleMistyped, author.value < MatchWeights.Author.exact {
            title.value = MatchWeights.Title.similar
        }
        var score = MatchScore(title.value * author.value, title.evidence + author.evidence)
        weighYears(book, parsed, &score)
        weighEdition(book, &score)
        score.value = max(0, score.value)
        return score
    }

    private func titleScore(
        _ book: MatchCandidate, _ parsed: ParsedTitle, _ context: TitleAgreement.Context
    ) -> MatchScore {
        var best = TitleAgreement.score(title, parsed, context)
        for other in book.otherTitles where best.value < MatchWeights.Title.goodEnough {
            var score = TitleAgreement.score(title, ParsedTitle(other), context)
            score.add(MatchWeights.Title.ofEdition, .titleOfEdition)
            if score.value > best.value { best = score }
        }
        guard best.value < MatchWeights.Title.goodEnough, let bare = withoutAuthor(book) else { return best }
        let score = TitleAgreement.score(title, ParsedTitle(bare, subtitle: book.subtitle))
        return score.value > best.value ? score : best
    }

    /// The difference between the years of first publication; nil if one is unknown. A row with the year of its edition
    /// only can have the first one.
    private func years(_ book: MatchCandidate) -> Int? {
        guard !book.isEdition, let year = book.year else { return nil }
        guard let firstYear = wanted.firstYear else { return wanted.year == year ? 0 : nil }
        return abs(Int(firstYear) - Int(year))
    }

    /// Whether the row's year of first publication is the book's.
    private func isOfYear(_ book: MatchCandidate) -> Bool {
        years(book).map { $0 <= 1 } ?? false
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
        var best = authorScore(book, author)
        for other in otherAuthors where best.value < MatchWeights.Author.goodEnough {
            var score = authorScore(book, other)
            guard score.value > 0 else { continue }
            score.add(MatchWeights.Author.notFirstOfRow(isOfYear: isOfYear(book)), .authorNotFirst)
            if score.value > best.value { best = score }
        }
        return best
    }

    private func authorScore(_ book: MatchCandidate, _ author: ParsedName) -> MatchScore {
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
    private func weighYears(_ book: MatchCandidate, _ parsed: ParsedTitle, _ score: inout MatchScore) {
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
            if isOfYear(book) {
                score.add(MatchWeights.Year.sameAsWork, .yearSame)
            } else if abs(firstYear - year) > 3 {
                score.add(
                    parsed.isGeneric
                        ? MatchWeights.Year.differsForGenericTitle : MatchWeights.Year.differs, .yearDiffers)
            }
        } else if let published {
            if published < year - 1 {
                score.add(MatchWeights.Year.tooEarly, .tooEarly)
            } else if published == year {
                score.add(MatchWeights.Year.sameAsWork, .yearSame)
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
    /// Whether it is a match by the whole title, with the same volume.
    fileprivate var isWholeTitle: Bool {
        evidence.first == .titleSame && !evidence.contains(.volumeDiffers) && value >= Matcher.threshold
    }

    /// Adjusts the score by a weight and records the reason.
    package mutating func add(_ amount: Double, _ reason: MatchEvidence) {
        value += amount
        evidence.append(reason)
    }
}

extension Matcher.Ranked {
    /// The score as it is shown: at most 1, and less than 1 unless the whole title agrees. Books are compared
    /// by the sum of their evidence, so that further evidence does not hide a differing subtitle.
    package var capped: Self {
        var capped = self
        capped.score.value = min(score.evidence.first == .isbnSame ? 1 : 0.99, score.value)
        return capped
    }
}

extension Matcher {
    /// Maximum number of books shown in a review.
    package static let optionLimit = 3

    /// The best few books, for a review.
    package static func options(
        _ ranking: [Ranked], of offered: [MatchCandidate], from provider: Provider
    ) -> [ReviewCandidate] {
        few(
            of: ranking.map { ranked in
                let book = offered[ranked.index]
                return ReviewCandidate(
                    provider: provider.contractName, record: book.record,
                    title: book.subtitle.isEmpty ? book.title : "\(book.title): \(book.subtitle)",
                    authors: book.authors.compactMap(\.first), year: book.year,
                    score: ranked.score.rounded, evidence: ranked.score.evidence.map(\.signed))
            })
    }

    /// The first few of sorted options, each record once.
    package static func few(of options: [ReviewCandidate]) -> [ReviewCandidate] {
        var seen: Set<[String]> = []
        return Array(
            options.filter { seen.insert([$0.provider, $0.record]).inserted }.prefix(optionLimit))
    }
}
