/// Typing errors in titles.
package enum TypingError {
    /// Letters of a word in which one error is certain. In shorter words one letter makes another word.
    package static let shortestWord = 5
    /// Letters of a word in which one error is possible.
    private static let shortestPossible = 3
    /// Letters of a word in which a wrong letter is certain if the title is nothing but this word.
    private static let shortestTitle = 7
    /// Letters of a part in which two errors are few.
    private static let shortestPart = 8

    /// Certainty that two titles are one.
    package enum Certainty {
        case certain
        /// One letter can make another word. The year has to agree.
        case likely
    }

    /// Whether two titles differ only by one typing error in one word: a letter missing, added, wrong, or
    /// exchanged with the next one. A plural is another word. Nil if they differ by more.
    package static func parts(_ a: ParsedTitle, _ b: ParsedTitle) -> Certainty? {
        let (ours, theirs) = (a.significant, b.significant)
        // A subtitle can be missing on one side, as in a correctly spelled title.
        let count = min(ours.count, theirs.count)
        let rest = ours.count > count ? ours[count...] : theirs[count...]
        guard count > 0, rest.allSatisfy({ $0.isSubtitle || $0.isDescriptive || $0.isLong }) else {
            return nil
        }
        var errors = 0
        var certainty = Certainty.certain
        for (one, other) in zip(ours, theirs) where one.key != other.key {
            guard one.words.count == other.words.count else { return nil }
            for (word, otherWord) in zip(one.words, other.words) where word != otherWord {
                let isTitle = one.words.count == 1 && count == 1
                guard isError(word, otherWord, shortest: shortestPossible) else { return nil }
                let length = min(word.utf8.count, otherWord.utf8.count)
                // `Fever` is not `Sever`: the first letter of a word is rarely wrong.
                if word.first != otherWord.first {
                    guard length >= shortestTitle else { return nil }
                    certainty = .likely
                } else if length < shortestWord
                    || isTitle && length < shortestTitle && isReplaced(word, otherWord)
                {
                    certainty = .likely
                }
                errors += 1
            }
        }
        return errors == 1 ? certainty : nil
    }

    /// Whether one letter stands for another one, so that none is missing, added or moved.
    private static func isReplaced(_ a: String, _ b: String) -> Bool {
        a.utf8.count == b.utf8.count && zip(a.utf8, b.utf8).count { $0 != $1 } == 1
    }

    /// Whether one word is the other with a typing error.
    package static func isError(_ a: String, _ b: String, shortest: Int = shortestWord) -> Bool {
        guard min(a.unicodeScalars.count, b.unicodeScalars.count) >= shortest,
            !a.contains(where: isSignificant), !b.contains(where: isSignificant)
        else { return false }
        return a + "s" != b && b + "s" != a && SingleTypo.parts(a, b)
    }

    /// Whether two parts differ only by errors or spelling: the same digits, and long enough that two changed
    /// letters are few.
    package static func isLikely(_ a: ParsedTitle.Part, _ b: ParsedTitle.Part) -> Bool {
        guard a.key.utf8.count >= shortestPart, a.key.filter(isSignificant) == b.key.filter(isSignificant)
        else {
            return false
        }
        return EditDistance.isAtMost(2, a.key, b.key)
    }

    /// Digits, and the signs of `C++`.
    private static func isSignificant(_ character: Character) -> Bool {
        character.isNumber || character == "+" || character == "#"
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
