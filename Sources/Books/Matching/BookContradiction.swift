import Bytes

/// Tells whether a book is certainly another one than a row names, although both have one ISBN. The causes are a
/// typo that gives another valid number, and a cell shifted into the next row.
///
///     row                                  book with its ISBN      verdict
///     Cooking for Beginners, Jane Smith    Dune, Frank Herbert     contradicted
///     Cooking for Beginners                Dune, Frank Herbert     contradicted
///     Children of Dune, Kevin Anderson     Dune, Frank Herbert     contradicted: neither title nor author agrees
///     Dune Messiah, Frank Herbert          Dune, Frank Herbert     contradicted: another book has the longer title
///     Dune Box Set, Frank Herbert          Dune, Frank Herbert     contradicted: several books
///     1Q84 Book 2, Haruki Murakami         1Q84 Book 1, Haruki Murakami     contradicted: another volume
///     Robinson Crusoe, Daniel Defoe        The Life of Robinson Crusoe, Daniel Defoe     agrees: can be shortened
///     Duna, Frank Herbert                  Dune, Frank Herbert     otherTitle: can be a translation
///     Dune, Kevin Anderson                 Dune, Frank Herbert     otherPeople: can be the translator
///
/// A book without an author, and titles in different scripts, are not compared.
package struct BookContradiction {
    private let title: ParsedTitle
    /// All words of the title, and those of a length that tells something.
    private let (allWords, words): (Set<String>, Set<String>)
    private let names: [ParsedName]
    private let isComparable: Bool

    /// - Parameters:
    ///   - title: The row's title.
    ///   - series: Its series, if they were split off the title.
    ///   - people: The row's people; empty if it names none.
    package init(title: String, series: [SeriesPosition] = [], people: [String]) {
        isComparable = (title.isEmpty || Self.isLatin(title)) && people.allSatisfy(Self.isLatin)
        let parsed = ParsedTitle(title, series: series)
        self.title = parsed
        (allWords, words) = (Self.allWords(parsed), Self.words(title))
        names = people.map { ParsedName($0) }
    }

    /// Verdict of the comparison, the better ones first.
    package enum Verdict: Comparable {
        /// Nothing contradicts.
        case agrees
        /// The people agree, and the titles have little in common: a translation, or another book.
        case otherTitle
        /// The titles agree, and the people do not: a translator or editor, or another book of that title.
        case otherPeople
        case contradicted
    }

    /// - Parameters:
    ///   - titles: The book's titles, with their subtitles.
    ///   - people: The names of its authors.
    package func verdict(onTitles titles: [(title: String, subtitle: String)], people: [String]) -> Verdict {
        let titles = titles.filter { Self.isLatin($0.title) }
        let others = people.filter(Self.isLatin)
        guard isComparable, !titles.isEmpty, !others.isEmpty else { return .agrees }
        let areOthers = !names.isEmpty && areUnrelated(to: others.map { ParsedName($0) })
        guard !words.isEmpty else { return areOthers ? .otherPeople : .agrees }
        return verdict(titles.map(relation), areOthers: areOthers)
    }

    private func verdict(_ relations: [Relation], areOthers: Bool) -> Verdict {
        // The title of a work often lacks the volume that the title of its edition has.
        if relations.contains(.otherVolume), !relations.contains(.sameVolume) { return .contradicted }
        if relations.contains(where: \.isSame) { return areOthers ? .otherPeople : .agrees }
        if areOthers { return .contradicted }
        if relations.contains(.open) { return .otherTitle }
        return relations.contains(.another) || names.isEmpty ? .contradicted : .otherTitle
    }

    /// Whether neither title nor people agree. The row's author may be unknown.
    package func isUnrelated(toTitles titles: [String], people: [String]) -> Bool {
        isOther(thanTitles: titles, people, areOthersOnly: true)
    }

    /// Whether neither title nor people agree, or the verdict on the titles is that the book is contradicted.
    package func isOther(thanTitles titles: [String], people: [String]) -> Bool {
        isOther(thanTitles: titles, people, areOthersOnly: false)
    }

    private func isOther(thanTitles titles: [String], _ people: [String], areOthersOnly: Bool) -> Bool {
        let others = people.filter(Self.isLatin)
        let titles = titles.filter(Self.isLatin)
        guard isComparable, !words.isEmpty, !titles.isEmpty else { return false }
        let relations = titles.map { relation(to: ($0, "")) }
        if names.isEmpty || others.isEmpty { return relations.allSatisfy { $0 == .unrelated } }
        let areOthers = areUnrelated(to: others.map { ParsedName($0) })
        return !relations.contains(where: \.isSame) && areOthers
            || !areOthersOnly && verdict(relations, areOthers: areOthers) == .contradicted
    }

    /// Relation of the row's title to another one, of the same author.
    private enum Relation {
        case same
        /// The same, and both name this volume.
        case sameVolume
        /// Both name a volume, and not the same one.
        case otherVolume
        /// Several books or one, or a longer title.
        case another
        /// A shorter title or a translation.
        case open
        /// No word in common.
        case unrelated

        var isSame: Bool { self == .same || self == .sameVolume }
    }

    private func relation(to other: (title: String, subtitle: String)) -> Relation {
        let parsed = ParsedTitle(other.title, subtitle: other.subtitle)
        let score = TitleAgreement.score(title, parsed)
        let haveVolumes = title.volume != nil && parsed.volume != nil
        if score.value >= MatchWeights.Title.inPart { return haveVolumes ? .sameVolume : .same }
        if haveVolumes, score.evidence == [.volumeDiffers] { return .otherVolume }
        let kinds = title.kinds.symmetricDifference(parsed.kinds)
        let isPart = title.volume?.noun == .part && parsed.volume == nil
        let theirs = Self.allWords(other.subtitle.isEmpty ? parsed : ParsedTitle(other.title))
        // `Animal Farm / 1984` names what is in `Animal Farm & 1984`.
        let isOfSameKind = kinds.isEmpty || kinds == [.collection] && title.parts.count > 1
        // Two typing errors are likelier than an ISBN that fits a similar title by chance.
        if isOfSameKind, !isPart, allWords == theirs || EditDistance.isAtMost(2, title.key, parsed.key) {
            return .same
        }
        if !other.subtitle.isEmpty,
            TitleAgreement.score(title, ParsedTitle(other.subtitle)).value >= MatchWeights.Title.inPart
        {
            return .same
        }
        if words.isDisjoint(with: Self.words(other.title).union(Self.words(other.subtitle))) {
            return .unrelated
        }
        return kinds.contains(.collection) || namesMore(than: theirs) ? .another : .open
    }

    /// Whether the row's title has all these words and others, which are not a subtitle.
    private func namesMore(than theirs: Set<String>) -> Bool {
        guard theirs.isStrictSubset(of: allWords) else { return false }
        let rest = TailWords(title.parts.flatMap(\.words).filter { !theirs.contains($0) })
        return !rest.isIdle && !rest.isDescriptive
    }

    /// Whether none of the row's people is one of the others.
    private func areUnrelated(to others: [ParsedName]) -> Bool {
        names.allSatisfy { name in
            others.allSatisfy { NameAgreement.score(name, $0).value == 0 && name.family != $0.family }
        }
    }

    private static func allWords(_ title: ParsedTitle) -> Set<String> { Set(title.parts.flatMap(\.words)) }

    private static let shortest = 4

    /// A title's words, folded. Short words are used only if there are no others.
    private static func words(_ title: String) -> Set<String> {
        let all = TitleWords.compared(TitleWords.words(title))
        let long = all.filter { $0.utf8.count >= shortest }
        return Set(long.isEmpty ? all : long)
    }

    /// Whether the folded text has only Latin letters and digits.
    private static func isLatin(_ text: String) -> Bool {
        let folded = Folding.fold(text)
        return !folded.isEmpty && folded.utf8.allSatisfy { $0 < 0x80 }
    }
}
