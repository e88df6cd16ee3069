/// Puts the records of dumps down to wait. Of several with one key the later revision stands, whatever the order
/// in which they come.
final class CatalogStaging {
    private let insertEdition: Statement
    private let insertEditionRecord: Statement
    private let insertWork: Statement
    private let insertAuthor: Statement
    private let insertMoved: Statement
    private let insertPerson: Statement

    init(_ connection: Connection) throws(SQLiteError) {
        insertEdition = try connection.prepare("INSERT INTO stage.edition VALUES (?,?,?,?,?)")
        insertEditionRecord = try connection.prepare(
            """
            INSERT INTO stage.edition_record VALUES (?,?,?,?,?,?) ON CONFLICT(id) DO UPDATE
            SET revision = excluded.revision, work = excluded.work, authors = excluded.authors,
                first = excluded.first, second = excluded.second
            WHERE (excluded.revision, excluded.work, ifnull(excluded.first, 0))
                > (revision, work, ifnull(first, 0))
            """)
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
        // Items of Wikidata bear no revision in every dump: those of this build go before the old catalog's.
        insertPerson = try connection.prepare(
            """
            INSERT INTO stage.person VALUES (?,1,?) ON CONFLICT(item) DO UPDATE
            SET generation = 1, body = excluded.body
            WHERE (1, excluded.body) > (generation, body)
            """)
    }

    func store(_ records: borrowing DumpRecords) throws(SQLiteError) {
        for edition in records.editions { try store(edition, of: records) }
        for work in records.works {
            insertWork.bind(1, work.number)
            insertWork.bind(2, work.revision)
            try run(insertWork, records.arena, (3, work.authors), (4, work.body))
        }
        for author in records.authors {
            insertAuthor.bind(1, author.number)
            insertAuthor.bind(2, author.revision)
            try run(insertAuthor, records.arena, (3, author.body))
        }
        for move in records.moves {
            insertMoved.bind(1, Int64(move.kind.rawValue))
            insertMoved.bind(2, move.number)
            insertMoved.bind(3, move.revision)
            insertMoved.bind(4, move.target)
            try insertMoved.run()
        }
        for person in records.people {
            insertPerson.bind(1, person.item)
            try run(insertPerson, records.arena, (2, person.body))
        }
    }

    private func store(
        _ edition: DumpRecords.Edition, of records: borrowing DumpRecords
    ) throws(SQLiteError) {
        insertEditionRecord.bind(1, edition.number)
        insertEditionRecord.bind(2, edition.revision)
        insertEditionRecord.bind(3, edition.work)
        insertEditionRecord.bind(5, edition.title.map { Int64(bitPattern: $0.first) })
        insertEditionRecord.bind(6, edition.title.map { Int64(bitPattern: $0.second) })
        try run(insertEditionRecord, records.arena, (4, edition.authors))
        for isbn in records.isbns[edition.isbns] {
            insertEdition.bind(1, isbn.value)
            insertEdition.bind(2, edition.number)
            insertEdition.bind(3, edition.revision)
            try run(insertEdition, records.arena, (4, edition.body), (5, edition.standIn))
        }
    }

    /// Binds texts of an arena where they lie and runs the statement.
    @inline(__always)
    private func run(
        _ statement: Statement, _ arena: borrowing Arena, _ first: (index: Int32, text: Text),
        _ second: (index: Int32, text: Text)? = nil
    ) throws(SQLiteError) {
        let result = arena.withAllBytes { bytes in
            Result { () throws(SQLiteError) in
                statement.bind(
                    first.index, blobInPlace: UnsafeRawBufferPointer(rebasing: bytes[first.text.range]))
                if let second {
                    statement.bind(
                        second.index, blobInPlace: UnsafeRawBufferPointer(rebasing: bytes[second.text.range]))
                }
                try statement.run()
            }
        }
        try result.get()
    }
}
