import Bytes

/// Agreement of two names as names of one person.
package enum NameAgreement {
    package static func score(_ a: ParsedName, _ b: ParsedName) -> MatchScore {
        guard !a.words.isEmpty, !b.words.isEmpty else { return .none(.authorDiffers) }
        var score = words(a, b)
        guard score.value > 0, a.generation != b.generation else { return score }
        // Jr. is often left out, and a name without it can be the father's or the son's.
        if a.generation != nil, b.generation != nil { return .none(.authorDiffers) }
        score.value += MatchWeights.Author.generationMissing
        return score
    }

    private static func words(_ a: ParsedName, _ b: ParsedName) -> MatchScore {
        if a.words == b.words || a.words.joined() == b.words.joined() {
            return MatchScore(MatchWeights.Author.same, [.authorSame])
        }
        if a.words.count == b.words.count, a.words.count > 1, a.words.sorted() == b.words.sorted() {
            return MatchScore(MatchWeights.Author.otherOrder, [.authorOtherOrder])
        }
        if a.words.count == 1 || b.words.count == 1 {
            // A single name: Dante is Dante Alighieri, but Smith can be anyone.
            let (one, other) = a.words.count == 1 ? (a, b) : (b, a)
            let isIn = other.words.first == one.family || other.family == one.family
            return isIn ? MatchScore(MatchWeights.Author.inPart, [.authorInPart]) : .none(.authorDiffers)
        }
        let (few, many) = a.words.count < b.words.count ? (a.words, b.words) : (b.words, a.words)
        // A two-word family name without the given name: Saint-Exupéry.
        if few.count < many.count, many.suffix(few.count).elementsEqual(few) {
            return MatchScore(MatchWeights.Author.inPart, [.authorInPart])
        }
        if a.family == b.family {
            if let score = given(Array(a.given), Array(b.given)) { return score }
            if let score = Nicknames.score(a.words, b.words) { return score }
            // Robert A. Parker is not Robert B. Parker.
            guard a.words.first != b.words.first || !contradict(a.given.dropFirst(), b.given.dropFirst())
            else {
                return .none(.authorDiffers)
            }
            // The given names differ in spelling but may be the same in sound: Lev and Lew.
            guard sounds(a, b) else { return .none(.authorDiffers) }
            // Equal family names come from the same script, so a difference in vowels makes another name:
            // Paul and Paula, Carl and Carol. The user decides whether they are the same person.
            return isOneName(a.words.first ?? "", b.words.first ?? "")
                ? MatchScore(MatchWeights.Author.transliterated, [.authorTransliterated])
                : MatchScore(MatchWeights.Author.similar, [.authorSimilar])
        }
        // Second family names are often left out: Cervantes, Cervantes Saavedra.
        if few.count > 1, few.count < many.count, many.prefix(few.count).elementsEqual(few) {
            return MatchScore(MatchWeights.Author.secondFamilyNameMissing, [.authorInPart])
        }
        if sounds(a, b), !contradict(a.given.dropFirst(), b.given.dropFirst()) {
            return MatchScore(MatchWeights.Author.transliterated, [.authorTransliterated])
        }
        return a.given == b.given && a.family.first == b.family.first
            && TypingError.isError(a.family, b.family, shortest: shortestFamily)
            ? MatchScore(MatchWeights.Author.mistyped, [.authorMistyped]) : .none(.authorDiffers)
    }

    /// Letters of a family name in which one error is possible.
    private static let shortestFamily = 4

    // MARK: Given names

    /// Whether further given names begin with different letters, all of them being known on both sides.
    private static func contradict(_ a: ArraySlice<String>, _ b: ArraySlice<String>) -> Bool {
        a.count == b.count
            && zip(a, b).contains { one, other in
                sounds(of: String(one.prefix(1))) != sounds(of: String(other.prefix(1)))
            }
    }

    /// Scores given names that can be one person's: equal, abbreviated to initials, or left out.
    private static func given(_ a: [String], _ b: [String]) -> MatchScore? {
        for ours in [a, spelledOut(a)] {
            for theirs in [b, spelledOut(b)] {
                if let score = aligned(ours, theirs) { return score }
            }
        }
        return nil
    }

    private static func aligned(_ a: [String], _ b: [String]) -> MatchScore? {
        let (few, many) = a.count <= b.count ? (a, b) : (b, a)
        guard let first = few.first, let theirFirst = many.first, isInitial(first, theirFirst) else {
            return nil
        }
        var (place, equal) = (0, 0)
        for name in few {
            guard let found = many[place...].firstIndex(where: { isInitial(name, $0) }) else { return nil }
            if many[found] == name, name.utf8.count > 1 { equal += 1 }
            place = found + 1
        }
        return MatchScore(
            equal > 0 ? MatchWeights.Author.sharedGivenName : MatchWeights.Author.initials, [.authorInitials])
    }

    private static func isInitial(_ a: String, _ b: String) -> Bool {
        a == b || (a.utf8.count == 1 && b.hasPrefix(a)) || (b.utf8.count == 1 && a.hasPrefix(b))
    }

    /// Splits initials written as one word: `jrr` becomes `j r r`. A word with a vowel is a name: Jo, Ed.
    private static func spelledOut(_ names: [String]) -> [String] {
        names.flatMap { name in
            (2...3).contains(name.utf8.count) && !name.contains(where: "aeiouy".contains)
                ? name.map(String.init) : [name]
        }
    }

    /// Whether two names can be one person's. Names in different scripts can.
    package static func canBeOne(_ a: String, _ b: String) -> Bool {
        if areInTwoScripts(a, b) { return true }
        return score(ParsedName(a), ParsedName(b)).value > 0
    }

    /// Whether one of two names is in Latin letters, and the other one is not.
    package static func areInTwoScripts(_ a: String, _ b: String) -> Bool {
        func isLatin(_ folded: String) -> Bool { folded.utf8.allSatisfy { $0 < 0x80 } }
        return isLatin(Folding.fold(a)) != isLatin(Folding.fold(b))
    }

    /// Whether two names are certainly one person's, among the people of one book: in the same words, with initials, or
    /// in part. Spellings in other scripts and transliterations are not certain.
    package static func areCertainlyOne(_ a: String, _ b: String) -> Bool {
        let score = score(ParsedName(a), ParsedName(b))
        return score.value > 0
            && score.evidence.contains { certain.contains($0) }
    }

    private static let certain: Set<MatchEvidence> = [
        .authorSame, .authorOtherOrder, .authorInitials, .authorInPart,
    ]

    // MARK: Transliterations

    /// Whether two names differ only in transliteration: Dostoevsky, Dostojewski.
    private static func sounds(_ a: ParsedName, _ b: ParsedName) -> Bool {
        let (ours, theirs) = (skeleton(a.family), skeleton(b.family))
        guard ours == theirs, ours.count >= (a.family == b.family ? 1 : 4) else { return false }
        guard let first = a.words.first, let theirFirst = b.words.first else { return false }
        if first.utf8.count == 1 || theirFirst.utf8.count == 1 { return first.first == theirFirst.first }
        let (given, theirGiven) = (skeleton(first), skeleton(theirFirst))
        return given.count >= 2 && given == theirGiven
    }

    /// Whether two given names differ only in letters of the same sound, or one is the end of the other: Lev
    /// and Lew, Abraham and Bram.
    private static func isOneName(_ a: String, _ b: String) -> Bool {
        let (ours, theirs) = (sounds(of: a), sounds(of: b))
        if ours == theirs { return true }
        let (short, long) = ours.count < theirs.count ? (ours, theirs) : (theirs, ours)
        return short.count >= 4 && long.suffix(short.count).elementsEqual(short)
    }

    /// The consonants of a word, with one letter per sound.
    private static func skeleton(_ word: String) -> [Character] {
        sounds(of: word) { "aeiouyj".contains($0) }
    }

    /// The letters of a word, with one letter per sound and repeated sounds only once.
    private static func sounds(
        of word: String, leavingOut isLeftOut: (Character) -> Bool = { _ in false }
    ) -> [Character] {
        var out: [Character] = []
        for letter in word.replacing("tsch", with: "c").replacing("tch", with: "c").replacing("ch", with: "c")
            .replacing("ph", with: "f")
        {
            if letter == "h" || isLeftOut(letter) { continue }
            let sound: Character =
                switch letter {
                case "j", "y": "i"
                case "w": "v"
                case "c", "q": "k"
                case "z": "s"
                default: letter
                }
            if out.last != sound { out.append(sound) }
        }
        return out
    }
}

/// A person's name, split for comparison: given names, family name, and generation.
package struct ParsedName {
    /// All words in reading order, folded, without honorifics and particles. Each initial is a word.
    package let words: [String]
    /// `fils`, `jr`: distinguishes father and son of the same name.
    package let generation: String?

    package var given: ArraySlice<String> { words.dropLast() }
    package var family: String { words.last ?? "" }

    private static let honorifics: Set<String> = [
        "sir", "dame", "dr", "prof", "professor", "baron", "lord", "lady", "rev", "mrs", "mr",
        "phd",
        "md", "esq",
    ]
    private static let particles: Set<String> = [
        "de", "von", "van", "der", "den", "del", "della", "di", "da", "du", "dos", "of", "y", "e", "zu",
        "ter",
    ]
    private static let generations: Set<String> = ["jr", "sr", "pere", "fils", "ii", "iii"]

    package init(_ name: String) {
        var name = name
        let folded = name.withUTF8 { PersonKey.fold(UnsafeRawBufferPointer($0)) }
        var words = String(decoding: folded, as: UTF8.self).split(separator: " ").map(String.init)
        generation = words.count > 1 ? words.first { Self.generations.contains($0) } : nil
        if words.count > 1 { words.removeAll { Self.generations.contains($0) } }
        if words.count > 2 {
            let kept = words.filter { !Self.honorifics.contains($0) && !Self.particles.contains($0) }
            if kept.count > 1 { words = kept }
        }
        let initials = Self.initials(of: name)
        self.words = words.flatMap { initials.contains($0) ? $0.map(String.init) : [$0] }
    }

    /// The single letters of a name, adjacent ones joined as in the folded name. `E. D.` is two initials,
    /// `Ed` is a name.
    private static func initials(of name: String) -> Set<String> {
        var runs: Set<String> = []
        var run = ""
        for word in Folding.fold(name).split(separator: " ") {
            if word.utf8.count == 1 {
                run += word
            } else if !run.isEmpty {
                runs.insert(run)
                run = ""
            }
        }
        if !run.isEmpty { runs.insert(run) }
        return runs
    }
}
