import Books
import Bytes
import Database
import System

/// Collects the titles of editions that differ from their works' titles, for the full-text index.
///
/// A staged edition does not contain its work's title, and editions are staged in reading order. So the works
/// first request the editions they need. Their titles are then read in a single pass over all staged editions
/// and sorted by work. If none are requested, nothing is read.
final class EditionTitleAssembly {
    private let records: Connection
    private let index: Connection
    /// The requested editions, with their works.
    private let wanted: KeySorter
    /// Filters for the requested editions and their works.
    private let editions = BloomFilter(bytes: 4 << 20)
    private let works = BloomFilter(bytes: 4 << 20)
    private var isEmpty = true

    /// - Parameters:
    ///   - records: A connection to the staging file.
    ///   - index: A connection to the index's database, in a transaction.
    init(_ records: Connection, index: Connection, keysInMemory: Int) {
        self.records = records
        self.index = index
        wanted = KeySorter(index, name: "other_title", maxWaiting: keysInMemory)
    }

    /// Requests the titles of some editions of a work.
    func want(_ editions: [Int64], of work: Int64) throws(ETLError) {
        guard !editions.isEmpty else { return }
        isEmpty = false
        works.insert(UInt64(bitPattern: work))
        for edition in editions {
            self.editions.insert(UInt64(bitPattern: edition))
            try wanted.add(edition, work)
        }
    }

    /// Whether no titles of the work's editions were requested.
    func hasNone(_ work: Int64) -> Bool { works.isAbsent(UInt64(bitPattern: work)) }

    /// Writes the titles of all works that requested some.
    ///
    /// - Parameter countRow: Called for each row; its errors end the writing.
    func write(_ countRow: () throws(ETLError) -> Void) throws(ETLError) {
        guard !isEmpty else { return }
        try index.execute(
            """
            CREATE TEMP TABLE wanted_edition(edition INTEGER PRIMARY KEY, work INTEGER);
            CREATE TEMP TABLE found_title(
                work INTEGER, edition INTEGER, isbn INTEGER, title BLOB, subtitle BLOB);
            """)
        let rows = try Appender<NumberRow>(index, table: "temp.wanted_edition", columns: ["edition", "work"])
        try wanted.finish { item throws(ETLError) in
            try rows.write(NumberRow(id: item.key, value: item.value))
        }
        try rows.flush(from: ())
        try find(countRow)
        try index.execute("DROP TABLE temp.wanted_edition")
        try sort(countRow)
        try index.execute("DROP TABLE temp.found_title")
    }

    /// Reads the titles of the current revisions of the requested editions.
    private func find(_ countRow: () throws(ETLError) -> Void) throws(ETLError) {
        let waiting = try records.prepare("SELECT edition, revision, isbn, body FROM edition")
        let currentRevision = try records.prepare("SELECT revision FROM edition_record WHERE id = ?")
        let work = try index.prepare("SELECT work FROM temp.wanted_edition WHERE edition = ?")
        let insert = try index.prepare("INSERT INTO temp.found_title VALUES (?,?,?,?,?)")
        var title: [UInt8] = []
        var subtitle: [UInt8] = []
        while try waiting.next() {
            try countRow()
            let edition = waiting.integer(0)
            // Without an ISBN, a search could not show the edition that has the title.
            if waiting.integer(2) < 0 { continue }
            if editions.isAbsent(UInt64(bitPattern: edition)) { continue }
            work.bind(1, edition)
            currentRevision.bind(1, edition)
            defer {
                work.reset()
                currentRevision.reset()
            }
            guard try work.next(), try currentRevision.next(),
                currentRevision.integer(0) == waiting.integer(1)
            else {
                continue
            }
            title.removeAll(keepingCapacity: true)
            subtitle.removeAll(keepingCapacity: true)
            waiting.withBytes(3) { bytes in
                _ = PackedRecord.forEachValue(bytes) { field, _, range in
                    let value = UnsafeRawBufferPointer(rebasing: bytes[range])
                    if field == .editionTitle { Folding.fold(value, into: &title) }
                    if field == .editionSubtitle { Folding.fold(value, into: &subtitle) }
                }
            }
            insert.bind(1, work.integer(0))
            insert.bind(2, edition)
            insert.bind(3, waiting.integer(2))
            insert.bind(4, blob: title)
            insert.bind(5, blob: subtitle)
            try insert.run()
        }
    }

    /// Writes the collected titles, one work at a time.
    private func sort(_ countRow: () throws(ETLError) -> Void) throws(ETLError) {
        let rows = try index.prepare(
            """
            SELECT work, isbn, title, subtitle FROM temp.found_title
            ORDER BY work, edition, isbn, title, subtitle
            """)
        let insert = try index.prepare("INSERT INTO main.edition_title VALUES (?,?)")
        var titles = EditionTitles()
        var work: Int64?
        func write() throws(ETLError) {
            guard let work, !titles.bytes.isEmpty else { return }
            insert.bind(1, work)
            insert.bind(2, blob: titles.bytes)
            try insert.run()
        }
        while try rows.next() {
            try countRow()
            if work != rows.integer(0) {
                try write()
                titles.removeAll()
                work = rows.integer(0)
            }
            titles.append(isbn: rows.integer(1), title: rows.bytes(2), subtitle: rows.bytes(3))
        }
        try write()
    }
}
