/// Collects the keys under which a work is found by title and author.
///
/// A work is found by its own title, whole and without its subtitle, and by the titles of its editions (a
/// translation carries another one), each with the name of each of its first authors.
struct TitleStaging {
    /// How well a key describes its work: the lower wins. Stored in the low two bits of `mark`.
    enum Rank: Int64 {
        /// The work's whole title.
        case whole = 0
        /// An edition's whole title.
        case edition
        /// The work's title without its subtitle.
        case short
    }

    /// Authors a work is found by, their other names, and titles of editions.
    static let authorLimit = 3
    static let otherNameLimit = 8
    static let titleLimit = 64

    private let insert: Statement
    private var work: Int64 = 0
    private var titles: [FoldedHash] = []
    private var ranks: [Rank] = []
    private var names: [FoldedHash] = []
    private var authors = 0

    init(_ connection: Connection) throws(SQLiteError) {
        insert = try connection.prepare("INSERT INTO stage.title VALUES (?,?,?)")
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
    mutating func write() throws(SQLiteError) {
        for (title, rank) in zip(titles, ranks) {
            for name in names {
                let key = TitleKey(title: title, author: name)
                insert.bind(1, key.key)
                insert.bind(2, work)
                insert.bind(3, key.check << 2 | rank.rawValue)
                try insert.run()
            }
        }
    }

    private mutating func add(_ title: FoldedHash?, _ rank: Rank) {
        guard let title, titles.count < Self.titleLimit, !titles.contains(title) else { return }
        titles.append(title)
        ranks.append(rank)
    }
}
