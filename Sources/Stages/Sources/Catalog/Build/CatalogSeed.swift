import Books
import Database
import System

/// Stages the records of an existing catalog as if they had been read from a dump again. An update starts
/// this way: newer revisions replace records, the rest stay.
///
/// Values that the catalog does not store are missing: an edition whose work is in the catalog has no
/// subjects, because the work has its own.
struct CatalogSeed {
    private let old: Connection
    private let staged: Connection
    private var body = PackedRecordWriter()
    private var standIn = PackedRecordWriter()

    /// - Parameters:
    ///   - old: The existing catalog, opened for reading.
    ///   - staged: The staged catalog.
    init(from old: Connection, to staged: Connection) {
        self.old = old
        self.staged = staged
    }

    mutating func run() throws(ETLError) {
        try copy("id, revision, work, authors, first, second", of: "edition_record", by: "id")
        try copy("id, revision, body", of: "author", by: "id")
        try copy("kind, id, revision, target", of: "moved", by: "kind, id")
        try copy("item, 0, body", of: "person", by: "item")
        try seedWorks()
        try seedEditions()
    }

    private func copy(_ columns: String, of table: String, by key: String) throws(ETLError) {
        let count = Int32(columns.split(separator: ",").count)
        let rows = try old.prepare("SELECT \(columns) FROM \(table) ORDER BY \(key)")
        let marks = repeatElement("?", count: Int(count)).joined(separator: ",")
        let insert = try staged.prepare("INSERT INTO stage.\(table) VALUES (\(marks))")
        while try rows.next() {
            for column in 0..<count { insert.bind(column + 1, column: column, of: rows) }
            try insert.run()
        }
    }

    private mutating func seedWorks() throws(ETLError) {
        let works = try old.prepare("SELECT id, revision, authors, body FROM work ORDER BY id")
        let insert = try staged.prepare("INSERT INTO stage.work VALUES (?,?,?,?)")
        while try works.next() {
            insert.bind(values: works.integer(0), works.integer(1), works.bytes(2))
            body.reset()
            works.withBytes(3) { body.append(record: $0) { !$0.isOfAuthor } }
            insert.bind(4, blob: body.bytes)
            try insert.run()
        }
    }

    /// Stages the editions in the catalog and those that lost their ISBN to another one.
    private mutating func seedEditions() throws(ETLError) {
        let editions = try old.prepare(
            "SELECT isbn, body FROM edition UNION ALL SELECT isbn, body FROM contested")
        let revision = try old.prepare("SELECT revision FROM edition_record WHERE id = ?")
        let insert = try staged.prepare("INSERT INTO stage.edition VALUES (?,?,?,?,?)")
        while try editions.next() {
            guard let number = editions.withBytes(1, { take($0) }) else { continue }
            guard try revision.first(number) else { continue }
            insert.bind(values: editions.integer(0), number, revision.integer(0), body.bytes, standIn.bytes)
            revision.reset()
            try insert.run()
        }
    }

    /// Splits an edition's record into its own values and those that stand in for its work.
    ///
    /// - Returns: The edition's number.
    private mutating func take(_ record: UnsafeRawBufferPointer) -> Int64? {
        var number: Int64?
        body.reset()
        standIn.reset()
        var title: Range<Int>?
        var subtitle: Range<Int>?
        var subjects: [Range<Int>] = []
        _ = PackedRecord.forEachValue(record) { field, _, range in
            let value = UnsafeRawBufferPointer(rebasing: record[range])
            switch field {
            case .editionKey: number = OpenLibraryKey(value)?.number
            case .editionTitle: title = range
            case .editionSubtitle: subtitle = range
            case .subject: subjects.append(range)
            default: break
            }
            // A field of works that dumps have in editions.
            if field.isOfEdition || field == .originalLanguage { body.append(field, value) }
        }
        func append(_ field: Field, _ range: Range<Int>?) {
            guard let range else { return }
            standIn.append(field, UnsafeRawBufferPointer(rebasing: record[range]))
        }
        append(.title, title)
        append(.subtitle, subtitle)
        for subject in subjects { append(.subject, subject) }
        return number
    }
}
