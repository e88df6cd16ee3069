/// How far two titles agree, part by part.
enum TitleAgreement {
    private typealias Weights = MatchWeights.Title

    static func score(_ wanted: ParsedTitle, _ offered: ParsedTitle) -> MatchScore {
        if wanted.kinds != offered.kinds { return .none(.kindDiffers) }
        var score = parts(wanted, offered)
        guard score.value > 0 else { return score }
        switch (wanted.volume, offered.volume) {
        case (nil, nil): break
        case (let ours?, let theirs?) where ours == theirs: score = agreed(score)
        case (_?, _?): return .none(.volumeDiffers)
        default:
            let isOfSeries = wanted.volume == nil ? offered.isVolumeOfSeries : wanted.isVolumeOfSeries
            // Only one side has a number. It is the same book if the parts' own titles agree, or if the
            // number is a position in a series.
            if score.evidence.first == .titleBehindSeries || sharesPartTitle(wanted, offered) { break }
            guard isOfSeries else { return .none(.volumeDiffers) }
            score.add(Weights.volumeMissing, .volumeDiffers)
        }
        return score
    }

    /// The volumes are the same, so text after the number is the volume's own title, which one side may leave
    /// out.
    private static func agreed(_ score: MatchScore) -> MatchScore {
        var score = score
        switch score.evidence.first {
        case .subtitleUnknown: score.value = Weights.subtitleMissing
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

    private static func parts(_ wanted: ParsedTitle, _ offered: ParsedTitle) -> MatchScore {
        let (ours, theirs) = (wanted.significant, offered.significant)
        guard let first = ours.first, let theirFirst = theirs.first, let last = ours.last else {
            return .none(.titleDiffers)
        }
        if wanted.key == offered.key { return MatchScore(Weights.same, [.titleSame]) }
        if first.key == theirFirst.key {
            if ours.count == 1 {
                // Text after a colon in the title itself, unlike a separate subtitle, may be the title of
                // another book of the series.
                let isSubtitle = theirs[1...].allSatisfy(\.isSubtitle)
                return MatchScore(
                    isSubtitle ? Weights.subtitleMissing : Weights.open,
                    [isSubtitle ? .subtitleUnsaid : .subtitleUnknown])
            }
            if theirs.count == 1 { return MatchScore(Weights.open, [.subtitleUnknown]) }
            if isOrderedSubset(ours, of: theirs) {
                return MatchScore(Weights.subtitleMissing, [.subtitleUnsaid])
            }
            if isOrderedSubset(theirs, of: ours) { return MatchScore(Weights.subtitleMissing, [.titleSame]) }
            return similar(ours[1], theirs[1]) || sharesMost([ours[1]], [theirs[1]])
                ? MatchScore(Weights.subtitleMissing, [.titleSame])
                : MatchScore(Weights.inPart, [.subtitleDiffers])
        }
        if ours.count > 1,
            last.key == offered.key || last.key == theirFirst.key && theirs[1...].allSatisfy(\.isSubtitle)
        {
            return MatchScore(
                last.words.count > 1 ? Weights.behindSeries : Weights.open, [.titleBehindSeries])
        }
        if theirs.count > 1, let theirLast = theirs.last, theirLast.key == wanted.key,
            theirLast.words.count > 1
        {
            return MatchScore(
                theirLast.isSubtitle ? Weights.open : Weights.behindSeries, [.titleBehindSeries])
        }
        if similar(first, theirFirst), ours.count == 1 || theirs.count == 1 {
            return MatchScore(Weights.similar, [.titleSpelledOtherwise])
        }
        return sharesMost(ours, theirs) ? MatchScore(Weights.inPart, [.titleInPart]) : .none(.titleDiffers)
    }

    private static func isOrderedSubset(_ few: [ParsedTitle.Part], of many: [ParsedTitle.Part]) -> Bool {
        var rest = many[...]
        for part in few {
            guard let found = rest.firstIndex(where: { $0.key == part.key }) else { return false }
            rest = rest[(found + 1)...]
        }
        return true
    }

    /// Whether two parts differ only by a typo or spelling: the same digits, and long enough that two changed
    /// letters are few.
    private static func similar(_ a: ParsedTitle.Part, _ b: ParsedTitle.Part) -> Bool {
        guard a.key.utf8.count >= 8, a.key.filter(isSignificant) == b.key.filter(isSignificant) else {
            return false
        }
        return EditDistance.isAtMost(2, a.key, b.key)
    }

    /// Digits, and the signs of `C++`.
    private static func isSignificant(_ character: Character) -> Bool {
        character.isNumber || character == "+" || character == "#"
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

/// The number of letters to change, add, remove or swap with the next to turn one text into another.
enum EditDistance {
    /// Whether the distance is at most a bound. Texts whose lengths differ by more are not compared.
    static func isAtMost(_ most: Int, _ a: String, _ b: String) -> Bool {
        let (a, b) = (Array(a.unicodeScalars), Array(b.unicodeScalars))
        guard abs(a.count - b.count) <= most else { return false }
        if a.isEmpty || b.isEmpty { return true }
        var before: [Int] = []
        var last = Array(0...b.count)
        for i in 1...a.count {
            var row = [i]
            row.reserveCapacity(b.count + 1)
            for j in 1...b.count {
                var cost = min(last[j] + 1, row[j - 1] + 1, last[j - 1] + (a[i - 1] == b[j - 1] ? 0 : 1))
                if i > 1, j > 1, a[i - 1] == b[j - 2], a[i - 2] == b[j - 1] {
                    cost = min(cost, before[j - 2] + 1)
                }
                row.append(cost)
            }
            if row.min() ?? 0 > most { return false }
            (before, last) = (last, row)
        }
        return last[b.count] <= most
    }
}
