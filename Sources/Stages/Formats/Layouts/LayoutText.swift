import Books

/// Spellings that several layouts share.
enum LayoutText {
    /// Suffixes that stay with the family name.
    private static let suffixes: Set<String> = ["jr", "jr.", "sr", "sr.", "ii", "iii", "iv"]
    /// Words that begin a family name of several words.
    private static let particles: Set<String> = [
        "le", "la", "de", "del", "della", "der", "den", "di", "da", "dos", "du", "van", "von", "zu", "ten",
        "ter",
        "st.", "al", "el", "bin", "ben", "af", "av",
    ]

    /// Family name and given names: `Le Guin` and `Ursula K.`. A name of one word has no given names, nor does
    /// one that contains a comma.
    static func familyFirst(_ name: String) -> (family: String, given: String) {
        var words = name.split(separator: " ").map(String.init)
        guard words.count > 1, !name.contains(",") else { return (name, "") }
        var suffix: String?
        if words.count > 2, let last = words.last, suffixes.contains(last.lowercased()) {
            suffix = words.removeLast()
        }
        var first = words.count - 1
        while first > 1, particles.contains(words[first - 1].lowercased()) { first -= 1 }
        let family = words[first...] + (suffix.map { [$0] } ?? [])
        return (family.joined(separator: " "), words[..<first].joined(separator: " "))
    }

    /// `Le Guin, Ursula K.`
    static func inverted(_ name: String) -> String {
        let (family, given) = familyFirst(name)
        return given.isEmpty ? family : "\(family), \(given)"
    }

    /// The year of a stored date; empty if it has none.
    static func year(_ date: String) -> String {
        let digits = date.prefix { $0.isNumber || ($0 == "-" && date.first == "-") }
        return digits.isEmpty ? "" : String(digits.prefix(while: { $0 != "/" }))
    }

    /// The ISBN-10 of an ISBN-13; empty if there is none.
    static func isbn10(_ isbn13: String) -> String {
        guard let value = Int64(isbn13) else { return "" }
        var bytes: [UInt8] = []
        ISBN(unchecked: value).appendISBN10(to: &bytes)
        return String(decoding: bytes, as: UTF8.self)
    }

    /// A role as exports write it in brackets: `Translator`.
    static func role(_ role: ContributorRole) -> String {
        String(describing: role).prefix(1).uppercased() + String(describing: role).dropFirst()
    }
}

extension LibraryEntry {
    /// The date of the last reading.
    var lastFinished: String { readings.last?.finished ?? "" }

    /// The year of publication. A day or month is lost with it.
    func publicationYear(_ losses: inout EntryLosses) -> String {
        let date = self[.publishedDate]
        let year = LayoutText.year(date)
        losses.lose(.publishedDate, date, as: year)
        return year
    }

    /// The rating in steps of a star.
    ///
    /// - Parameter steps: The number of steps of a star: 1, 2 or 4.
    func rating(steps: Double, _ losses: inout EntryLosses) -> Double? {
        guard let rating else { return nil }
        let rounded = max(1 / steps, (rating * steps).rounded() / steps)
        losses.lose(.rating, Self.spelled(rating), as: Self.spelled(rounded))
        return rounded
    }

    /// The subjects in a cell where commas separate them. A subject with a comma loses it.
    func subjects(separator: String, _ losses: inout EntryLosses) -> String {
        subjects.map { subject in
            let written = subject.replacing(",", with: "")
            if !areSubjectsDerived { losses.lose(.categories, subject, as: written) }
            return written
        }.joined(separator: separator)
    }

    /// The tags, and before them a shelf that is no reading status.
    var tagsWithOwnShelf: [String] {
        let shelf = status == nil && !self[.shelf].isEmpty ? [self[.shelf]] : []
        return shelf + tags.filter { $0 != self[.shelf] }
    }

    /// The reading status in the words of a program that has no other shelves. A shelf of the user's own becomes a tag.
    ///
    /// - Parameters:
    ///   - tag: The program's word for a tag.
    ///   - paused: The program's substitute for the status paused; nil if it has that status.
    func statusOrTag(
        _ words: (ReadingStatus) -> String, calling tag: String = "tag", paused: String? = nil,
        _ losses: inout EntryLosses
    ) -> String {
        guard let status else {
            if !self[.shelf].isEmpty { losses.lose(.shelf, self[.shelf], as: "\(tag) \(self[.shelf])") }
            return ""
        }
        if status == .paused, let paused { losses.lose(.shelf, status.rawValue, as: paused) }
        return words(status)
    }

    /// The authors where commas separate names. A name with a comma loses it.
    func commaSeparatedAuthors(_ losses: inout EntryLosses) -> String {
        authors.map { name in
            let written = name.replacing(",", with: "")
            losses.lose(.authors, name, as: written)
            return written
        }.joined(separator: ", ")
    }

    /// The names of all authors. Other people are named too, without their roles.
    func allNames(_ losses: inout EntryLosses) -> [String] {
        for person in helpers {
            losses.lose(.contributors, "\(person.name) (\(person.role))", as: person.name)
        }
        return people.map(\.name)
    }
}
