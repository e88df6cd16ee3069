import Bytes
import Database

/// Writes the catalog's full-text index of the records that wait: works of more editions in lower places.
struct SearchAssembly {
    /// Authors a work is searched by, and other names of each.
    static let authorLimit = 4
    static let otherNameLimit = 4

    private let records: Connection
    private let index: Connection
    private var stop: CancellationCheck
    private let keysInMemory: Int
    private let authors: AuthorLookup
    private let titles: EditionTitleAssembly

    /// - Parameters:
    ///   - records: A connection to the file in which records wait.
    ///   - index: A connection to a database with the tables of ``FullTextSchema``, in a transaction.
    init(
        _ records: Connection, index: Connection, _ stop: CancellationCheck, keysInMemory: Int
    ) throws(SQLiteError) {
        self.records = records
        self.index = index
        self.stop = stop
        self.keysInMemory = keysInMemory
        authors = try AuthorLookup(records, records: "main")
        titles = EditionTitleAssembly(records, index: index, keysInMemory: keysInMemory)
    }

    consuming func write() throws(SQLiteError) {
        let ranks = try rank()
        try titles.write { () throws(SQLiteError) in try stop.countRow() }
        let others = try index.prepare("SELECT titles FROM edition_title WHERE work = ?")
        var works = try AscendingWorkLookup(records)
        let writer = try FullTextWriter(index, keysInMemory: keysInMemory)
        var place: Int64 = 0
        try ranks.finish { rank throws(SQLiteError) in
            try stop.countRow()
            // One without a title is found by its ISBN only.
            guard let work = try works.find(rank.value), var text = try text(of: work) else { return }
            if !titles.hasNone(rank.value) {
                others.bind(1, rank.value)
                if try others.step() {
                    text.otherTitles = others.withBytes(0) { EditionTitles.forms($0, besides: text) }.map(
                        \.text)
                }
                others.reset()
            }
            place += 1
            try writer.append(place: place, document: rank.value, editions: -rank.key, text)
        }
        works.end()
        try writer.finish { () throws(SQLiteError) in try stop.countRow() }
    }

    /// All works by how many editions they have, those of most first, negated.
    private mutating func rank() throws(SQLiteError) -> KeySorter {
        let ranks = KeySorter(index, name: "rank", mostWaiting: keysInMemory)
        let works = try records.prepare("SELECT id, body FROM work ORDER BY id")
        var others = AlternateTitles()
        var editions = try EditionsByWork(records, records: "main")
        while try works.step() {
            try stop.countRow()
            let work = works.integer(0)
            others.begin()
            try ranks.add(-Int64(editions.visit(work) { others.add($0, $1) }), work)
            try titles.want(works.withBytes(1) { others.editions(besides: $0) }, of: work)
        }
        editions.end()
        return ranks
    }

    /// What a work is searched by: its titles and its authors' names, folded; nil for one without a title.
    private func text(of work: Statement) throws(SQLiteError) -> SearchText? {
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
