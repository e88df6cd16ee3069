/// Writes readers' entries: what only the reader has, never overwritten by a provider.
struct EntryWriter {
    let tables: LibraryTables
    let library: Int64

    /// A stored entry, as far as it decides what a record is.
    struct Stored {
        var edition: Int64
        var contribution: Int64
        var community: Int64
    }

    func read(_ id: Int64) throws(SQLiteError) -> Stored? {
        let read = tables.readEntry
        read.bind(1, id)
        defer { read.reset() }
        guard try read.step() else { return nil }
        return Stored(edition: read.integer(0), contribution: read.integer(1), community: read.integer(2))
    }

    func insert(
        _ entry: EntryDraft, of results: Results, at place: KeyIndex.Place, edition: Int64, layout: Int64
    ) throws(SQLiteError) {
        // The id was given out before the edition was written, for lineage names it.
        let id = tables.indexes.lastEntry
        tables.indexes.entries.insertRecent(entry.key, row: id, at: place)
        let insert = tables.insertEntry
        try results.arena.withAllBytes { (all) -> Result<Void, SQLiteError> in
            insert.bind(1, id)
            insert.bind(2, library)
            insert.bind(3, textInPlace: all.bytes(of: entry.sourceID))
            insert.bind(4, edition)
            insert.bind(5, layout)
            Self.bindReadersColumns(insert, from: 6, entry, all)
            insert.bind(15, textInPlace: all.bytes(of: entry.cells))
            insert.bind(16, entry.contribution)
            insert.bind(17, entry.community)
            return Result { () throws(SQLiteError) in try insert.run() }
        }.get()
    }

    func update(
        _ id: Int64, _ entry: EntryDraft, of results: Results, edition: Int64, layout: Int64
    ) throws(SQLiteError) {
        let update = tables.updateEntry
        try results.arena.withAllBytes { (all) -> Result<Void, SQLiteError> in
            update.bind(1, id)
            update.bind(2, edition)
            update.bind(3, layout)
            Self.bindReadersColumns(update, from: 4, entry, all)
            update.bind(13, textInPlace: all.bytes(of: entry.cells))
            update.bind(14, entry.contribution)
            update.bind(15, entry.community)
            return Result { () throws(SQLiteError) in try update.run() }
        }.get()
    }

    /// Fills what is empty in an entry from an older export (contract.md section 5a).
    ///
    /// - Returns: Whether there was anything to fill.
    func fill(_ id: Int64, _ entry: EntryDraft, of results: Results) throws(SQLiteError) -> Bool {
        let fill = tables.fillEntry
        try results.arena.withAllBytes { (all) -> Result<Void, SQLiteError> in
            fill.bind(1, id)
            Self.bindReadersColumns(fill, from: 2, entry, all)
            return Result { () throws(SQLiteError) in try fill.run() }
        }.get()
        return tables.connection.changes > 0
    }

    /// Stores changed community columns, which make no record updated.
    func updateCommunity(_ id: Int64, _ entry: EntryDraft, of results: Results) throws(SQLiteError) {
        let update = tables.updateEntryCommunity
        try results.arena.withAllBytes { (all) -> Result<Void, SQLiteError> in
            update.bind(1, id)
            update.bind(2, textInPlace: all.bytes(of: entry.cells))
            update.bind(3, entry.community)
            return Result { () throws(SQLiteError) in try update.run() }
        }.get()
    }

    /// Binds rating, shelf, shelves, dates, counts, review and notes, in the order of the table.
    private static func bindReadersColumns(
        _ statement: Statement, from first: Int32, _ entry: EntryDraft, _ all: UnsafeRawBufferPointer
    ) {
        statement.bind(first, entry.rating)
        let texts = (
            entry.shelf, entry.shelves, entry.dateRead, entry.dateAdded, entry.readCount, entry.ownedCopies,
            entry.review, entry.notes
        )
        statement.bind(first + 1, textInPlace: all.bytes(of: texts.0))
        statement.bind(first + 2, textInPlace: all.bytes(of: texts.1))
        statement.bind(first + 3, textInPlace: all.bytes(of: texts.2))
        statement.bind(first + 4, textInPlace: all.bytes(of: texts.3))
        statement.bind(first + 5, textInPlace: all.bytes(of: texts.4))
        statement.bind(first + 6, textInPlace: all.bytes(of: texts.5))
        statement.bind(first + 7, textInPlace: all.bytes(of: texts.6))
        statement.bind(first + 8, textInPlace: all.bytes(of: texts.7))
    }
}
