import Bytes
import Database

/// Writes one edition for each ISBN. If several have the same ISBN, the one with more values wins, then the
/// one with the lower key.
struct EditionAssembly {
    private let connection: Connection
    private var stop: CancellationCheck
    private let authors: AuthorLookup
    private let rows: Appender<EditionRow>
    private let insertContested: Statement
    private let isbnsOfWorks: KeySorter
    private var record = PackedRecordWriter()
    /// Bytes of the rows not yet written.
    private var arena = Arena()

    init(_ connection: Connection, _ stop: CancellationCheck, keysInMemory: Int) throws(SQLiteError) {
        self.connection = connection
        self.stop = stop
        // Few editions name authors that their works do not name.
        authors = try AuthorLookup(connection, records: "stage", maxKept: (1 << 12, 1 << 20))
        rows = try Appender(connection, table: "main.edition", columns: ["isbn", "work", "body"])
        isbnsOfWorks = KeySorter(connection, name: "isbn_of_work", maxWaiting: keysInMemory)
        insertContested = try connection.prepare("INSERT INTO main.contested VALUES (?,?,?)")
    }

    consuming func write(noting report: inout CatalogBuildReport) throws(SQLiteError) {
        try connection.execute("INSERT INTO main.edition_record SELECT * FROM stage.edition_record")
        // Rows are joined in reading order, which is close to key order, and sorted afterwards.
        let rows = try connection.prepare(
            """
            SELECT e.isbn, e.edition, coalesce(f.target, r.work), k.has_authors,
                CASE WHEN k.has_authors IS NOT 1 THEN r.authors END, e.body,
                CASE WHEN k.id IS NULL THEN e.stand_in END
            FROM stage.edition e
            CROSS JOIN stage.edition_record r ON r.id = e.edition AND r.revision = e.revision
            LEFT JOIN stage.forward f ON f.kind = 2 AND f.id = r.work
            LEFT JOIN stage.kept_work k ON k.id = coalesce(f.target, r.work)
            ORDER BY e.isbn, e.edition, e.body
            """)
        var best: WaitingEdition?
        var last: Int64 = 0
        while try rows.step() {
            try stop.countRow()
            let isbn = rows.integer(0)
            let edition = rows.integer(1)
            if let chosen = best, chosen.isbn != isbn {
                try write(chosen, &report)
                best = nil
            } else if best != nil, edition == last {
                // The same revision of the same edition, from another file.
                continue
            }
            last = edition
            guard let chosen = best else {
                best = WaitingEdition(rows)
                continue
            }
            report.contestedISBNs += 1
            let rival = WaitingEdition(rows)
            let isBetter = rival.completeness > chosen.completeness
            try writeContested(isBetter ? chosen : rival)
            if isBetter { best = rival }
        }
        if let best { try write(best, &report) }
        try self.rows.flush(from: &arena)
        try writeISBNsOfWorks()
    }

    private mutating func write(
        _ edition: WaitingEdition, _ report: inout CatalogBuildReport
    ) throws(SQLiteError) {
        record.reset()
        edition.body.withUnsafeBytes { record.append(record: $0) }
        if !edition.isWorkKept {
            report.editionsWithoutWork += 1
            if edition.work != 0 {
                record.append(.workKey) { OpenLibraryKey(.work, edition.work).append(to: &$0) }
            }
            edition.standIn.withUnsafeBytes { record.append(record: $0) }
        }
        if !edition.hasWorkAuthors { _ = try authors.append(edition.authors, to: &record) }
        rows.append(
            EditionRow(
                id: edition.isbn, work: edition.isWorkKept ? edition.work : 0,
                body: arena.append(record.bytes)))
        if rows.isFull { try rows.flush(from: &arena) }
        guard edition.isWorkKept else { return }
        try isbnsOfWorks.add(edition.work, edition.isbn)
    }

    /// Writes the lowest ISBN of each work.
    private mutating func writeISBNsOfWorks() throws(SQLiteError) {
        let rows = try Appender<NumberRow>(
            connection, table: "main.work_isbn", columns: ["work", "isbn"])
        var last: Int64?
        try isbnsOfWorks.finish { item throws(SQLiteError) in
            try stop.countRow()
            guard item.key != last else { return }
            last = item.key
            try rows.write(NumberRow(id: item.key, value: item.value))
        }
        try rows.flush(from: ())
    }

    /// Keeps an edition that lost an ISBN; it may win after the next update.
    private func writeContested(_ edition: WaitingEdition) throws(SQLiteError) {
        insertContested.bind(1, edition.isbn)
        insertContested.bind(2, edition.number)
        insertContested.bind(3, blob: edition.body)
        try insertContested.run()
    }
}

/// An edition as the catalog stores it. The id is the ISBN.
private struct EditionRow: AppendedRow {
    var id: Int64
    var work: Int64
    var body: Text

    func put<Row: RowValues & ~Copyable>(into row: inout Row, from source: UnsafeRawBufferPointer) {
        row.add(work)
        row.add(body, in: source)
    }
}

/// A staged edition.
private struct WaitingEdition {
    var isbn: Int64
    var number: Int64
    /// Number of its work after redirects; 0 if it has none.
    var work: Int64
    var isWorkKept: Bool
    var hasWorkAuthors: Bool
    var authors: [Int64]
    var body: [UInt8]
    var standIn: [UInt8]

    init(_ row: Statement) {
        isbn = row.integer(0)
        number = row.integer(1)
        work = row.integer(2)
        isWorkKept = !row.isNull(3)
        hasWorkAuthors = row.integer(3) == 1
        authors = row.withBytes(4) { NumberList.unpack($0) }
        body = row.bytes(5)
        standIn = row.bytes(6)
    }

    /// Number of values in its record.
    var completeness: Int {
        var count = 0
        _ = body.withUnsafeBytes { PackedRecord.forEachValue($0) { _, _, _ in count += 1 } }
        return count
    }
}
