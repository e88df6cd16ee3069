import Database

/// Collects the keys under which a work is found by title and author.
///
/// A work is found by its own title, whole and without its subtitle, and by the titles of its editions (a
/// translation carries another one), each with the name of each of its first authors.
struct TitleAssembly {
    /// Authors a work is found by, their other names, and titles of editions.
    static let authorLimit = 3
    static let otherNameLimit = 8
    static let titleLimit = 64

    private let sorter: KeySorter
    private var work: Int64 = 0
    private var titles: [FoldedHash] = []
    private var ranks: [TitleEntry.Rank] = []
    private var names: [FoldedHash] = []
    private var authors = 0

    /// - Parameter keysInMemory: Of all works; more wait on disk.
    init(_ connection: Connection, keysInMemory: Int) {
        sorter = KeySorter(connection, name: "title", maxWaiting: keysInMemory)
    }

    /// Begins a work, with its own titles.
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

    /// Puts down the work's keys.
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
    /// - Parameter countRow: Called for each key; what it throws ends the writing.
    /// - Returns: How many were written.
    func write(
        to connection: Connection, _ countRow: () throws(SQLiteError) -> Void
    ) throws(SQLiteError) -> Int {
        // One more than are told apart shows that there are too many.
        var writer = try KeyBlockWriter(
            connection, table: "main.title", valuesOfKey: CatalogTitles.workLimit + 1)
        var last: (key: Int64, work: Int64)?
        try sorter.finish { item throws(SQLiteError) in
            try countRow()
            // Of the several forms in which a key finds a work the best one stands, which comes first.
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
    /// Hands out the names in an author's record: its own, and so many of the others.
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
