/// How far two titles agree, part by part.
enum TitleAgreement {
    private typealias Worth = MatchWeights.Title

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
            // A number that one side leaves out: the same book where the parts' own titles agree, or where the number
            // is a place in a series.
            if score.evidence.first == .titleBehindSeries || sharesPartTitle(wanted, offered) { break }
            guard isOfSeries else { return .none(.volumeDiffers) }
            score.add(Worth.volumeMissing, .volumeDiffers)
        }
        return score
    }

    /// The same volume: what stands behind its number is its own title, told or not.
    private static func agreed(_ score: MatchScore) -> MatchScore {
        var score = score
        switch score.evidence.first {
        case .subtitleUnknown: score.value = Worth.subtitleMissing
        case .subtitleDiffers: score.value = Worth.behindSeries
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
        if wanted.key == offered.key { return MatchScore(Worth.same, [.titleSame]) }
        if first.key == theirFirst.key {
            if ours.count == 1 {
                // What stands behind a colon of the title itself may make it another book of a series.
                let isSubtitle = theirs[1...].allSatisfy(\.isSubtitle)
                return MatchScore(
                    isSubtitle ? Worth.subtitleMissing : Worth.open,
                    [isSubtitle ? .subtitleUnsaid : .subtitleUnknown])
            }
            if theirs.count == 1 { return MatchScore(Worth.open, [.subtitleUnknown]) }
            if isOrderedSubset(ours, of: theirs) {
                return MatchScore(Worth.subtitleMissing, [.subtitleUnsaid])
            }
            if isOrderedSubset(theirs, of: ours) { return MatchScore(Worth.subtitleMissing, [.titleSame]) }
            return similar(ours[1], theirs[1]) || sharesMost([ours[1]], [theirs[1]])
                ? MatchScore(Worth.subtitleMissing, [.titleSame])
                : MatchScore(Worth.inPart, [.subtitleDiffers])
        }
        if ours.count > 1,
            last.key == offered.key || last.key == theirFirst.key && theirs[1...].allSatisfy(\.isSubtitle)
        {
            return MatchScore(
                last.words.count > 1 ? Worth.behindSeries : Worth.open, [.titleBehindSeries])
        }
        if theirs.count > 1, let theirLast = theirs.last, theirLast.key == wanted.key,
            theirLast.words.count > 1
        {
            return MatchScore(theirLast.isSubtitle ? Worth.open : Worth.behindSeries, [.titleBehindSeries])
        }
        if similar(first, theirFirst), ours.count == 1 || theirs.count == 1 {
            return MatchScore(Worth.similar, [.titleSpelledOtherwise])
        }
        return sharesMost(ours, theirs) ? MatchScore(Worth.inPart, [.titleInPart]) : .none(.titleDiffers)
    }

    private static func isOrderedSubset(_ few: [ParsedTitle.Part], of many: [ParsedTitle.Part]) -> Bool {
        var rest = many[...]
        for part in few {
            guard let found = rest.firstIndex(where: { $0.key == part.key }) else { return false }
            rest = rest[(found + 1)...]
        }
        return true
    }

    /// Whether a slip of the pen or a spelling parts the two: as many words, and letters enough for two slips to be few.
    private static func similar(_ a: ParsedTitle.Part, _ b: ParsedTitle.Part) -> Bool {
        guard a.key.utf8.count >= 8, a.key.filter(isNoSlip) == b.key.filter(isNoSlip) else { return false }
        return EditDistance.isAtMost(2, a.key, b.key)
    }

    /// Figures, and the signs of `C++`.
    private static func isNoSlip(_ character: Character) -> Bool {
        character.isNumber || character == "+" || character == "#"
    }

    private static let idle: Set<String> = [
        "the", "a", "an", "of", "in", "on", "to", "for", "from", "with", "der", "die", "das", "de", "la",
        "le",
    ]

    /// Whether most words of each stand in the other.
    private static func sharesMost(_ a: [ParsedTitle.Part], _ b: [ParsedTitle.Part]) -> Bool {
        let ours = Set(a.flatMap(\.words)).subtracting(idle)
        let theirs = Set(b.flatMap(\.words)).subtracting(idle)
        let shared = ours.intersection(theirs).count
        return shared >= 2 && Double(shared) >= 0.6 * Double(max(ours.count, theirs.count))
    }
}

/// How many letters have to be changed, added, left out or swapped with the next to make one text of another.
enum EditDistance {
    /// Whether it is no more than a bound. Longer texts differ by their lengths alone before anything is compared.
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
