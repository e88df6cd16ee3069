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

    /// Appends a new entry.
    func insert(
        _ number: Int, of batch: LentResults, at place: KeyIndex.Place, edition: Int64, layout: Int64
    ) {
        let id = batch.row(of: number)
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
        bind(entry, to: update, from: 4, of: batch)
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
        bind(entry, to: fill, from: 2, of: batch)
        try fill.run()
        return tables.connection.changes > 0
    }

    private func bind(
        _ entry: EntryDraft, to statement: Statement, from first: Int32, of batch: LentResults
    ) {
        var row = BoundRow(statement, from: first)
        entry.put(into: &row, from: batch)
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
        ["id", "library", "layout", "source_id", "edition"] + EntryDraft.readersColumns
        + ["cells", "contribution", "community"]

    let id: Int64
    /// Index of the record's draft.
    let number: Int
    let library: Int64
    let edition: Int64
    let layout: Int64

    func put<Row: RowValues & ~Copyable>(into row: inout Row, from batch: LentResults) {
        let entry = batch.drafts[number].entry
        row.add(later: library)
        row.add(later: layout)
        row.add(text: batch.bytes(of: entry.sourceID))
        row.add(edition)
        entry.put(into: &row, from: batch)
        row.add(blob: batch.bytes(of: entry.cells))
        row.add(entry.contribution)
        row.add(entry.community)
    }
}

extension EntryDraft {
    /// The columns that hold what only the reader has.
    static let readersColumns = [
        "rating", "shelf", "shelves", "date_read", "date_added", "read_count", "owned_copies", "review",
        "notes",
    ]

    /// Says the values of the ``readersColumns``.
    fileprivate func put<Row: RowValues & ~Copyable>(into row: inout Row, from batch: LentResults) {
        row.add(rating)
        row.add(text: batch.bytes(of: shelf))
        row.add(text: batch.bytes(of: shelves))
        row.add(text: batch.bytes(of: dateRead))
        row.add(text: batch.bytes(of: dateAdded))
        row.add(number: batch.bytes(of: readCount), isReal: false)
        row.add(number: batch.bytes(of: ownedCopies), isReal: false)
        row.add(text: batch.bytes(of: review))
        row.add(text: batch.bytes(of: notes))
    }
}
