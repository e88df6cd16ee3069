/// Picks the editions of a work that are called otherwise than the work: of its other titles those that most editions
/// bear, and no more than are kept.
struct AlternateTitles {
    private var editions: [(edition: Int64, title: FoldedHash)] = []

    /// Begins a work.
    mutating func begin() { editions.removeAll(keepingCapacity: true) }

    mutating func add(_ edition: Int64, _ title: FoldedHash) { editions.append((edition, title)) }

    /// Leaves the editions that are called as the work is, and those of titles that too few bear.
    ///
    /// - Parameter body: The work's record.
    mutating func editions(besides body: UnsafeRawBufferPointer) -> [Int64] {
        guard !editions.isEmpty, let own = Self.own(body) else { return [] }
        editions.removeAll { own.short == $0.title || own.whole == $0.title }
        guard !editions.isEmpty else { return [] }
        var titles: [FoldedHash: (count: Int, first: Int64)] = [:]
        for (edition, title) in editions { titles[title, default: (0, edition)].count += 1 }
        guard titles.count > EditionTitles.limit else { return editions.map(\.edition) }
        let most = titles.sorted { ($1.value.count, $0.value.first) < ($0.value.count, $1.value.first) }
        let chosen = Set(most.prefix(EditionTitles.limit).map(\.key))
        return editions.filter { chosen.contains($0.title) }.map(\.edition)
    }

    /// The work's title without its subtitle and with it; nil where it has none.
    private static func own(_ body: UnsafeRawBufferPointer) -> (short: FoldedHash, whole: FoldedHash?)? {
        var title: Range<Int>?
        var subtitle: Range<Int>?
        _ = PackedRecord.forEachValue(body) { field, _, range in
            if field == .title { title = range }
            if field == .subtitle { subtitle = range }
        }
        guard let title else { return nil }
        let bytes = UnsafeRawBufferPointer(rebasing: body[title])
        guard let short = FoldedHash.title(bytes) else { return nil }
        let whole = subtitle.flatMap { FoldedHash.title(bytes, UnsafeRawBufferPointer(rebasing: body[$0])) }
        return (short, whole)
    }
}
