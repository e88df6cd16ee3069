import Books
import Bytes
import Database
import System

/// Writes one edition for each ISBN, and those without one that have other identifiers. If several have the same
/// ISBN, the one with more values wins, then the one with the lower key.
struct EditionAssembly {
    private let connection: Connection
    private var stop: CancellationCheck
    private let authors: AuthorLookup
    private let rows: Appender<EditionRow>
    private let insertContested: Statement
    private let editionsOfWorks: KeySorter
    private let identifiers: KeySorter
    private var record = PackedRecordWriter()
    /// Bytes of the rows not yet written.
    private var arena = Arena()

    init(_ connection: Connection, _ stop: CancellationCheck, keysInMemory: Int) throws(ETLError) {
        self.connection = connection
        self.stop = stop
        // Few editions name authors that their works do not name.
        authors = try AuthorLookup(connection, records: "stage", maxKept: (1 << 12, 1 << 20))
        rows = try Appender(connection, table: "main.edition", columns: ["isbn", "work", "body"])
        editionsOfWorks = KeySorter(connection, name: "edition_of_work", maxWaiting: keysInMemory)
        identifiers = KeySorter(connection, name: "identifier", maxWaiting: keysInMemory)
        insertContested = try connection.prepare("INSERT INTO main.contested VALUES (?,?,?)")
    }

    consuming func write(noting report: inout CatalogBuildReport) throws(ETLError) {
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
        while try rows.next() {
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
        try write(editionsOfWorks, to: "main.work_edition", valuesOfKey: CatalogBooks.editionLimit)
        try write(identifiers, to: "main.identifier", valuesOfKey: CatalogBooks.identifierLimit + 1)
    }

    private mutating func write(
        _ edition: WaitingEdition, _ report: inout CatalogBuildReport
    ) throws(ETLError) {
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
        var found: [Int64] = []
        record.bytes.withUnsafeBytes { bytes in
            _ = PackedRecord.forEachValue(bytes) { field, _, range in
                guard let kind = BookIdentifier(field),
                    let key = kind.key(UnsafeRawBufferPointer(rebasing: bytes[range]))
                else { return }
                found.append(key)
            }
        }
        for key in found { try identifiers.add(key, edition.isbn) }
        guard edition.isWorkKept, edition.isbn > 0 else { return }
        let sketch = record.bytes.withUnsafeBytes { EditionSketch(isbn: edition.isbn, record: $0) }
        try editionsOfWorks.add(edition.work, sketch.packed)
    }

    /// Writes sorted keys to a table.
    private mutating func write(
        _ sorter: KeySorter, to table: String, valuesOfKey: Int
    ) throws(ETLError) {
        var writer = try KeyBlockWriter(connection, table: table, valuesOfKey: valuesOfKey)
        try sorter.finish { item throws(ETLError) in
            try stop.countRow()
            try writer.append(item)
        }
        try writer.finish()
    }

    /// Keeps an edition that lost an ISBN; it may win after the next update.
    private func writeContested(_ edition: WaitingEdition) throws(ETLError) {
        try insertContested.run(edition.isbn, edition.number, edition.body)
    }
}

/// An edition as the catalog stores it. The id is the ISBN, or ``CatalogSchema/key(ofEdition:)``.
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
