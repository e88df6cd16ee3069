/// The titles of the books that are offered for a row, as far as they say how to read one of them: which names are
/// those of series, which parts of the row's title are titles, and of which titles there are volumes.
struct OfferedTitles {
    private let wanted: ParsedTitle
    /// First parts with which several books of the author begin, to go on differently.
    private var seriesNames: Set<String> = []
    /// First parts behind which a book of the author has what can be the title of a volume, other than the row's.
    private var beginnings: Set<String> = []
    /// The same with adaptations and volumes, whose names also begin with that of a series.
    private var starts: Set<String> = []
    /// First parts of titles of which there is a volume, or several books in one.
    private var withVolumes: Set<String> = []
    /// The books that have the first part of the row's title as their title, or the last one.
    private var (named, namedBehind): ([Int], [Int]) = ([], [])

    /// - Parameters:
    ///   - titles: The titles of all books.
    ///   - wanted: The row's title.
    ///   - isOfAuthor: Whether the row's author can be the book's.
    init(_ titles: [ParsedTitle], wanted: ParsedTitle, where isOfAuthor: (Int) -> Bool) {
        self.wanted = wanted
        let own = wanted.significant
        let ownTail = own.dropFirst().map(\.key).joined()
        var rest: [String: String] = [:]
        for (index, title) in titles.enumerated() where isOfAuthor(index) {
            let parts = title.significant
            guard let first = parts.first else { continue }
            if title.volume != nil || title.kinds.contains(.collection) { withVolumes.insert(first.key) }
            // `Maus II: …` is a volume of `Maus`.
            if let ownFirst = own.first, first.words.count == ownFirst.words.count + 1,
                first.words.starts(with: ownFirst.words),
                TitleWords.number(first.words[ownFirst.words.count]) != nil
            {
                withVolumes.insert(ownFirst.key)
            }
            if own.count > 1, title.kinds.isEmpty, title.volume == nil, parts[1...].allSatisfy(\.isSubtitle) {
                if first.key == own.first?.key { named.append(index) }
                if first.key == own.last?.key { namedBehind.append(index) }
            }
            if parts.count > 1, first.key == own.first?.key, parts.dropFirst().map(\.key).joined() != ownTail
            {
                starts.insert(first.key)
            }
            guard parts.count > 1, title.kinds.isEmpty, title.volume == nil else { continue }
            let tail = parts[1...].map(\.key).joined()
            if let known = rest[first.key], known != tail { seriesNames.insert(first.key) }
            rest[first.key] = tail
            if tail != ownTail, !parts[1...].allSatisfy({ $0.isDescriptive || $0.isLong }) {
                beginnings.insert(first.key)
            }
        }
    }

    /// Adds what is known about a book.
    ///
    /// - Parameter isOfYear: Whether the book with an index was first published in the row's year.
    func add(
        _ title: ParsedTitle, of index: Int, to context: inout TitleAgreement.Context,
        isOfYear: (Int) -> Bool
    ) {
        let first = title.significant.first?.key ?? ""
        let ownFirst = wanted.significant.first?.key ?? ""
        let goesOn = wanted.significant.count > 1 && beginnings.contains(first)
        context.isSeriesName = seriesNames.contains(first) || goesOn && title.significant.count == 1
        context.startsWithSeries = seriesNames.contains(ownFirst) || starts.contains(ownFirst)
        context.mayHaveVolumes = withVolumes.contains(first) || seriesNames.contains(first)
        // `The Two Towers: The Lord of the Rings`: both can be titles. Only the year tells which one is the book.
        let rivals = named.contains(index) ? namedBehind : namedBehind.contains(index) ? named : []
        guard rivals.contains(where: { $0 != index }) else { return }
        context.hasRival = true
        context.hasRivalOfYear = rivals.contains { $0 != index && isOfYear($0) }
    }
}
