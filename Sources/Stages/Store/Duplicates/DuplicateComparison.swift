import Books
import Bytes

/// Compares two entries. Works and ISBNs in common are certain; otherwise title and author decide, by the rules that
/// match rows with a provider's books (``Matcher``), in both directions.
struct DuplicateComparison {
    private let entry: ComparedEntry
    /// Folded words of the title that tell something, and the key of the whole title.
    private let words: Set<String>
    private let key: String
    private let places: SeriesPlaces
    /// Keys of which related entries have one in common, the most specific ones first.
    let blocks: [String]

    init(_ entry: ComparedEntry) {
        self.entry = entry
        let title = ParsedTitle(entry.title, subtitle: entry.subtitle, series: entry.positions)
        key = title.key
        words = Set(title.parts.flatMap(\.words).filter { $0.utf8.count >= Self.shortest })
        places = title.places
        var blocks = ["w\(entry.work)"] + entry.isbns.sorted().map { "i\($0)" }
        let parts = title.significant.isEmpty ? title.parts : title.significant
        // One side may put the series before the title.
        let titles = Set([parts.first?.key, parts.last?.key].compactMap { $0 }.filter { !$0.isEmpty })
            .sorted()
        let authors = entry.authors.prefix(Self.mostAuthors).map { ParsedName($0).family }
        blocks += titles.map { "t\($0)" } + authors.map { "a\($0)" }
        for title in titles { blocks += authors.map { "b\(title) \($0)" } }
        self.blocks = blocks
    }

    /// Shorter words are in many titles.
    private static let shortest = 4
    private static let mostAuthors = 3

    /// Compares books with the entry. It costs as much to make as one comparison, so it is made once for all of them.
    var matcher: Matcher { Matcher(entry.wanted) }

    /// Relation of the entry to another one; nil if it is another book.
    ///
    /// - Parameter matcher: The entry's own ``matcher``.
    func match(_ other: DuplicateComparison, _ matcher: Matcher) -> DuplicateMatch? {
        let (mine, theirs) = (entry, other.entry)
        guard let (relation, score) = relation(to: other, matcher) else { return nil }
        return DuplicateMatch(
            relation: relation, reading: Self.reading(mine.readings, theirs.readings), score: score.rounded,
            evidence: score.evidence.map(\.signed))
    }

    private func relation(
        to other: DuplicateComparison, _ matcher: Matcher
    ) -> (relation: DuplicateMatch.Relation, score: MatchScore)? {
        let (mine, theirs) = (entry, other.entry)
        let sharesISBN = !mine.isbns.isDisjoint(with: theirs.isbns)
        if mine.edition == theirs.edition {
            return (.sameEdition, MatchScore(1, [sharesISBN ? .isbnSame : .editionSame]))
        }
        if sharesISBN {
            // One of the two has a wrong number.
            let contradiction = BookContradiction(
                title: mine.title, series: mine.positions, people: Array(mine.authors.prefix(1)))
            return contradiction.isUnrelated(toTitles: [theirs.title], people: theirs.authors)
                ? nil : (.sameEdition, MatchScore(1, [.isbnSame]))
        }
        let haveISBNs = !mine.isbns.isEmpty && !theirs.isbns.isEmpty
        if mine.work == theirs.work {
            return (haveISBNs ? .otherEdition : .sameWork, MatchScore(1, [.identifierSame]))
        }
        let relation = places.relation(to: other.places)
        // Most books of an author have no word in common, so that few titles are compared in full.
        guard
            !words.isDisjoint(with: other.words)
                || key.prefix(Self.shortest) == other.key.prefix(Self.shortest),
            relation != .otherPlace
        else { return nil }
        let one = matcher.score(theirs.offered)
        guard one.value >= Matcher.plausible else { return nil }
        let two = other.matcher.score(mine.offered)
        let score = one.value <= two.value ? one : two
        guard score.value >= Matcher.plausible else { return nil }
        guard score.value >= Matcher.threshold, relation == .agree else { return (.similar, score) }
        return (haveISBNs ? .otherEdition : .sameWork, score)
    }

    /// Dates that are less precise than others agree with them: 2024 and 2024-05-01.
    private static func reading(_ mine: StoredReadings, _ theirs: StoredReadings) -> DuplicateMatch.Reading {
        let (ours, others) = (mine.all, theirs.all)
        guard !ours.isEmpty, !others.isEmpty else { return .unknown }
        return ours.contains { reading in others.contains(where: reading.isOne(with:)) } ? .same : .other
    }
}

extension ReadingDates {
    /// Whether both can be of one reading: an end, or without ends a start, that agrees.
    func isOne(with other: ReadingDates) -> Bool {
        if !finished.isEmpty, !other.finished.isEmpty { return Self.agree(finished, other.finished) }
        return !started.isEmpty && !other.started.isEmpty && Self.agree(started, other.started)
    }

    private static func agree(_ a: String, _ b: String) -> Bool { a.hasPrefix(b) || b.hasPrefix(a) }
}

extension ComparedEntry {
    fileprivate var positions: [SeriesPosition] {
        series.map { SeriesPosition(name: $0.name, number: $0.number ?? "") }
    }

    fileprivate var wanted: MatchQuery {
        MatchQuery(
            title: subtitle.isEmpty ? title : "\(title): \(subtitle)", author: authors.first ?? "",
            firstYear: firstYear, language: language, series: positions)
    }

    fileprivate var offered: MatchCandidate {
        MatchCandidate(
            record: "", title: title, subtitle: subtitle, authors: authors.map { [$0] }, year: firstYear,
            language: language)
    }
}
