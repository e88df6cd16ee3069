import Books
import Database
import System

/// Collects the keys by which works are found by title and author.
///
/// The titles of a work are its own title, with and without subtitle and in pieces (``TitleSegments``), and the
/// titles of its editions (translations have others). Each is combined with the name of each of its first
/// authors. The title's first piece also has keys for typing errors (``MistypedTitle``).
struct TitleAssembly {
    /// Maximum titles of editions that get keys.
    static let titleLimit = 64

    private let sorter: KeySorter
    private let mistyped: KeySorter
    private var work: Int64 = 0
    private var titles: [FoldedHash] = []
    private var ranks: [TitleEntry.Rank] = []
    private var names: [FoldedHash] = []
    private var families: [[UInt8]] = []
    private var authors = 0
    /// The form of the title's first piece.
    private var first: [UInt8] = []

    /// - Parameter keysInMemory: Keys of all works sorted in memory; more are kept on disk.
    init(_ connection: Connection, keysInMemory: Int) {
        sorter = KeySorter(connection, name: "title", maxWaiting: keysInMemory)
        mistyped = KeySorter(connection, name: "mistyped_title", maxWaiting: keysInMemory)
    }

    /// Starts a work, with its own titles.
    mutating func begin(work: Int64, body: [UInt8]) {
        self.work = work
        titles.removeAll(keepingCapacity: true)
        ranks.removeAll(keepingCapacity: true)
        names.removeAll(keepingCapacity: true)
        families.removeAll(keepingCapacity: true)
        first.removeAll(keepingCapacity: true)
        authors = 0
        body.withUnsafeBytes { bytes in
            var title: Range<Int>?
            var subtitle: Range<Int>?
            _ = PackedRecord.forEachValue(bytes) { field, _, range in
                if field == .title { title = range }
                if field == .subtitle { subtitle = range }
            }
            guard let title else { return }
            add(
                title: UnsafeRawBufferPointer(rebasing: bytes[title]),
                subtitle: subtitle.map { UnsafeRawBufferPointer(rebasing: bytes[$0]) })
        }
    }

    private mutating func add(title: UnsafeRawBufferPointer, subtitle: UnsafeRawBufferPointer?) {
        if let subtitle {
            add(FoldedHash.title(title, subtitle), .whole)
            add(FoldedHash.title(title), .short)
        } else {
            add(FoldedHash.title(title), .whole)
        }
        guard title.count <= ParsedTitle.byteLimit else { return }
        var bare = Array(title)
        TitleSegments.takeOutBrackets(of: &bare)
        let pieces = TitleSegments.pieces(of: bare)
        bare.withUnsafeBytes { bare in
            func part(_ range: Range<Int>) -> UnsafeRawBufferPointer {
                UnsafeRawBufferPointer(rebasing: bare[range])
            }
            let head = part(pieces.first?.range ?? bare.indices)
            FoldedHash.withForm(head) { first.append(contentsOf: $0) }
            if bare.count < title.count { add(FoldedHash.title(bare), .short) }
            guard pieces.count > 1, let last = pieces.last else { return }
            add(FoldedHash.title(head), .short)
            if last.separator != .slash { add(FoldedHash.title(part(last.range)), .tail) }
        }
    }

    /// Adds the whole title of one of its editions.
    mutating func add(edition title: FoldedHash) { add(title, .edition) }

    /// Adds the names of one of its authors, from the author's record.
    mutating func add(author body: UnsafeRawBufferPointer) {
        authors += 1
        guard authors <= CatalogTitles.authorLimit else { return }
        var isMain = true
        PackedRecord.forEachName(ofAuthor: body, others: CatalogTitles.otherNameLimit) { name in
            let folded = PersonKey.fold(name)
            guard !folded.isEmpty else { return }
            if isMain, let family = folded.split(separator: 0x20).last, !families.contains(Array(family)) {
                families.append(Array(family))
            }
            isMain = false
            let hash = FoldedHash(folded: folded)
            if !names.contains(hash) { names.append(hash) }
        }
    }

    /// Adds the work's keys to the sorter.
    mutating func end() throws(ETLError) {
        guard work <= TitleEntry.highestWork else { return }
        // A book without authors has a key, too: a row without an author must not match another one with its title.
        if names.isEmpty { names.append(.nobody) }
        for (title, rank) in zip(titles, ranks) {
            for name in names {
                let key = TitleKey(title: title, author: name)
                try sorter.add(key.key, TitleEntry(work: work, check: key.check, rank: rank).packed)
            }
        }
        for family in families {
            var keys: [Int64] = []
            first.withUnsafeBytes { form in
                family.withUnsafeBytes { family in
                    MistypedTitle.forEachKey(ofIndexed: form, by: family) { keys.append($0) }
                }
            }
            for key in keys { try mistyped.add(key, work) }
        }
    }

    /// Writes the keys of all works.
    ///
    /// - Parameter countRow: Called for each key; its errors end the writing.
    /// - Returns: The number of keys written.
    func write(
        to connection: Connection, _ countRow: () throws(ETLError) -> Void
    ) throws(ETLError) -> Int {
        // One more than the limit, which shows that there are too many works to choose from.
        var writer = try KeyBlockWriter(
            connection, table: "main.title", valuesOfKey: CatalogTitles.workLimit + 1)
        var last: (key: Int64, work: Int64)?
        try sorter.finish { item throws(ETLError) in
            try countRow()
            // Several forms of a title can give the same key and work. The best one sorts first and is kept.
            let work = TitleEntry.work(ofPacked: item.value)
            if let last, last == (item.key, work) { return }
            last = (item.key, work)
            try writer.append(item)
        }
        try writer.finish()
        var errors = try KeyBlockWriter(
            connection, table: "main.mistyped_title", valuesOfKey: CatalogTitles.workLimit + 1)
        try mistyped.finish { item throws(ETLError) in
            try countRow()
            try errors.append(item)
        }
        try errors.finish()
        return writer.count
    }

    private mutating func add(_ title: FoldedHash?, _ rank: TitleEntry.Rank) {
        guard let title, titles.count < Self.titleLimit, !titles.contains(title) else { return }
        titles.append(title)
        ranks.append(rank)
    }
}
