import Books
import Database
import System

/// Separates rows of different books that have the same id in an input. This happens if cells were copied by
/// hand or a column does not contain ids. Rows without ids are identified by title, author and ISBN; they are
/// separated if they contradict each other (``DistinctiveFacts``).
///
/// A row is a different book if the entry with its id comes from an earlier row of the same job, has none of
/// the row's ISBNs, and has another title. If one of the two has no title, it has another author, or ISBNs of its
/// own. The first row with an id is not doubted, because a newer export may correct title and ISBN. The entry of
/// such a book is identified by the id together with the text used for books without an id. So the same row finds
/// its entry again in any job, whichever row with the id comes first.
struct SourceIDCollisions {
    private let tables: LibraryTables
    private let writers: EntryWriters
    private let seen: SeenEntries
    /// The name of the library of the entries.
    let library: String
    private let titles: TitleIdentity

    /// - Parameters:
    ///   - library: The library of the entries.
    ///   - seen: The entries that earlier records were about.
    init(
        tables: LibraryTables, library: Int64, writers: EntryWriters, seen: SeenEntries
    ) throws(ETLError) {
        self.tables = tables
        self.writers = writers
        self.seen = seen
        titles = TitleIdentity(tables: tables)
        let name = try tables.connection.query("SELECT name FROM libraries WHERE id = ?1", library)
        self.library = try name.next() ? name.string(0) : ""
    }

    /// The key of a record's entry if its id belongs to another book.
    ///
    /// - Parameters:
    ///   - number: Index of the record's prepared row.
    ///   - entry: The stored entry with the record's id.
    ///   - edition: The edition of that entry.
    /// - Returns: Nil if the record is about that entry.
    func name(
        of number: Int, in batch: ResultBatchView, besides entry: Int64, edition: Int64, layout: EntryLayout
    ) throws(ETLError) -> EntryKey? {
        let id = batch.bytes(of: batch.rows[number].entry.sourceID)
        let hasID = id.first != KeyComposer.standInMark
        var facts: DistinctiveFacts?
        if !hasID {
            let own = titles.facts(of: batch.rows[number], in: batch)
            guard !own.editionName.isEmpty else { return nil }
            facts = own
        }
        let sourceID = tables.scratch.keep { out in
            guard let facts else { return Self.append(number, of: batch, id: id, to: &out) }
            out.append(contentsOf: id)
            out.append(UInt8(ascii: "|"))
            out.append(contentsOf: facts.editionName.utf8)
        }
        let name = try EntryKey(sourceID, library: library, layout: layout, in: tables)
        if let known = name.place.row { return known == entry ? nil : name }
        if let facts {
            guard try facts.contradiction(to: titles.facts(ofEdition: edition, batch)) != .none,
                try isEarlierRows(entry)
            else { return nil }
            return name
        }
        guard try isOtherBook(number, of: batch, than: entry, edition: edition, layout),
            try isEarlierRows(entry)
        else { return nil }
        return name
    }

    /// Whether an earlier row of the job is about an entry.
    ///
    /// If a later job has updated the entry since, a second row of the same book may find another title
    /// there. It then becomes an extra entry with a warning. The alternative would be to overwrite the entry
    /// and lose the row of another book without notice.
    private func isEarlierRows(_ entry: Int64) throws(ETLError) -> Bool {
        if try writers.isOwn(entry) { return true }
        return try seen.contains(entry)
    }

    /// The warning about a record whose id belongs to another book; nil for a row without an id.
    func warning(of number: Int, in batch: ResultBatchView, layout: EntryLayout) -> Warning? {
        guard batch.bytes(of: batch.rows[number].entry.sourceID).first != KeyComposer.standInMark else {
            return nil
        }
        let field = layout.columns[.sourceID].map { layout.columns.names[$0] }
        return Warning(
            .duplicateSourceID, field: field, value: batch.string(batch.rows[number].entry.sourceID))
    }

    private static func append(
        _ number: Int, of batch: ResultBatchView, id: UnsafeRawBufferPointer, to text: inout [UInt8]
    ) {
        let (title, author) = (batch.rows[number].entry.title, batch.rows[number].entry.author)
        // The row's own ISBN precedes those from providers.
        let own = batch.rows[number].hasISBN ? batch.rows[number].isbns.first : nil
        text.append(contentsOf: id)
        KeyComposer.appendStandIn(
            title: batch.bytes(of: title), author: batch.bytes(of: author),
            isbn: own.map { ISBN(unchecked: batch.isbns[$0]) }, to: &text)
    }

    /// Whether a row is about another book than the entry with its id.
    private func isOtherBook(
        _ number: Int, of batch: ResultBatchView, than entry: Int64, edition: Int64, _ layout: EntryLayout
    ) throws(ETLError) -> Bool {
        let own = batch.rows[number].isbns.map { ISBN(unchecked: batch.isbns[$0]).isbn13 }
        let known = own.isEmpty ? [] : try EditionWriter(tables: tables).isbns(of: edition, batch).list
        guard !own.contains(where: known.contains) else { return false }
        if let isOther = try differs(in: .title, number, of: batch, from: entry, layout) { return isOther }
        if try differs(in: .author, number, of: batch, from: entry, layout) == true { return true }
        return !known.isEmpty
    }

    /// Whether the rows themselves differ in a field; nil if one of them does not have it. Values from a provider for
    /// one row are no evidence about the other.
    private func differs(
        in field: LibraryField, _ number: Int, of batch: ResultBatchView, from entry: Int64,
        _ layout: EntryLayout
    ) throws(ETLError) -> Bool? {
        guard let column = layout.columns[field] else { return nil }
        let read = tables.readLayout
        read.bind(1, entry)
        defer { read.reset() }
        guard try read.next() else { return nil }
        let place: Int?
        if read.integer(0) == layout.id {
            place = column
        } else {
            let names = read.withBytes(1) { StoredList.strings($0) }
            place = names.firstIndex(of: layout.columns.names[column])
        }
        guard let place else { return nil }
        let known = read.withBytes(2) { Self.folded(place, of: $0) }
        let new = Self.folded(column, of: batch.bytes(of: batch.rows[number].entry.cells))
        return known.isEmpty || new.isEmpty ? nil : known != new
    }

    /// A cell of a row, folded; empty if the row does not have it.
    private static func folded(_ column: Int, of cells: UnsafeRawBufferPointer) -> String {
        guard let range = PackedCells.range(of: column, in: cells) else { return "" }
        return KeyNormalizer.fold(String(decoding: cells[range], as: UTF8.self))
    }
}
