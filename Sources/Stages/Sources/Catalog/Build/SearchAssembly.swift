import Books
import Bytes
import Database
import System

/// Writes a catalog's full-text index from the staged records. Works with more editions have lower places.
struct SearchAssembly {
    /// Maximum authors a work can be found by, and alternate names of each.
    static let authorLimit = 4
    static let otherNameLimit = 4

    private let records: Connection
    private let index: Connection
    private var stop: CancellationCheck
    private let keysInMemory: Int
    private let authors: AuthorLookup
    private let titles: EditionTitleAssembly

    /// - Parameters:
    ///   - records: A connection to the staging file.
    ///   - index: A connection to a database with the tables of ``FullTextSchema``, in a transaction.
    init(
        _ records: Connection, index: Connection, _ stop: CancellationCheck, keysInMemory: Int
    ) throws(ETLError) {
        self.records = records
        self.index = index
        self.stop = stop
        self.keysInMemory = keysInMemory
        authors = try AuthorLookup(records, records: "main")
        titles = EditionTitleAssembly(records, index: index, keysInMemory: keysInMemory)
    }

    consuming func write() throws(ETLError) {
        let ranks = try rank()
        try titles.write { () throws(ETLError) in try stop.countRow() }
        let others = try index.prepare("SELECT titles FROM edition_title WHERE work = ?")
        var works = try AscendingWorkLookup(records)
        let writer = try FullTextWriter(index, keysInMemory: keysInMemory)
        var place: Int64 = 0
        try ranks.finish { rank throws(ETLError) in
            try stop.countRow()
            // A work without a title is only found by its ISBN.
            guard let work = try works.find(rank.value), var text = try text(of: work) else { return }
            if !titles.hasNone(rank.value) {
                if try others.first(rank.value) {
                    text.otherTitles = others.withBytes(0) { EditionTitles.forms($0, besides: text) }.map(
                        \.text)
                }
                others.reset()
            }
            place += 1
            try writer.append(place: place, document: rank.value, editions: -rank.key, text)
        }
        works.end()
        try writer.finish { () throws(ETLError) in try stop.countRow() }
    }

    /// All works sorted by their negated number of editions: most editions first.
    private mutating func rank() throws(ETLError) -> KeySorter {
        let ranks = KeySorter(index, name: "rank", maxWaiting: keysInMemory)
        let works = try records.prepare("SELECT id, body FROM work ORDER BY id")
        var others = AlternateTitles()
        var editions = try EditionsByWork(records, records: "main")
        while try works.next() {
            try stop.countRow()
            let work = works.integer(0)
            others.begin()
            try ranks.add(-Int64(editions.visit(work) { others.add($0, $1) }), work)
            try titles.want(works.withBytes(1) { others.editions(besides: $0) }, of: work)
        }
        editions.end()
        return ranks
    }

    /// The searchable text of a work: its titles and its authors' names, folded. Nil if it has no title.
    private func text(of work: Statement) throws(ETLError) -> SearchText? {
        var title: [UInt8] = []
        var subtitle: [UInt8] = []
        work.withBytes(2) { bytes in
            _ = PackedRecord.forEachValue(bytes) { field, _, range in
                let value = UnsafeRawBufferPointer(rebasing: bytes[range])
                if field == .title { Folding.fold(value, into: &title) }
                if field == .subtitle { Folding.fold(value, into: &subtitle) }
            }
        }
        guard !title.isEmpty else { return nil }
        var names: [UInt8] = []
        try authors.visit(work.withBytes(1) { NumberList.unpack($0) }) { number, author in
            guard number < Self.authorLimit else { return }
            PackedRecord.forEachName(ofAuthor: author, others: Self.otherNameLimit) { name in
                if !names.isEmpty, names.last != 0x20 { names.append(0x20) }
                Folding.fold(name, into: &names)
            }
        }
        return SearchText(
            title: String(decoding: title, as: UTF8.self),
            subtitle: String(decoding: subtitle, as: UTF8.self),
            author: String(decoding: names, as: UTF8.self))
    }
}

/// Chooses the editions of a work whose titles are indexed: those that differ from the work's title, and of
/// these titles the most frequent ones, up to ``EditionTitles/limit``.
struct AlternateTitles {
    private var editions: [(edition: Int64, title: FoldedHash)] = []

    /// Starts a work.
    mutating func begin() { editions.removeAll(keepingCapacity: true) }

    mutating func add(_ edition: Int64, _ title: FoldedHash) { editions.append((edition, title)) }

    /// The editions with the chosen titles.
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

    /// The work's title without and with its subtitle; nil if it has none.
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

/// Looks up staged works whose numbers mostly ascend in small steps. It steps over a few rows before it
/// searches, because a search takes as long as five steps.
struct AscendingWorkLookup {
    private static let maxSteps = 4

    /// Number, authors and record of a work and of those after it.
    private let rows: Statement
    /// Number of the work in the statement's current row; nil at the end.
    private var work: Int64?

    /// - Parameter records: A connection to the staging file.
    init(_ records: Connection) throws(ETLError) {
        rows = try records.prepare("SELECT id, authors, body FROM work WHERE id >= ? ORDER BY id")
    }

    /// - Returns: The row of the work, valid until the next call; nil if there is none.
    mutating func find(_ id: Int64) throws(ETLError) -> Statement? {
        var steps = 0
        while let current = work, current < id, steps < Self.maxSteps {
            work = try rows.next() ? rows.integer(0) : nil
            steps += 1
        }
        if work != id {
            rows.reset()
            rows.bind(1, id)
            work = try rows.next() ? rows.integer(0) : nil
        }
        return work == id ? rows : nil
    }

    /// Ends the statement.
    mutating func end() {
        rows.reset()
        work = nil
    }
}
