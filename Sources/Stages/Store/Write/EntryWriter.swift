import Books
import Bytes
import Database
import System

/// Writes library entries. They contain the user's own values, which providers never overwrite.
struct EntryWriter {
    let tables: LibraryTables
    let library: Int64

    /// Appends a new entry.
    ///
    /// - Parameter name: The key by which it is found.
    func insert(
        _ number: Int, of batch: ResultBatchView, as name: EntryKey, edition: Int64, layout: EntryLayout
    ) {
        let id = batch.row(of: number)
        tables.indexes.entries.insertRecent(name.key, row: id, at: name.place)
        tables.new.append(
            NewEntry(
                id: id, number: number, library: library, sourceID: name.sourceID, edition: edition,
                layout: layout.id))
    }

    /// Updates an entry. Stored values are kept where the record's cells cannot be read.
    ///
    /// - Returns: Whether the entry already had the record's values, ignoring community columns.
    func update(
        _ id: Int64, _ entry: PreparedEntry, of batch: ResultBatchView, edition: Int64, layout: EntryLayout
    ) throws(ETLError) -> Bool {
        let preserved = try preserved(id, entry, of: batch, layout: layout)
        let isSame = try isSame(id, entry, of: batch, layout: layout, preserved)
        let update = tables.updateEntry
        update.bind(1, id)
        update.bind(2, edition)
        update.bind(3, layout.id)
        let next = bind(entry, to: update, from: 4, of: batch)
        update.bind(next, blobInPlace: preserved.cells)
        update.bind(next + 1, entry.contentHash)
        update.bind(next + 2, entry.community)
        update.bind(next + 3, preserved.columns | (try lockedColumns(of: id)))
        try update.run()
        return isSame
    }

    /// Fills gaps of an entry from an older export. An empty column of the newer export is not a gap, because
    /// the user may have cleared it since. A value that cannot be read is a gap.
    ///
    /// - Parameter correcting: Whether the file was read before. Then a date that the newer export does not have is
    ///   the file's own, and it is replaced if day and month were taken for each other.
    /// - Returns: Whether anything was filled.
    func fill(
        _ id: Int64, _ entry: PreparedEntry, of batch: ResultBatchView, layout: EntryLayout, correcting: Bool
    ) throws(ETLError) -> Bool {
        guard let stored = try StoredCells.read(id, from: tables, layout) else { return false }
        let locked = try tables.locked?.libraryFields(ofEntry: id) ?? LibraryFields()
        var unreadable = stored.unreadable(in: layout).subtracting(locked)
        let isSameLayout = stored.names == layout.columns.names
        if correcting, !isSameLayout {
            for (field, date) in [(LibraryField.dateRead, entry.dateRead), (.dateAdded, entry.dateAdded)] {
                guard let column = layout.columns[field],
                    !stored.names.contains(layout.columns.names[column]),
                    let known = stored.dates[field] ?? nil, known == Self.turned(batch.string(date)),
                    !locked.contains(field)
                else { continue }
                unreadable.insert(field)
            }
        }
        guard !isSameLayout || !unreadable.isEmpty else { return false }
        var gaps = entry
        gaps.keep { field in
            guard !locked.contains(field), let column = layout.column(of: field) else { return false }
            if unreadable.contains(field) { return !entry.unreadable.contains(field) }
            return !isSameLayout && !stored.names.contains(layout.columns.names[column])
        }
        let fill = tables.fillEntry
        fill.bind(1, id)
        let next = bind(gaps, to: fill, from: 2, of: batch)
        fill.bind(next, PreparedEntry.mask { unreadable.contains($0) })
        try fill.run()
        return tables.connection.changes > 0
    }

    /// A date with day and month exchanged; nil if that is no date.
    private static func turned(_ date: String) -> String? {
        let parts = date.split(separator: "-", omittingEmptySubsequences: false)
        guard parts.count == 3, let day = Int(parts[2]), (1...12).contains(day) else { return nil }
        return "\(parts[0])-\(parts[2])-\(parts[1])"
    }

    /// Stores changed community columns. The record does not count as updated.
    func updateCommunity(
        _ id: Int64, _ entry: PreparedEntry, of batch: ResultBatchView, layout: EntryLayout
    ) throws(ETLError) {
        let preserved = try preserved(id, entry, of: batch, layout: layout)
        let update = tables.updateEntryCommunity
        update.bind(1, id)
        update.bind(2, blobInPlace: preserved.cells)
        update.bind(3, entry.community)
        try update.run()
    }

    private func isSame(
        _ id: Int64, _ entry: PreparedEntry, of batch: ResultBatchView, layout: EntryLayout,
        _ preserved: PreservedValues
    ) throws(ETLError) -> Bool {
        let compare = tables.compareEntry
        compare.bind(1, id)
        let next = bind(entry, to: compare, from: 2, of: batch)
        compare.bind(next, preserved.columns | (try lockedColumns(of: id)))
        guard try compare.next() else { return false }
        let isSame = compare.integer(0) != 0
        let cells = compare.withBytes(1) { PackedCells.cells($0, keptApart: "") }
        compare.reset()
        guard isSame else { return false }
        let new = PackedCells.cells(preserved.cells, keptApart: "")
        let names = try layoutNames(ofEntry: id, unless: layout)
        return layout.hasSameContent(new, as: cells, under: names ?? layout.columns.names)
    }

    /// The bits of the columns that the user has set or locked.
    private func lockedColumns(of id: Int64) throws(ETLError) -> Int64 {
        guard let fields = try tables.locked?.libraryFields(ofEntry: id), !fields.isEmpty else { return 0 }
        return PreparedEntry.mask { fields.contains($0) } << Int64(PreparedEntry.userColumns.count)
    }

    private func preserved(
        _ id: Int64, _ entry: PreparedEntry, of batch: ResultBatchView, layout: EntryLayout
    ) throws(ETLError) -> PreservedValues {
        guard !entry.unreadable.isEmpty, let stored = try StoredCells.read(id, from: tables, layout) else {
            return PreservedValues(nothingOf: entry, batch)
        }
        return PreservedValues(stored, of: entry, batch, layout: layout, scratch: tables.scratch)
    }

    /// The names of the columns of an entry's cells; nil if they are those of `layout`.
    private func layoutNames(
        ofEntry id: Int64, unless layout: EntryLayout
    ) throws(ETLError) -> [String]? {
        let read = tables.readLayout
        read.bind(1, id)
        defer { read.reset() }
        guard try read.next(), read.integer(0) != layout.id else { return nil }
        return read.withBytes(1) { StoredList.strings($0) }
    }

    /// - Returns: The number of the parameter that follows.
    private func bind(
        _ entry: PreparedEntry, to statement: Statement, from first: Int32, of batch: ResultBatchView
    ) -> Int32 {
        var row = BoundRow(statement, from: first)
        entry.put(into: &row, from: batch)
        entry.putLast(into: &row, from: batch)
        return first + Int32(PreparedEntry.userColumns.count)
    }
}

/// A new row of the table `entries`.
struct NewEntry: AppendedRow {
    static let columns =
        ["id", "library", "layout", "source_id", "edition"] + PreparedEntry.firstColumns
        + ["cells", "content_hash", "community"] + PreparedEntry.lastColumns

    let id: Int64
    /// Index of the record's prepared row.
    let number: Int
    let library: Int64
    let sourceID: UnsafeRawBufferPointer
    let edition: Int64
    let layout: Int64

    func put<Row: RowValues & ~Copyable>(into row: inout Row, from batch: ResultBatchView) {
        let entry = batch.rows[number].entry
        row.add(placeholder: library)
        row.add(placeholder: layout)
        row.add(text: sourceID)
        row.add(edition)
        entry.put(into: &row, from: batch)
        row.add(blob: batch.bytes(of: entry.cells))
        row.add(entry.contentHash)
        row.add(entry.community)
        entry.putLast(into: &row, from: batch)
    }
}

extension PreparedEntry {
    /// The columns with the user's own values, and their fields.
    private static let readers: [(column: String, field: LibraryField)] = [
        ("rating", .rating), ("shelf", .exclusiveShelf), ("shelves", .shelves), ("date_read", .dateRead),
        ("date_added", .dateAdded), ("read_count", .readCount), ("owned_copies", .ownedCopies),
        ("review", .review), ("notes", .privateNotes),
        ("date_started", .dateStarted), ("earlier_readings", .earlierReadings),
        ("location", .location), ("lent_to", .lentTo), ("price", .price), ("condition", .condition),
        ("barcode", .barcode),
    ]

    static let userColumns = readers.map(\.column)

    /// The columns at the end of the table.
    static let lastColumns = Array(userColumns.suffix(7))

    /// The other ones of ``userColumns``.
    static let firstColumns = Array(userColumns.dropLast(lastColumns.count))

    /// A bit mask of the ``userColumns`` whose field satisfies the condition.
    static func mask(where holds: (LibraryField) -> Bool) -> Int64 {
        readers.enumerated().reduce(0) { holds($1.element.field) ? $0 | 1 << $1.offset : $0 }
    }

    /// Removes the values of ``userColumns`` whose field does not satisfy the condition.
    fileprivate mutating func keep(where holds: (LibraryField) -> Bool) {
        if !holds(.rating) { rating = nil }
        if !holds(.exclusiveShelf) { shelf = .none }
        if !holds(.shelves) { shelves = .none }
        if !holds(.dateRead) { dateRead = .none }
        if !holds(.dateAdded) { dateAdded = .none }
        if !holds(.readCount) { readCount = .none }
        if !holds(.ownedCopies) { ownedCopies = .none }
        if !holds(.review) { review = .none }
        if !holds(.privateNotes) { notes = .none }
        if !holds(.dateStarted) { dateStarted = .none }
        if !holds(.earlierReadings) { earlierReadings = .none }
        if !holds(.location) { location = .none }
        if !holds(.lentTo) { lentTo = .none }
        if !holds(.price) { price = .none }
        if !holds(.condition) { condition = .none }
        if !holds(.barcode) { barcode = .none }
    }

    /// Adds the values of the ``firstColumns``.
    fileprivate func put<Row: RowValues & ~Copyable>(into row: inout Row, from batch: ResultBatchView) {
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

    /// Adds the values of the ``lastColumns``.
    fileprivate func putLast<Row: RowValues & ~Copyable>(into row: inout Row, from batch: ResultBatchView) {
        row.add(text: batch.bytes(of: dateStarted))
        row.add(text: batch.bytes(of: earlierReadings))
        row.add(text: batch.bytes(of: location))
        row.add(text: batch.bytes(of: lentTo))
        row.add(text: batch.bytes(of: price))
        row.add(text: batch.bytes(of: condition))
        row.add(text: batch.bytes(of: barcode))
    }
}

/// The columns of the cells of a batch's entries.
struct EntryLayout {
    /// The row of `layouts`.
    let id: Int64
    /// The fields of the columns.
    let columns: ColumnMap

    /// The column that a field's value comes from. One cell can hold all dates of a book's readings.
    func column(of field: LibraryField) -> Int? {
        switch field {
        case .dateStarted: columns[.dateStarted] ?? columns[.dateRead]
        case .earlierReadings: columns[.earlierReadings] ?? column(of: .dateStarted)
        default: columns[field]
        }
    }

    /// Whether a record's cells equal those of a stored entry, ignoring community columns (average rating and
    /// shelf positions). A missing column counts as empty.
    ///
    /// - Parameter names: The columns of the stored cells.
    func hasSameContent(_ cells: [String], as stored: [String], under names: [String]) -> Bool {
        let community = [columns[.averageRating], columns[.shelfPositions]]
        let isSameLayout = names == columns.names
        let known = isSameLayout ? [:] : Dictionary(zip(names, stored)) { first, _ in first }
        for column in 0..<max(cells.count, isSameLayout ? stored.count : 0) where !community.contains(column)
        {
            let current = column < cells.count ? cells[column] : ""
            let before: String
            if isSameLayout {
                before = column < stored.count ? stored[column] : ""
            } else {
                before = column < columns.names.count ? known[columns.names[column]] ?? "" : ""
            }
            if current != before { return false }
        }
        return true
    }
}

/// The key of an entry: its position in the index, and the text that the key is made from.
struct EntryKey {
    let key: TextKey
    let place: KeyIndex.Place
    /// The source id, or its replacement if the source has none.
    let sourceID: UnsafeRawBufferPointer
}

extension EntryKey {
    /// The key of a source id in a library.
    init(
        _ sourceID: UnsafeRawBufferPointer, library: String, layout: EntryLayout, in tables: LibraryTables
    ) throws(ETLError) {
        let prefix = KeyComposer.entryPrefix(library: library, formatName: layout.columns.formatName)
        let key = KeyComposer.entryKey(prefix: prefix, sourceID: sourceID)
        self.init(key: key, place: try tables.indexes.entries.place(of: key), sourceID: sourceID)
    }
}
