/// Agreement of two titles, part by part.
enum TitleAgreement {
    private typealias Weights = MatchWeights.Title

    /// - Parameters:
    ///   - isSeriesName: Whether several books of the author begin like the offered one and go on differently,
    ///     so that the first part is the name of a series: `Star Wars: …`.
    ///   - isOfYear: Whether the years of first publication agree.
    static func score(
        _ wanted: ParsedTitle, _ offered: ParsedTitle, isSeriesName: Bool = false, isOfYear: Bool = false
    ) -> MatchScore {
        if wanted.kinds != offered.kinds { return .none(.kindDiffers) }
        var score = parts(wanted, offered, isSeriesName)
        guard score.value > 0 else { return score }
        switch (wanted.volume, offered.volume) {
        case (nil, nil): break
        case (let ours?, let theirs?):
            guard ours.number == theirs.number, !ours.noun.excludes(theirs.noun) else {
                return .none(.volumeDiffers)
            }
            score = agreed(score)
            // Book 1 of a comic can hold its first two volumes.
            if !ours.noun.isLike(theirs.noun) {
                score.add(Weights.otherVolumeNoun, .volumeDiffers)
            } else if ours.noun != theirs.noun, ours.noun == .number || theirs.noun == .number {
                score.value += Weights.unspecificVolume
            }
        case (let one?, nil), (nil, let one?):
            // Only one side has a number. It is the same book if the parts' own titles agree, or if the
            // number is a position in a series.
            if score.evidence.first == .titleBehindSeries || sharesPartTitle(wanted, offered) { break }
            guard one.isOfSeries || one.noun == .any && isOfYear else { return .none(.volumeDiffers) }
            // The first book of a series can have its name, and so can the last one.
            if one.noun != .any { score.add(Weights.volumeMissing, .volumeDiffers) }
        }
        return score
    }

    /// The volumes are the same, so text after the number is the volume's own title, which one side may leave
    /// out.
    private static func agreed(_ score: MatchScore) -> MatchScore {
        var score = score
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
        _ wanted: ParsedTitle, _ offered: ParsedTitle, _ isSeriesName: Bool
    ) -> MatchScore {
        let (ours, theirs) = (wanted.significant, offered.significant)
        guard let first = ours.first, let theirFirst = theirs.first else { return .none(.titleDiffers) }
        if wanted.key == offered.key { return MatchScore(Weights.same, [.titleSame]) }
        if first.key == theirFirst.key {
            let score = tails(ours, theirs, isSeriesName)
            // Text after the title of a collection names its contents.
            return wanted.kinds.contains(.collection) && (ours.count == 1 || theirs.count == 1)
                ? MatchScore(Weights.subtitleMissing, [.subtitleUnsaid]) : score
        }
        if let score = behindSeries(wanted, offered) { return score }
        if TypingError.parts(wanted, offered) { return MatchScore(Weights.mistyped, [.titleMistyped]) }
        if TypingError.isLikely(first, theirFirst), ours.count == 1 || theirs.count == 1 {
            return MatchScore(Weights.similar, [.titleSpelledOtherwise])
        }
        return sharesMost(ours, theirs) ? MatchScore(Weights.inPart, [.titleInPart]) : .none(.titleDiffers)
    }

    /// The first parts are equal. What follows is a subtitle or the title of one of several volumes.
    private static func tails(
        _ ours: [ParsedTitle.Part], _ theirs: [ParsedTitle.Part], _ isSeriesName: Bool
    ) -> MatchScore {
        if ours.count == 1 {
            if theirs[1...].allSatisfy(\.isSubtitle) {
                return MatchScore(Weights.subtitleMissing, [.subtitleUnsaid])
            }
            if isSeriesName { return MatchScore(Weights.open, [.subtitleUnknown]) }
            return theirs[1...].allSatisfy({ $0.isDescriptive || $0.isLong })
                ? MatchScore(Weights.subtitleMissing, [.subtitleUnsaid])
                : MatchScore(Weights.likelySubtitle, [.subtitleUnknown])
        }
        if theirs.count == 1 {
            return !isSeriesName && ours[1...].allSatisfy(\.isDescriptive)
                ? MatchScore(Weights.subtitleAdded, [.subtitleUnknown])
                : MatchScore(Weights.open, [.subtitleUnknown])
        }
        if isOrderedSubset(ours, of: theirs) { return MatchScore(Weights.subtitleMissing, [.subtitleUnsaid]) }
        if isOrderedSubset(theirs, of: ours) {
            return ours.allSatisfy { part in part.isDescriptive || theirs.contains { $0.key == part.key } }
                ? MatchScore(Weights.subtitleMissing, [.titleSame])
                : MatchScore(Weights.open, [.subtitleUnknown])
        }
        if TypingError.isLikely(ours[1], theirs[1]) || sharesMost([ours[1]], [theirs[1]]) {
            return MatchScore(Weights.subtitleMissing, [.titleSame])
        }
        return otherTails(ours, theirs, isSeriesName)
    }

    /// Both have a subtitle, and these differ. Subtitles change between editions, but so do those of a textbook's
    /// variants, and volumes have titles of their own.
    private static func otherTails(
        _ ours: [ParsedTitle.Part], _ theirs: [ParsedTitle.Part], _ isSeriesName: Bool
    ) -> MatchScore {
        let isDistinct = Set(ours[0].words).subtracting(idle).count > 1
        let areDescriptive = (ours[1...] + theirs[1...]).allSatisfy { $0.isDescriptive || $0.isLong }
        guard !isSeriesName, isDistinct || areDescriptive else {
            return MatchScore(Weights.inPart, [.subtitleDiffers])
        }
        return MatchScore(
            isDistinct && areDescriptive ? Weights.otherSubtitle : Weights.likelySubtitle, [.subtitleDiffers])
    }

    /// One side puts the series before the title: `The Lord of the Rings: The Two Towers`.
    private static func behindSeries(_ wanted: ParsedTitle, _ offered: ParsedTitle) -> MatchScore? {
        let (ours, theirs) = (wanted.significant, offered.significant)
        if ours.count > 1, let last = ours.last, let theirFirst = theirs.first,
            last.key == offered.key || last.key == theirFirst.key && theirs[1...].allSatisfy(\.isSubtitle)
        {
            return MatchScore(
                last.words.count > 1 ? Weights.behindSeries : Weights.open, [.titleBehindSeries])
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

    /// Whether the two titles share most of their words.
    private static func sharesMost(_ a: [ParsedTitle.Part], _ b: [ParsedTitle.Part]) -> Bool {
        let ours = Set(a.flatMap(\.words)).subtracting(idle)
        let theirs = Set(b.flatMap(\.words)).subtracting(idle)
        let shared = ours.intersection(theirs).count
        return shared >= 2 && Double(shared) >= 0.6 * Double(max(ours.count, theirs.count))
    }
}
