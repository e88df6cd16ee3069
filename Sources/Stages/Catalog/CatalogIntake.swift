/// Takes the lines of dumps and puts their records down to wait, as they come.
///
/// Of several lines with one key the later revision stands, whatever the order of files.
final class CatalogIntake {
    /// Whose dump a record is of; raw values are stored.
    enum Origin: String, Hashable {
        case openLibrary = "openlibrary"
        case wikidata
    }

    /// What became of a line.
    enum Verdict: Hashable {
        case record(Origin)
        /// Nothing to take: a blank line, a bracket, a type of no use.
        case nothing
        case malformed(DumpLineError)
        /// The record's JSON stops in the middle.
        case cutOff
    }

    private(set) var report = CatalogBuildReport()

    private let insertEdition: Statement
    private let insertTitle: Statement
    private let insertWork: Statement
    private let insertAuthor: Statement
    private let insertMoved: Statement
    private let people: PeopleIntake
    private var edition = EditionDump()
    private var work: WorkDump
    private var author: AuthorDump
    private var target: OpenLibraryKey?
    private var numbers: [UInt8] = []

    /// - Parameter latestYear: The last year that is taken for one in free text.
    init(_ connection: Connection, latestYear: Int32) throws(SQLiteError) {
        insertEdition = try connection.prepare("INSERT INTO stage.edition VALUES (?,?,?,?,?,?,?)")
        insertTitle = try connection.prepare("INSERT INTO stage.edition_title VALUES (?,?,?,?)")
        insertWork = try connection.prepare(
            """
            INSERT INTO stage.work VALUES (?,?,?,?) ON CONFLICT(id) DO UPDATE
            SET revision = excluded.revision, authors = excluded.authors, body = excluded.body
            WHERE (excluded.revision, excluded.body) > (revision, body)
            """)
        insertAuthor = try connection.prepare(
            """
            INSERT INTO stage.author VALUES (?,?,?) ON CONFLICT(id) DO UPDATE
            SET revision = excluded.revision, body = excluded.body
            WHERE (excluded.revision, excluded.body) > (revision, body)
            """)
        insertMoved = try connection.prepare(
            """
            INSERT INTO stage.moved VALUES (?,?,?,?) ON CONFLICT(kind, id) DO UPDATE
            SET revision = excluded.revision, target = excluded.target
            WHERE (excluded.revision, excluded.target) > (revision, target)
            """)
        people = try PeopleIntake(connection)
        work = WorkDump(latestYear: latestYear)
        author = AuthorDump(latestYear: latestYear)
    }

    /// Takes one line.
    func take(_ line: UnsafeRawBufferPointer) throws(SQLiteError) -> Verdict {
        let record: DumpRecord
        do throws(DumpLineError) {
            record = try DumpRecord(line)
        } catch {
            return .malformed(error)
        }
        if record.kind == .nothing { return .nothing }
        if let damage = read(record) { return damage.kind == .truncated ? .cutOff : .malformed(.badJSON) }
        switch record.kind {
        case .edition: try storeEdition(record)
        case .work: try storeWork(record)
        case .author: try storeAuthor(record)
        case .redirect, .delete: try storeMove(record)
        case .wikidata: try people.store(into: &report)
        case .other, .nothing: report.otherRecords += 1
        }
        return .record(record.kind == .wikidata ? .wikidata : .openLibrary)
    }

    /// Notes a line that was passed over.
    func note(_ reason: DumpLineError, file: String, line: Int, head: UnsafeRawBufferPointer) {
        report.note(reason, file: file, line: line, head: head)
    }

    /// What was read, when all of it was.
    func finish() -> CatalogBuildReport {
        var report = report
        report.cutValues = edition.text.cuts + work.text.cuts + author.text.cuts
        return report
    }

    /// Reads a record's JSON; nil where it is whole.
    private func read(_ record: DumpRecord) -> JSONReadError? {
        do throws(JSONReadError) {
            switch (record.kind, record.key) {
            case (.edition, let key?): try edition.read(record.json, key: key)
            case (.work, let key?): try work.read(record.json, key: key)
            case (.author, let key?): try author.read(record.json, key: key)
            case (.redirect, _): target = try Self.redirectTarget(record.json)
            case (.wikidata, _): try people.read(record.json)
            default: break
            }
            return nil
        } catch {
            return error
        }
    }

    private func storeEdition(_ record: DumpRecord) throws(SQLiteError) {
        guard let key = record.key else { return }
        report.editionRecords += 1
        report.wrongISBNs += edition.wrongISBNs
        if edition.isbns.isEmpty { report.editionsWithoutISBN += 1 }
        insertTitle.bind(1, edition.work)
        insertTitle.bind(2, key.number)
        insertTitle.bind(3, edition.title.map { Int64(bitPattern: $0.first) })
        insertTitle.bind(4, edition.title.map { Int64(bitPattern: $0.second) })
        if edition.work != 0 { try insertTitle.run() } else { insertTitle.reset() }
        NumberList.pack(edition.authors, into: &numbers)
        for isbn in edition.isbns {
            insertEdition.bind(1, isbn.value)
            insertEdition.bind(2, key.number)
            insertEdition.bind(3, record.revision)
            insertEdition.bind(4, edition.work)
            try bind(insertEdition, 5, numbers, 6, edition.body.bytes, 7, edition.standIn.bytes)
        }
    }

    private func storeWork(_ record: DumpRecord) throws(SQLiteError) {
        guard let key = record.key else { return }
        report.workRecords += 1
        NumberList.pack(work.authors, into: &numbers)
        insertWork.bind(1, key.number)
        insertWork.bind(2, record.revision)
        try bind(insertWork, 3, numbers, 4, work.body.bytes)
    }

    private func storeAuthor(_ record: DumpRecord) throws(SQLiteError) {
        guard let key = record.key else { return }
        report.authorRecords += 1
        insertAuthor.bind(1, key.number)
        insertAuthor.bind(2, record.revision)
        try bind(insertAuthor, 3, author.body.bytes)
    }

    /// Notes that a key leads to another one, or nowhere any more.
    private func storeMove(_ record: DumpRecord) throws(SQLiteError) {
        guard let key = record.key else { return }
        if record.kind == .redirect { report.redirects += 1 } else { report.deletes += 1 }
        let leadsOn = record.kind == .redirect && target?.kind == key.kind
        insertMoved.bind(1, Int64(key.kind.rawValue))
        insertMoved.bind(2, key.number)
        insertMoved.bind(3, record.revision)
        insertMoved.bind(4, leadsOn ? target?.number ?? 0 : 0)
        try insertMoved.run()
    }

    /// The `location` of a redirect.
    private static func redirectTarget(_ json: UnsafeRawBufferPointer) throws(JSONReadError)
        -> OpenLibraryKey?
    {
        var target: OpenLibraryKey?
        var reader = JSONReader(json)
        try reader.forEachKey { name, reader throws(JSONReadError) in
            if name == "location" { target = try reader.stringIfAny()?.openLibraryKey }
        }
        try reader.finish()
        return target
    }

    /// Binds blobs where they lie and runs the statement.
    private func bind(
        _ statement: Statement, _ a: Int32, _ first: [UInt8], _ b: Int32 = 0, _ second: [UInt8] = [],
        _ c: Int32 = 0, _ third: [UInt8] = []
    ) throws(SQLiteError) {
        try first.lend { first throws(SQLiteError) in
            try second.lend { second throws(SQLiteError) in
                try third.lend { third throws(SQLiteError) in
                    statement.bind(a, blobInPlace: first)
                    if b > 0 { statement.bind(b, blobInPlace: second) }
                    if c > 0 { statement.bind(c, blobInPlace: third) }
                    try statement.run()
                }
            }
        }
    }
}
