import Books
import Bytes
import Database
import System

/// Stages the records of dumps. Of several records with one key, the latest revision wins, in whatever order
/// they are read.
final class CatalogStaging {
    private let editions: Appender<StagedRows.Edition>
    private let editionRecords: Appender<StagedRows.EditionRecord>
    private let works: Appender<StagedRows.Work>
    private let authors: Appender<StagedRows.Author>
    private let insertMoved: Statement
    private let insertPerson: Statement

    init(_ connection: Connection) throws(ETLError) {
        editions = try Appender(
            connection, table: "stage.edition",
            columns: ["isbn", "edition", "revision", "body", "stand_in"])
        editionRecords = try Appender(
            connection, table: "stage.edition_record",
            columns: ["id", "revision", "work", "authors", "first", "second"],
            conflict: """
                ON CONFLICT(id) DO UPDATE
                SET revision = excluded.revision, work = excluded.work, authors = excluded.authors,
                    first = excluded.first, second = excluded.second
                WHERE (excluded.revision, excluded.work, ifnull(excluded.first, 0))
                    > (revision, work, ifnull(first, 0))
                """)
        works = try Appender(
            connection, table: "stage.work", columns: ["id", "revision", "authors", "body"],
            conflict: """
                ON CONFLICT(id) DO UPDATE
                SET revision = excluded.revision, authors = excluded.authors, body = excluded.body
                WHERE (excluded.revision, excluded.body) > (revision, body)
                """)
        authors = try Appender(
            connection, table: "stage.author", columns: ["id", "revision", "body"],
            conflict: """
                ON CONFLICT(id) DO UPDATE
                SET revision = excluded.revision, body = excluded.body
                WHERE (excluded.revision, excluded.body) > (revision, body)
                """)
        insertMoved = try connection.prepare(
            """
            INSERT INTO stage.moved VALUES (?,?,?,?) ON CONFLICT(kind, id) DO UPDATE
            SET revision = excluded.revision, target = excluded.target
            WHERE (excluded.revision, excluded.target) > (revision, target)
            """)
        // Not every dump gives revisions of Wikidata items. Those read in this build win over the old
        // catalog's.
        insertPerson = try connection.prepare(
            """
            INSERT INTO stage.person VALUES (?,1,?) ON CONFLICT(item) DO UPDATE
            SET generation = 1, body = excluded.body
            WHERE (1, excluded.body) > (generation, body)
            """)
    }

    func store(_ records: borrowing DumpRecords) throws(ETLError) {
        let result = records.arena.withAllBytes { bytes in
            Result { () throws(ETLError) in try store(records, bytes) }
        }
        try result.get()
    }

    /// - Parameter bytes: The bytes of the records' arena.
    private func store(
        _ records: borrowing DumpRecords, _ bytes: UnsafeRawBufferPointer
    ) throws(ETLError) {
        for edition in records.editions {
            editionRecords.append(StagedRows.EditionRecord(edition: edition))
            for isbn in records.isbns[edition.isbns] {
                editions.append(StagedRows.Edition(id: isbn.value, edition: edition))
            }
            if edition.isbns.isEmpty, !edition.body.isEmpty {
                editions.append(
                    StagedRows.Edition(id: CatalogSchema.key(ofEdition: edition.number), edition: edition))
            }
        }
        for work in records.works { works.append(StagedRows.Work(work: work)) }
        for author in records.authors { authors.append(StagedRows.Author(author: author)) }
        try editionRecords.flush(from: bytes)
        try editions.flush(from: bytes)
        try works.flush(from: bytes)
        try authors.flush(from: bytes)
        for move in records.moves {
            insertMoved.bind(1, Int64(move.kind.rawValue))
            insertMoved.bind(2, move.number)
            insertMoved.bind(3, move.revision)
            insertMoved.bind(4, move.target)
            try insertMoved.run()
        }
        for person in records.people {
            insertPerson.bind(1, person.item)
            insertPerson.bind(2, blobInPlace: UnsafeRawBufferPointer(rebasing: bytes[person.body.range]))
            try insertPerson.run()
        }
    }
}

/// Dump records as rows of the staging tables. Their texts are in the arena of their batch.
enum StagedRows {
    /// One row per ISBN of an edition, or one row without.
    struct Edition: AppendedRow {
        var id: Int64
        var edition: DumpRecords.Edition

        func put<Row: RowValues & ~Copyable>(into row: inout Row, from source: UnsafeRawBufferPointer) {
            row.add(edition.number)
            row.add(edition.revision)
            row.add(edition.body, in: source)
            row.add(edition.standIn, in: source)
        }
    }

    /// An edition, with the revision that counts.
    struct EditionRecord: AppendedRow {
        var edition: DumpRecords.Edition

        var id: Int64 { edition.number }

        func put<Row: RowValues & ~Copyable>(into row: inout Row, from source: UnsafeRawBufferPointer) {
            row.add(edition.revision)
            row.add(edition.work)
            row.add(edition.authors, in: source)
            row.add(edition.title.map { Int64(bitPattern: $0.first) })
            row.add(edition.title.map { Int64(bitPattern: $0.second) })
        }
    }

    /// A work.
    struct Work: AppendedRow {
        var work: DumpRecords.Work

        var id: Int64 { work.number }

        func put<Row: RowValues & ~Copyable>(into row: inout Row, from source: UnsafeRawBufferPointer) {
            row.add(work.revision)
            row.add(work.authors, in: source)
            row.add(work.body, in: source)
        }
    }

    /// An author.
    struct Author: AppendedRow {
        var author: DumpRecords.Author

        var id: Int64 { author.number }

        func put<Row: RowValues & ~Copyable>(into row: inout Row, from source: UnsafeRawBufferPointer) {
            row.add(author.revision)
            row.add(author.body, in: source)
        }
    }
}

extension RowValues where Self: ~Copyable {
    /// Adds a blob from a buffer that stays in place until the row is written; an empty text is NULL.
    mutating func add(_ text: Text, in buffer: UnsafeRawBufferPointer) {
        add(blob: UnsafeRawBufferPointer(rebasing: buffer[text.range]))
    }
}
