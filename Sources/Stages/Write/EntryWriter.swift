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

    func read(_ id: Int64, _ batch: LentResults) throws(SQLiteError) -> Stored? {
        try tables.new.settle(entry: id, batch)
        let read = tables.readEntry
        read.bind(1, id)
        defer { read.reset() }
        guard try read.step() else { return nil }
        return Stored(edition: read.integer(0), contribution: read.integer(1), community: read.integer(2))
    }

    /// Appends a new entry, under the id that was given out before its edition was written, for lineage names it.
    func insert(
        _ number: Int, of batch: LentResults, at place: KeyIndex.Place, edition: Int64, layout: Int64
    ) {
        let id = tables.indexes.lastEntry
        tables.indexes.entries.insertRecent(batch.drafts[number].entry.key, row: id, at: place)
        tables.new.append(
            NewEntry(id: id, number: number, library: library, edition: edition, layout: layout))
    }

    func update(
        _ id: Int64, _ entry: EntryDraft, of batch: LentResults, edition: Int64, layout: Int64
    ) throws(SQLiteError) {
        let update = tables.updateEntry
        update.bind(1, id)
        update.bind(2, edition)
        update.bind(3, layout)
        entry.bind(to: update, from: 4, of: batch)
        update.bind(13, blobInPlace: batch.bytes(of: entry.cells))
        update.bind(14, entry.contribution)
        update.bind(15, entry.community)
        try update.run()
    }

    /// Fills what is empty in an entry from an older export (contract.md section 5a).
    ///
    /// - Returns: Whether there was anything to fill.
    func fill(_ id: Int64, _ entry: EntryDraft, of batch: LentResults) throws(SQLiteError) -> Bool {
        let fill = tables.fillEntry
        fill.bind(1, id)
        entry.bind(to: fill, from: 2, of: batch)
        try fill.run()
        return tables.connection.changes > 0
    }

    /// Stores changed community columns, which make no record updated.
    func updateCommunity(_ id: Int64, _ entry: EntryDraft, of batch: LentResults) throws(SQLiteError) {
        let update = tables.updateEntryCommunity
        update.bind(1, id)
        update.bind(2, blobInPlace: batch.bytes(of: entry.cells))
        update.bind(3, entry.community)
        try update.run()
    }
}

/// An entry's row on its way into its table.
struct NewEntry: AppendedRow {
    static let columns =
        ["id", "library", "source_id", "edition", "layout"] + EntryDraft.readersColumns
        + ["cells", "contribution", "community"]

    let id: Int64
    /// Index of the record's draft.
    let number: Int
    let library: Int64
    let edition: Int64
    let layout: Int64

    func bind(to statement: Statement, from first: Int32, of batch: LentResults) {
        let entry = batch.drafts[number].entry
        statement.bind(first, id)
        statement.bind(first + 1, library)
        statement.bind(first + 2, textInPlace: batch.bytes(of: entry.sourceID))
        statement.bind(first + 3, edition)
        statement.bind(first + 4, layout)
        entry.bind(to: statement, from: first + 5, of: batch)
        let next = first + 5 + Int32(EntryDraft.readersColumns.count)
        statement.bind(next, blobInPlace: batch.bytes(of: entry.cells))
        statement.bind(next + 1, entry.contribution)
        statement.bind(next + 2, entry.community)
    }
}

extension EntryDraft {
    /// The columns that hold what only the reader has.
    static let readersColumns = [
        "rating", "shelf", "shelves", "date_read", "date_added", "read_count", "owned_copies", "review",
        "notes",
    ]

    /// Binds the ``readersColumns``.
    fileprivate func bind(to statement: Statement, from first: Int32, of batch: LentResults) {
        statement.bind(first, rating)
        statement.bind(first + 1, textInPlace: batch.bytes(of: shelf))
        statement.bind(first + 2, textInPlace: batch.bytes(of: shelves))
        statement.bind(first + 3, textInPlace: batch.bytes(of: dateRead))
        statement.bind(first + 4, textInPlace: batch.bytes(of: dateAdded))
        statement.bind(first + 5, numberInPlace: batch.bytes(of: readCount))
        statement.bind(first + 6, numberInPlace: batch.bytes(of: ownedCopies))
        statement.bind(first + 7, textInPlace: batch.bytes(of: review))
        statement.bind(first + 8, textInPlace: batch.bytes(of: notes))
    }
}
