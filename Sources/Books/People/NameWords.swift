/// The words of a possible name of a person.
package struct NameWords {
    private let words: [Substring]

    /// The words between blanks.
    package init(_ name: String) { words = name.split(whereSeparator: \.isWhitespace) }

    /// Number of words.
    package var count: Int { words.count }

    /// Whether it may be a name of a person: a few words, none of them an organization's.
    var isName: Bool {
        (1...6).contains(words.count)
            && words.allSatisfy { word in
                let bare = word.lowercased().filter { $0 != "." && $0 != "," }
                return word.contains(where: \.isLetter) && word.first?.isASCIIDigit == false
                    && !Self.ofOrganizations.contains(bare)
            }
    }

    /// Whether it is a name of at least two words.
    var isFullName: Bool { words.count > 1 && isName }

    /// Whether it begins with a particle of a family name: `von Goethe`, `Le Guin`. A few are given names too (Al Ries,
    /// Van Morrison), unless they are in lower case or another particle follows.
    var beginsWithParticle: Bool {
        guard let first = words.first, Self.particles.contains(first.lowercased()) else { return false }
        guard first.first?.isUppercase == true, Self.givenNames.contains(first.lowercased()) else {
            return true
        }
        return words.count > 2 && Self.particles.contains(words[1].lowercased())
    }

    /// Whether it ends with an initial: `Ursula K.`
    var endsWithInitial: Bool {
        guard let last = words.last, words.count < 3 || !Self.isSuffix(last) else { return false }
        return last.count(where: \.isLetter) == 1 || last.split(separator: ".").allSatisfy { $0.count == 1 }
    }

    /// Whether it ends with a word that another must follow: `Duke of`, `The`.
    var endsOpen: Bool { words.last.map { ["of", "the"].contains($0.lowercased()) } ?? false }

    /// Whether a word within a name is in lower case.
    static func isParticle(_ word: Substring) -> Bool {
        particles.contains(word.lowercased())
            || ["of", "the", "and", "y", "e", "i", "jr."].contains(word.lowercased())
    }

    private static func isSuffix(_ word: Substring) -> Bool {
        Array(word.utf8).withUnsafeBytes { NameSuffix($0, 0..<$0.count) != nil }
    }

    private static let givenNames: Set = ["al", "ben", "van", "del"]

    private static let particles: Set = [
        "le", "la", "les", "de", "del", "della", "di", "da", "dos", "du", "des", "d'", "van", "von", "den",
        "der",
        "ten", "ter", "vander", "zu", "zur", "al", "el", "bin", "ibn", "ben", "o'", "st.", "saint", "san",
        "santa",
    ]

    private static let ofOrganizations: Set = [
        "of", "the", "for", "inc", "ltd", "llc", "gmbh", "co", "corp", "company", "press", "books",
        "publishing",
        "publications", "publishers", "editors", "staff", "university", "college", "school", "institute",
        "institut",
        "association", "society", "committee", "council", "department", "ministry", "office", "museum",
        "church",
        "library", "group", "team", "center", "centre", "foundation", "verlag", "editions", "éditions",
        "magazine",
        "services", "international", "national", "studio", "studios", "productions", "entertainment",
    ]
}
