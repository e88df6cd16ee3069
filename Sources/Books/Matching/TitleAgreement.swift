import Bytes

/// Agreement of two titles, part by part.
enum TitleAgreement {
    private typealias Weights = MatchWeights.Title

    /// What the other books that are offered, and the years, say about a comparison.
    struct Context {
        /// Whether other books of the author begin like the offered one and go on differently, so that the first part
        /// is the name of a series: `Star Wars: …`.
        var isSeriesName = false
        /// Whether the wanted title begins with the name of such a series.
        var startsWithSeries = false
        /// The difference between the years of first publication; nil if one is unknown.
        var years: Int?
        /// Whether the years agree, as far as sources date a work alike.
        var isOfYear: Bool { years.map { $0 <= 1 } ?? false }
        /// Whether they are equal, and those of no rival. The volumes of a series follow each other by a year.
        var isOfSameYear: Bool { years == 0 && !hasRivalOfYear }
        /// Whether they contradict each other.
        var isOfOtherYear: Bool { years.map { $0 > 1 } ?? false }
        /// Whether another part of the wanted title is the title of another book of the author.
        var hasRival = false
        /// Whether such a book was first published in the row's year.
        var hasRivalOfYear = false
        /// Whether another volume of the title, or several in one, is known or could be.
        var mayHaveVolumes = true
    }

    static func score(
        _ wanted: ParsedTitle, _ offered: ParsedTitle, _ context: Context = Context()
    ) -> MatchScore {
        if wanted.kinds != offered.kinds, !haveSameContent(wanted, offered, context) {
            return .none(.kindDiffers)
        }
        var score = parts(wanted, offered, context)
        guard score.value > 0 else { return score }
        guard wanted.places.relation(to: offered.places) != .otherPlace else { return .none(.volumeDiffers) }
        switch (wanted.volume, offered.volume) {
        case (nil, nil): break
        case (let ours?, let theirs?):
            guard ours.number == theirs.number, !ours.noun.excludes(theirs.noun) else {
                return .none(.volumeDiffers)
            }
            score = agreed(score, wanted, offered)
            // Book 1 of a comic can hold its first two volumes, but not in a series: `X, Vol. 1 (X, Book 1)`.
            if !ours.noun.isLike(theirs.noun) {
                score.add(Weights.otherVolumeNoun, .volumeDiffers)
            } else if ours.noun != theirs.noun, ours.noun == .number || theirs.noun == .number {
                score.value += Weights.unspecificVolume
            }
        case (let one?, nil), (nil, let one?):
            // Only one side has a number. It is the same book if the parts' own titles agree, or if the
            // number is a position in a series.
            let isInSeries = score.evidence.first == .titleBehindSeries
            if isInSeries && (wanted.volume != nil || offered.significant.count > 1)
                || sharesPartTitle(wanted, offered) || isBehindTitle(wanted, offered, context)
            {
                break
            }
            if one.isOfSeries || one.noun == .any && context.isOfYear {
                // The first book of a series can have its name, and so can the last one.
                if one.noun != .any { score.add(Weights.volumeMissing, .volumeDiffers) }
            } else {
                // Exports number books that catalogs do not: `Heartless, Book 1`.
                guard offered.volume == nil, !context.mayHaveVolumes, one.canBeUnsaid,
                    score.value >= Weights.subtitleMissing, context.years == nil || context.isOfSameYear
                else { return .none(.volumeDiffers) }
                score.add(Weights.volumeUnsaid, .volumeDiffers)
            }
        }
        return score
    }

    /// Whether titles of which only one seems to be of several books are of one book.
    private static func haveSameContent(
        _ wanted: ParsedTitle, _ offered: ParsedTitle, _ context: Context
    ) -> Bool {
        guard wanted.kindsByWords == offered.kindsByWords else { return false }
        // `A; B` is the title `A: B`, if it is all of it.
        if wanted.key == offered.key, wanted.parts.count == offered.parts.count {
            // `The Hunger Games (The Hunger Games, #1-3)` is not the first book, but can be called like it.
            return !wanted.isRangeOfOwnName || context.isOfSameYear
        }
        return wanted.isRangeOfSeries && !wanted.parts.contains(where: \.canBeTitle)
    }

    /// Whether the number is behind the title in a part that the offered title does not have: `The Two Towers: The Lord
    /// of the Rings, Book 2`. `Bone: Quest for the Spark, Vol. 1` is another book, unless the year says otherwise, and so
    /// are `1Q84: 1Q84, Book 1` and `A Game of Thrones: Comic Book, Issue 1`.
    private static func isBehindTitle(
        _ wanted: ParsedTitle, _ offered: ParsedTitle, _ context: Context
    ) -> Bool {
        guard let noun = wanted.volume?.noun, wanted.partOfVolume > 0,
            wanted.partOfVolume < wanted.parts.count,
            offered.significant.count == 1, offered.significant[0].key == wanted.significant.first?.key,
            offered.significant[0].key != wanted.parts[wanted.partOfVolume].key
        else { return false }
        switch noun {
        case .book: return true
        case .volume, .number, .any: return context.isOfSameYear
        case .part, .issue, .level: return false
        }
    }

    /// The volumes are the same, so text after the number is the volume's own title, which one side may leave
    /// out.
    private static func agreed(
        _ score: MatchScore, _ wanted: ParsedTitle, _ offered: ParsedTitle
    ) -> MatchScore {
        var score = score
        // `Avatar, Volume 1: The Promise, Part 2` is not part 3.
        if let last = wanted.significant.last, let theirs = offered.significant.last,
            score.evidence.first == .subtitleDiffers, !haveSameNumbers(last, theirs)
        {
            return score
        }
        switch score.evidence.first {
        case .subtitleUnknown, .subtitleUnsaid: score.value = Weights.subtitleMissing
        case .subtitleDiffers: score.value = Weights.behindSeries
        default: break
        }
        score.evidence.append(.volumeSame)
        return score
    }

    private static func sharesPartTitle(_ wanted: ParsedTitle, _ offered: ParsedTitle) -> Bool {
        guard let ours = wanted.significant.last, let theirs = offered.significant.last else { return false }
        let numbered = wanted.volume == nil ? offered : wanted
        return wanted.significant.count > 1 && offered.significant.count > 1 && ours.key == theirs.key
            && numbered.partOfVolume < numbered.parts.count - 1
    }

    private static func parts(
        _ wanted: ParsedTitle, _ offered: ParsedTitle, _ context: Context
    ) -> MatchScore {
        let (ours, theirs) = (wanted.significant, offered.significant)
        guard let first = ours.first, let theirFirst = theirs.first else { return .none(.titleDiffers) }
        if wanted.key == offered.key { return MatchScore(Weights.same, [.titleSame]) }
        if first.key == theirFirst.key {
            let score = tails(wanted, offered, context)
            // Text after the title of a collection names its contents.
            return wanted.kindsByWords.contains(.collection) && (ours.count == 1 || theirs.count == 1)
                && !ours.contains(where: \.canBeTitle)
                ? MatchScore(Weights.subtitleMissing, [.subtitleUnsaid]) : score
        }
        if let score = behindSeries(wanted, offered, context) { return score }
        switch TypingError.parts(wanted, offered) {
        case .certain where !context.isOfOtherYear: return MatchScore(Weights.mistyped, [.titleMistyped])
        case .likely where context.isOfYear: return MatchScore(Weights.mistyped, [.titleMistyped])
        case .certain, .likely: return MatchScore(Weights.similar, [.titleSpelledOtherwise])
        case nil: break
        }
        if TypingError.isLikely(first, theirFirst), ours.count == 1 || theirs.count == 1 {
            return MatchScore(Weights.similar, [.titleSpelledOtherwise])
        }
        if ours.count == 1, isBeginning(first, of: theirFirst) {
            let isCut = context.isOfSameYear && isCutOff(first, theirFirst)
            return MatchScore(isCut ? Weights.cutOff : Weights.open, [.titleInPart])
        }
        return sharesMost(ours, theirs) ? MatchScore(Weights.inPart, [.titleInPart]) : .none(.titleDiffers)
    }

    /// Whether a part is the beginning of another one, in which exports cut titles off.
    private static func isBeginning(_ part: ParsedTitle.Part, of other: ParsedTitle.Part) -> Bool {
        part.key.utf8.count >= shortestBeginning && part.key.utf8.count < other.key.utf8.count
            && other.key.utf8.starts(with: part.key.utf8)
    }

    /// Whether a beginning ends in a word, or with one that no title ends with. `Discourse on Method` is a title, even
    /// if another one goes on.
    private static func isCutOff(_ part: ParsedTitle.Part, _ other: ParsedTitle.Part) -> Bool {
        guard let last = part.words.last, part.words.count <= other.words.count else { return true }
        return other.words[part.words.count - 1] != last || idle.contains(last)
    }

    /// Letters of a title that are enough to tell what is missing.
    static let shortestBeginning = 9

    /// The first parts are equal. What follows is a subtitle or the title of one of several volumes.
    private static func tails(
        _ wanted: ParsedTitle, _ offered: ParsedTitle, _ context: Context
    ) -> MatchScore {
        let (ours, theirs) = (wanted.significant, offered.significant)
        if ours.count == 1 { return withoutTail(theirs, context, isOfKind: !offered.kinds.isEmpty) }
        if theirs.count == 1 { return withTail(wanted, context) }
        // Of books in one volume, all have to be the same.
        if (ours + theirs).contains(where: \.canBeTitle) {
            return MatchScore(Weights.open, [.subtitleDiffers])
        }
        if isOrderedSubset(ours, of: theirs) { return MatchScore(Weights.subtitleMissing, [.subtitleUnsaid]) }
        if isOrderedSubset(theirs, of: ours) {
            return ours.allSatisfy { part in
                part.isDescriptive || wanted.seriesKeys.contains(part.key)
                    || theirs.contains { $0.key == part.key }
            }
                ? MatchScore(Weights.subtitleMissing, [.titleSame])
                : MatchScore(Weights.open, [.subtitleUnknown])
        }
        let last = ours.count - 1
        if last < theirs.count, ours[..<last].map(\.key) == theirs[..<last].map(\.key),
            theirs[last].key.utf8.starts(with: ours[last].key.utf8)
        {
            return MatchScore(Weights.subtitleMissing, [.subtitleUnsaid])
        }
        if haveSameNumbers(ours[1], theirs[1]),
            TypingError.isLikely(ours[1], theirs[1]) || sharesMost([ours[1]], [theirs[1]], Self.sameSubtitle)
        {
            return MatchScore(Weights.subtitleMissing, [.titleSame])
        }
        // An American and a British subtitle: `From Lost to Found on the Pacific Crest Trail`, `A Journey from Lost to
        // Found`.
        if haveSameNumbers(ours[1], theirs[1]), sharePhrase(ours[1], theirs[1]) {
            return MatchScore(Weights.subtitleAdded, [.subtitleUnknown])
        }
        return MatchScore(Weights.inPart, [.subtitleDiffers])
    }

    /// The offered title goes on where the wanted one ends.
    private static func withoutTail(
        _ theirs: [ParsedTitle.Part], _ context: Context, isOfKind: Bool
    ) -> MatchScore {
        if context.isSeriesName { return MatchScore(Weights.open, [.subtitleUnknown]) }
        if theirs[1...].allSatisfy({ $0.isDescriptive || $0.isLong }) {
            return MatchScore(Weights.subtitleMissing, [.subtitleUnsaid])
        }
        let isName = theirs[0].words.count == 1 && !isOfKind
        if theirs[1...].allSatisfy(\.isSubtitle), !isName || context.isOfYear, !context.isOfOtherYear {
            return MatchScore(Weights.subtitleMissing, [.subtitleUnsaid])
        }
        // A series can be called by one word: `Halo: Ghosts of Onyx`. The book of a year is one of its books.
        return MatchScore(
            isName && !context.isOfSameYear ? Weights.open : Weights.likelySubtitle, [.subtitleUnknown])
    }

    /// The wanted title goes on where the offered one ends: with a subtitle, with the name of the series, or with the
    /// title of another volume.
    private static func withTail(_ wanted: ParsedTitle, _ context: Context) -> MatchScore {
        let tail = wanted.significant[1...]
        if context.isSeriesName || tail.contains(where: \.canBeTitle) {
            return MatchScore(Weights.open, [.subtitleUnknown])
        }
        if tail.allSatisfy(\.isDescriptive), !context.hasRival {
            return MatchScore(Weights.subtitleAdded, [.subtitleUnknown])
        }
        let isSeries =
            tail.allSatisfy { $0.namesSeries || wanted.seriesKeys.contains($0.key) }
            || wanted.volume?.noun == .book && wanted.partOfVolume > 0
        // Without the year, the first part can be the series as well: `The Lord of the Rings: The Two Towers`.
        let isPossible = isSeries ? !context.isOfOtherYear : context.isOfSameYear
        guard isPossible else { return MatchScore(Weights.open, [.subtitleUnknown]) }
        return MatchScore(isSeries ? Weights.beforeSeries : Weights.likelySeries, [.subtitleUnknown])
    }

    /// One side puts the series before the title: `The Lord of the Rings: The Two Towers`.
    ///
    /// What is behind the first separator is never enough on its own: it can be the series.
    private static func behindSeries(
        _ wanted: ParsedTitle, _ offered: ParsedTitle, _ context: Context
    ) -> MatchScore? {
        let (ours, theirs) = (wanted.significant, offered.significant)
        if ours.count > 1, let last = ours.last, let theirFirst = theirs.first,
            last.key == offered.key || last.key == theirFirst.key && theirs[1...].allSatisfy(\.isSubtitle)
        {
            let isSeries =
                context.startsWithSeries || wanted.isFirstPartNumbered || ours[0].namesSeries
                || wanted.seriesKeys.contains(ours[0].key)
            let isConfirmed = context.isOfSameYear || isSeries && !context.isOfOtherYear
            // `T: S, Book 2`: what has the number is the series.
            let isNumbered = wanted.volume != nil && wanted.partOfVolume > 0 && offered.volume == nil
            return MatchScore(
                isConfirmed && !isNumbered && !last.canBeTitle ? Weights.behindSeries : Weights.open,
                [.titleBehindSeries])
        }
        if theirs.count > 1, let last = theirs.last, last.key == wanted.key, last.words.count > 1 {
            return MatchScore(last.isSubtitle ? Weights.open : Weights.behindSeries, [.titleBehindSeries])
        }
        return nil
    }

    private static func isOrderedSubset(_ few: [ParsedTitle.Part], of many: [ParsedTitle.Part]) -> Bool {
        var rest = many[...]
        for part in few {
            guard let found = rest.firstIndex(where: { $0.key == part.key }) else { return false }
            rest = rest[(found + 1)...]
        }
        return true
    }

    private static let idle: Set<String> = [
        "the", "a", "an", "of", "in", "on", "to", "for", "from", "with", "der", "die", "das", "de", "la",
        "le",
    ]

    /// The share of words that two subtitles of one book have in common, at least. Those of the books of a series, or
    /// of the proceedings of two years, have fewer.
    private static let sameSubtitle = 0.55

    /// Whether two subtitles have the same numbers, ordinals and years: the 5th conference is not the 6th.
    private static func haveSameNumbers(_ a: ParsedTitle.Part, _ b: ParsedTitle.Part) -> Bool {
        func numbers(_ part: ParsedTitle.Part) -> Set<String> {
            Set(
                part.words.compactMap { word in
                    if let first = word.utf8.first, first.isDigit {
                        return String(word.prefix { $0.isNumber })
                    }
                    return TitleWords.ordinal(word).map(String.init)
                })
        }
        return numbers(a) == numbers(b)
    }

    /// Whether most words of the shorter part follow each other in both.
    private static func sharePhrase(_ a: ParsedTitle.Part, _ b: ParsedTitle.Part) -> Bool {
        let (ours, theirs) = (a.words.filter { !idle.contains($0) }, b.words.filter { !idle.contains($0) })
        var longest = 0
        for start in ours.indices {
            for other in theirs.indices {
                let run = zip(ours[start...], theirs[other...]).prefix { $0 == $1 }.count
                longest = max(longest, run)
            }
        }
        return longest >= 2 && Double(longest) >= samePhrase * Double(min(ours.count, theirs.count))
    }

    /// The share of a subtitle's words that are one phrase of another subtitle of the book, at least.
    private static let samePhrase = 0.6

    /// Whether the two titles share most of their words.
    private static func sharesMost(
        _ a: [ParsedTitle.Part], _ b: [ParsedTitle.Part], _ share: Double = 0.6
    ) -> Bool {
        let ours = Set(a.flatMap(\.words)).subtracting(idle)
        let theirs = Set(b.flatMap(\.words)).subtracting(idle)
        let shared = ours.intersection(theirs).count
        return shared >= 2 && Double(shared) >= share * Double(max(ours.count, theirs.count))
    }
}
