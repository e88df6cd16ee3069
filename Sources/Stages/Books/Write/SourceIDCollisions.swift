import Database

/// Tells rows of different books apart that an input gives the same id: cells copied by hand, a column of ids that are
/// none.
///
/// A row is taken for a book of its own where the entry that its id leads to is an earlier row's of this very job, has no
/// ISBN of the row's and another title. The first row of an id is not in doubt: a newer export may correct title and
/// ISBN. The book's own entry is known by the id and what would stand in for it, so that the same row finds it
/// again, whichever row of the id comes first and in whatever job.
struct SourceIDCollisions {
    private let tables: LibraryTables
    private let owners: EntryWriters
    private let met: SeenEntries
    private let library: String

    /// - Parameters:
    ///   - library: Whose entries the records are.
    ///   - met: The entries that earlier records were about.
    init(
        tables: LibraryTables, library: Int64, owners: EntryWriters, met: SeenEntries
    ) throws(SQLiteError) {
        self.tables = tables
        self.owners = owners
        self.met = met
        let name = try tables.connection.prepare("SELECT name FROM libraries WHERE id = ?1")
        name.bind(1, library)
        self.library = try name.step() ? name.string(0) : ""
    }

    /// The name that a record's entry has, or is to have, where its id is another book's.
    ///
    /// - Parameters:
    ///   - number: Index of the record's draft.
    ///   - entry: The stored entry that the record's own name leads to.
    ///   - edition: That entry's edition.
    /// - Returns: nil where the record is about that entry.
    func name(
        of number: Int, in batch: ResultBatchView, besides entry: Int64, edition: Int64, layout: EntryLayout
    ) throws(SQLiteError) -> EntryKey? {
        let id = batch.bytes(of: batch.drafts[number].entry.sourceID)
        guard id.first != KeyComposer.standInMark else { return nil }
        let sourceID = tables.scratch.keep { Self.append(number, of: batch, id: id, to: &$0) }
        let prefix = KeyComposer.entryPrefix(library: library, profile: layout.columns.profile)
        let key = KeyComposer.entryKey(prefix: prefix, sourceID: sourceID)
        let name = EntryKey(key: key, place: try tables.indexes.entries.place(of: key), sourceID: sourceID)
        if let known = name.place.row { return known == entry ? nil : name }
        guard try !sharesISBN(number, of: batch, with: edition),
            try hasOtherTitle(number, of: batch, than: entry, layout), try isEarlierRows(entry)
        else { return nil }
        return name
    }

    /// Whether an earlier row of the job is about an entry.
    ///
    /// A later job may have brought it up to date since, and then a second row of the same book may find another title
    /// there. It becomes a twin too many, with a notice: written onto it, another book's row would be lost without one.
    private func isEarlierRows(_ entry: Int64) throws(SQLiteError) -> Bool {
        if try owners.isOwn(entry) { return true }
        return try met.contains(entry)
    }

    /// What is noticed of a record whose id is another book's.
    func notice(of number: Int, in batch: ResultBatchView, layout: EntryLayout) -> Warning {
        let field = layout.columns[.sourceID].map { layout.columns.names[$0] }
        return Warning(
            .duplicateSourceID, field: field, value: batch.string(batch.drafts[number].entry.sourceID))
    }

    private static func append(
        _ number: Int, of batch: ResultBatchView, id: UnsafeRawBufferPointer, to text: inout [UInt8]
    ) {
        let (title, author) = (batch.drafts[number].entry.title, batch.drafts[number].entry.author)
        // The row's own ISBN comes before those that providers name.
        let own = batch.drafts[number].hasISBN ? batch.drafts[number].isbns.first : nil
        text.append(contentsOf: id)
        KeyComposer.appendStandIn(
            title: batch.bytes(of: title), author: batch.bytes(of: author),
            isbn: own.map { ISBN(unchecked: batch.isbns[$0]) }, to: &text)
    }

    private func sharesISBN(
        _ number: Int, of batch: ResultBatchView, with edition: Int64
    ) throws(SQLiteError) -> Bool {
        let own = batch.drafts[number].isbns
        guard !own.isEmpty else { return false }
        let known = try EditionWriter(tables: tables).isbns(of: edition, batch).list
        return own.contains { known.contains(ISBN(unchecked: batch.isbns[$0]).isbn13) }
    }

    /// Whether the rows have different titles: as they have them, for what a provider makes of one row says nothing of the
    /// other.
    private func hasOtherTitle(
        _ number: Int, of batch: ResultBatchView, than entry: Int64, _ layout: EntryLayout
    ) throws(SQLiteError) -> Bool {
        guard let column = layout.columns[.title] else { return false }
        let read = tables.readLayout
        read.bind(1, entry)
        defer { read.reset() }
        guard try read.step() else { return false }
        let place: Int?
        if read.integer(0) == layout.id {
            place = column
        } else {
            let names = read.withBytes(1) { StoredList.strings($0) }
            place = names.firstIndex(of: layout.columns.names[column])
        }
        guard let place else { return false }
        let known = read.withBytes(2) { Self.folded(place, of: $0) }
        let new = Self.folded(column, of: batch.bytes(of: batch.drafts[number].entry.cells))
        return !known.isEmpty && !new.isEmpty && known != new
    }

    /// A cell of a row in the form of keys; empty where the row has none.
    private static func folded(_ column: Int, of cells: UnsafeRawBufferPointer) -> String {
        guard let range = PackedCells.range(of: column, in: cells) else { return "" }
        return KeyNormalizer.fold(String(decoding: cells[range], as: UTF8.self))
    }
}
