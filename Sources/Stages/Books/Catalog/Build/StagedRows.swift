import Database

/// Records of dumps as rows of the tables in which they wait; their texts lie in the arena of their batch.
enum StagedRows {
    /// A row for each ISBN of an edition.
    struct Edition: AppendedRow {
        var isbn: ISBN
        var edition: DumpRecords.Edition

        var id: Int64 { isbn.value }

        func put<Row: RowValues & ~Copyable>(into row: inout Row, from source: UnsafeRawBufferPointer) {
            row.add(edition.number)
            row.add(edition.revision)
            row.add(edition.body, in: source)
            row.add(edition.standIn, in: source)
        }
    }

    /// An edition, which says what revision of it stands.
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
