import Books
import Contract

/// What two books have in common, in the words of their records: why one is shown as similar to the other.
package struct SharedTraits: Sendable, Hashable {
    /// Years between the first editions of books of one era, at most.
    private static let yearsOfEra = 10
    private static let most = 3

    package var genres: [String] = []
    package var authors: [String] = []
    /// Subjects that are no genres: places, people, themes.
    package var topics: [String] = []
    /// When both were first published: `1937–1954`; nil if that is too far apart, or not known.
    package var era: String?
    /// The region that their authors come from; nil if it differs, or is not known.
    package var region: String?

    package init(_ a: FoundBook, _ b: FoundBook, genres known: (genresOfA: [String], genresOfB: [String])) {
        let names = Set(b.authors.map(\.name))
        authors = a.authors.map(\.name).filter(names.contains)
        let other = Set(known.genresOfB)
        genres = Array(known.genresOfA.filter(other.contains).prefix(Self.most))
        let tags = Set(b.work.subjectTags).subtracting(other)
        topics = Array(
            a.work.subjectTags.filter { tags.contains($0) && !known.genresOfA.contains($0) }.prefix(Self.most)
        )
        if let first = a.work.firstPublicationYear, let second = b.work.firstPublicationYear,
            (first - second).magnitude <= Self.yearsOfEra
        {
            era = first == second ? "\(first)" : "\(min(first, second))–\(max(first, second))"
        }
        if authors.isEmpty, let own = a.authors.first?.culturalRegion, own == b.authors.first?.culturalRegion
        {
            region = own.contractName
        }
    }

    /// One line for people: `Fantasy, Dragons; same author`. Empty if nothing is known.
    package var sentence: String {
        var parts: [String] = []
        if !authors.isEmpty { parts.append("same author") }
        if !genres.isEmpty || !topics.isEmpty { parts.append((genres + topics).joined(separator: ", ")) }
        if let era { parts.append(era) }
        if let region { parts.append("authors from \(region)") }
        return parts.joined(separator: "; ")
    }
}
