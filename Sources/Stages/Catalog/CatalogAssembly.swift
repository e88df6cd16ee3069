/// Makes the catalog of the records that wait: each table in the order of its keys, so that every page is
/// written once, and sorts by SQLite's own sorter, which goes to disk.
final class CatalogAssembly {
    private let connection: Connection
    private var report: CatalogBuildReport
    private let forwarded: Statement
    private let authorBody: Statement
    private var record = PackedRecordWriter()

    init(_ connection: Connection, _ report: CatalogBuildReport) throws(SQLiteError) {
        self.connection = connection
        self.report = report
        forwarded = try connection.prepare("SELECT target FROM stage.forward WHERE kind = ? AND id = ?")
        authorBody = try connection.prepare("SELECT body FROM main.author WHERE id = ?")
    }

    /// Does all of it.
    ///
    /// - Parameter begin: Told of each phase as it begins.
    func run(_ begin: (CatalogBuildProgress.Phase) -> Void) throws(SQLiteError) -> CatalogBuildReport {
        begin(.authors)
        report.deadRedirects = try Redirects(connection).resolve()
        try connection.execute(
            "INSERT INTO main.author SELECT id, body FROM stage.author ORDER BY id")
        begin(.works)
        try writeWorks()
        begin(.titles)
        try writeTitles()
        begin(.editions)
        try writeEditions()
        begin(.people)
        try connection.execute(
            """
            INSERT INTO main.person SELECT item, body FROM stage.person ORDER BY item;
            INSERT OR IGNORE INTO main.person_author
                SELECT author, item FROM stage.person_author ORDER BY 1, 2;
            INSERT OR IGNORE INTO main.person_name
                SELECT key, item, mark FROM stage.person_name ORDER BY 1, 2, 3;
            """)
        report.isbns = try count("edition")
        report.works = try count("work")
        report.authors = try count("author")
        report.titles = try count("title")
        report.people = try count("person")
        return report
    }

    private func count(_ table: String) throws(SQLiteError) -> Int {
        Int(try connection.integer("SELECT count(*) FROM main.\(table)") ?? 0)
    }

    // MARK: Works

    private func writeWorks() throws(SQLiteError) {
        let works = try connection.prepare("SELECT id, authors, body FROM stage.work ORDER BY id")
        let insert = try connection.prepare("INSERT INTO main.work VALUES (?,?,?)")
        let keep = try connection.prepare("INSERT INTO stage.kept_work VALUES (?,?)")
        var editions = try EditionsOfWorks(connection)
        var titles = try TitleStaging(connection)
        while try works.step() {
            let id = works.integer(0)
            let authors = works.withBytes(1) { NumberList.unpack($0) }
            record.reset()
            works.withBytes(2) { record.append(record: $0) }
            titles.begin(work: id, body: record.bytes)
            let count = try editions.visit(id) { title in titles.add(edition: title) }
            let found = try appendAuthors(authors) { titles.add(author: $0) }
            insert.bind(1, id)
            insert.bind(2, count)
            try record.bytes.lend { bytes throws(SQLiteError) in
                insert.bind(3, blobInPlace: bytes)
                try insert.run()
            }
            keep.bind(1, id)
            keep.bind(2, found > 0 ? 1 : 0)
            try keep.run()
            try titles.write()
        }
    }

    /// Appends the authors that the catalog knows, numbered from 0; redirects are followed, repeats left out.
    private func appendAuthors(
        _ numbers: [Int64], _ visit: (UnsafeRawBufferPointer) -> Void = { _ in }
    ) throws(SQLiteError) -> Int {
        var seen: [Int64] = []
        var found = 0
        for number in numbers {
            let number = try target(of: .author, number)
            guard number != 0, !seen.contains(number) else { continue }
            seen.append(number)
            authorBody.bind(1, number)
            guard try authorBody.step() else { continue }
            authorBody.withBytes(0) { body in
                record.append(record: body, author: UInt8(truncatingIfNeeded: found)) {
                    $0 != .authorAlternateName
                }
                visit(body)
            }
            authorBody.reset()
            found += 1
        }
        return found
    }

    /// Where a key leads: itself where it never moved, 0 where it leads nowhere.
    private func target(of kind: OpenLibraryKey.Kind, _ number: Int64) throws(SQLiteError) -> Int64 {
        forwarded.bind(1, Int64(kind.rawValue))
        forwarded.bind(2, number)
        guard try forwarded.step() else { return number }
        defer { forwarded.reset() }
        return forwarded.integer(0)
    }

    private func writeTitles() throws(SQLiteError) {
        // Of the several forms in which a key finds a work the best one stands: it has the lowest mark.
        try connection.execute(
            """
            INSERT OR IGNORE INTO main.title
                SELECT key, work, mark FROM stage.title ORDER BY key, work, mark
            """
        )
    }

    // MARK: Editions

    /// Writes one edition for each ISBN: of those that claim it the one with more values, then the lower key.
    private func writeEditions() throws(SQLiteError) {
        let rows = try connection.prepare(
            """
            SELECT e.isbn, e.edition, coalesce(f.target, e.work), k.has_authors,
                e.authors, e.body, e.stand_in
            FROM stage.edition e
            LEFT JOIN stage.moved g ON g.kind = 1 AND g.id = e.edition AND g.revision >= e.revision
            LEFT JOIN stage.forward f ON f.kind = 2 AND f.id = e.work
            LEFT JOIN stage.kept_work k ON k.id = coalesce(f.target, e.work)
            WHERE g.id IS NULL
            ORDER BY e.isbn, e.edition, e.revision DESC, e.body
            """)
        let insert = try connection.prepare("INSERT INTO main.edition VALUES (?,?,?)")
        var best: WaitingEdition?
        var isbn: Int64 = 0
        var last: Int64 = 0
        while try rows.step() {
            let edition = rows.integer(1)
            if let chosen = best, rows.integer(0) != isbn {
                try write(chosen, isbn, insert)
                best = nil
            } else if best != nil, edition == last {
                // An older revision of the same edition.
                continue
            }
            isbn = rows.integer(0)
            last = edition
            if let chosen = best {
                report.contestedISBNs += 1
                if rows.withBytes(5, WaitingEdition.completeness) <= chosen.completeness { continue }
            }
            best = WaitingEdition(rows)
        }
        if let best { try write(best, isbn, insert) }
    }

    private func write(_ edition: WaitingEdition, _ isbn: Int64, _ insert: Statement) throws(SQLiteError) {
        record.reset()
        edition.body.withUnsafeBytes { record.append(record: $0) }
        if !edition.isWorkKept {
            report.editionsWithoutWork += 1
            if edition.work != 0 { record.append(.workKey, OpenLibraryKey(.work, edition.work).name) }
            edition.standIn.withUnsafeBytes { record.append(record: $0) }
        }
        if !edition.hasWorkAuthors { _ = try appendAuthors(edition.authors) }
        insert.bind(1, isbn)
        insert.bind(2, edition.isWorkKept ? edition.work : 0)
        try record.bytes.lend { bytes throws(SQLiteError) in
            insert.bind(3, blobInPlace: bytes)
            try insert.run()
        }
    }
}

/// An edition as it waits for its place, the best so far of those that claim an ISBN.
private struct WaitingEdition {
    /// Number of its work, redirects followed; 0 where it has none.
    var work: Int64
    var isWorkKept: Bool
    var hasWorkAuthors: Bool
    var authors: [Int64]
    var body: [UInt8]
    var standIn: [UInt8]

    init(_ row: Statement) {
        work = row.integer(2)
        isWorkKept = !row.isNull(3)
        hasWorkAuthors = row.integer(3) == 1
        authors = row.withBytes(4) { NumberList.unpack($0) }
        body = row.bytes(5)
        standIn = row.bytes(6)
    }

    var completeness: Int { body.withUnsafeBytes { Self.completeness($0) } }

    /// Values in a record.
    static func completeness(_ body: UnsafeRawBufferPointer) -> Int {
        var count = 0
        _ = PackedRecord.forEachValue(body) { _, _, _ in count += 1 }
        return count
    }
}
