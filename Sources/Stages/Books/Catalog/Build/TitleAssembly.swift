import Database

/// Collects the keys by which works are found by title and author.
///
/// The titles of a work are its own title, with and without subtitle, and the titles of its editions
/// (translations have others). Each is combined with the name of each of its first authors.
struct TitleAssembly {
    /// Maximum authors of a work, alternate names of each, and titles of editions that get keys.
    static let authorLimit = 3
    static let otherNameLimit = 8
    static let titleLimit = 64

    private let sorter: KeySorter
    private var work: Int64 = 0
    private var titles: [FoldedHash] = []
    private var ranks: [TitleEntry.Rank] = []
    private var names: [FoldedHash] = []
    private var authors = 0

    /// - Parameter keysInMemory: Keys of all works sorted in memory; more are kept on disk.
    init(_ connection: Connection, keysInMemory: Int) {
        sorter = KeySorter(connection, name: "title", maxWaiting: keysInMemory)
    }

    /// Starts a work, with its own titles.
    mutating func begin(work: Int64, body: [UInt8]) {
        self.work = work
        titles.removeAll(keepingCapacity: true)
        ranks.removeAll(keepingCapacity: true)
        names.removeAll(keepingCapacity: true)
        authors = 0
        body.withUnsafeBytes { bytes in
            var title: Range<Int>?
            var subtitle: Range<Int>?
            _ = PackedRecord.forEachValue(bytes) { field, _, range in
                if field == .title { title = range }
                if field == .subtitle { subtitle = range }
            }
            guard let title else { return }
            let short = UnsafeRawBufferPointer(rebasing: bytes[title])
            guard let subtitle else { return add(FoldedHash.title(short), .whole) }
            add(FoldedHash.title(short, UnsafeRawBufferPointer(rebasing: bytes[subtitle])), .whole)
            add(FoldedHash.title(short), .short)
        }
    }

    /// Adds the whole title of one of its editions.
    mutating func add(edition title: FoldedHash) { add(title, .edition) }

    /// Adds the names of one of its authors, from the author's record.
    mutating func add(author body: UnsafeRawBufferPointer) {
        authors += 1
        guard authors <= Self.authorLimit else { return }
        PackedRecord.forEachName(ofAuthor: body, others: Self.otherNameLimit) { name in
            guard let name = FoldedHash.name(name), !names.contains(name) else { return }
            names.append(name)
        }
    }

    /// Adds the work's keys to the sorter.
    func end() throws(SQLiteError) {
        guard work <= TitleEntry.highestWork else { return }
        for (title, rank) in zip(titles, ranks) {
            for name in names {
                let key = TitleKey(title: title, author: name)
                try sorter.add(key.key, TitleEntry(work: work, check: key.check, rank: rank).packed)
            }
        }
    }

    /// Writes the keys of all works.
    ///
    /// - Parameter countRow: Called for each key; its errors end the writing.
    /// - Returns: The number of keys written.
    func write(
        to connection: Connection, _ countRow: () throws(SQLiteError) -> Void
    ) throws(SQLiteError) -> Int {
        // One more than the limit, which shows that there are too many works to choose from.
        var writer = try KeyBlockWriter(
            connection, table: "main.title", valuesOfKey: CatalogTitles.workLimit + 1)
        var last: (key: Int64, work: Int64)?
        try sorter.finish { item throws(SQLiteError) in
            try countRow()
            // Several forms of a title can give the same key and work. The best one sorts first and is kept.
            let work = TitleEntry.work(ofPacked: item.value)
            if let last, last == (item.key, work) { return }
            last = (item.key, work)
            try writer.append(item)
        }
        try writer.finish()
        return writer.count
    }

    private mutating func add(_ title: FoldedHash?, _ rank: TitleEntry.Rank) {
        guard let title, titles.count < Self.titleLimit, !titles.contains(title) else { return }
        titles.append(title)
        ranks.append(rank)
    }
}

extension PackedRecord {
    /// Calls `use` with the names in an author's record: the main name and up to `limit` alternate names.
    static func forEachName(
        ofAuthor record: UnsafeRawBufferPointer, others limit: Int, _ use: (UnsafeRawBufferPointer) -> Void
    ) {
        var others = 0
        _ = forEachValue(record) { field, _, range in
            guard field == .authorName || field == .authorAlternateName && others < limit else { return }
            if field == .authorAlternateName { others += 1 }
            use(UnsafeRawBufferPointer(rebasing: record[range]))
        }
    }
}
