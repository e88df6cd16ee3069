import Bytes
import Database

/// Inserts new editions and updates stored ones.
struct EditionWriter {
    let tables: LibraryTables

    /// Appends a new edition and indexes its ISBNs that no other edition has.
    ///
    /// - Parameter key: Its public key, if it is not the record's.
    func insert(
        _ number: Int, of batch: ResultBatchView, key: UnsafeRawBufferPointer?, work: Int64,
        lineage: UnsafeRawBufferPointer
    ) throws(SQLiteError) -> Int64 {
        let id = batch.row(of: number)
        for index in batch.drafts[number].isbns
        where try tables.indexes.isbns.value(of: batch.isbns[index]) == nil {
            tables.indexes.isbns.insertRecent(batch.isbns[index], id)
        }
        if let key = key.map({ TextKey($0) }) ?? batch.drafts[number].titleKey {
            let place = try tables.indexes.editions.place(of: key)
            if place.row == nil { tables.indexes.editions.insertRecent(key, row: id, at: place) }
        }
        tables.new.append(NewEdition(id: id, number: number, work: work, lineage: lineage, key: key))
        return id
    }

    /// The work of a stored edition.
    func work(of id: Int64, _ batch: ResultBatchView) throws(SQLiteError) -> Int64? {
        try tables.new.settle(edition: id, batch)
        let read = tables.readEditionWork
        read.bind(1, id)
        defer { read.reset() }
        return try read.step() ? read.integer(0) : nil
    }

    /// The ISBNs of a stored edition, ISBN-13s and ISBN-10s, and their origin.
    func isbns(
        of id: Int64, _ batch: ResultBatchView
    ) throws(SQLiteError) -> (list: [String], origin: Lineage.Source?) {
        try tables.new.settle(edition: id, batch)
        let read = tables.readEdition
        read.bind(1, id)
        defer { read.reset() }
        guard try read.step(), let list = read.optionalString(Int32(EditionColumns.isbns)) else {
            return ([], nil)
        }
        let lineage = Lineage(decoding: read.bytes(Int32(EditionColumns.count) + 3))
        return (StoredList.strings(list), lineage.origin(of: .isbn13)?.source)
    }

    /// Notes that an entry has moved from this edition to another.
    func noteLeft(_ id: Int64) throws(SQLiteError) {
        tables.noteLeftEdition.bind(1, id)
        try tables.noteLeftEdition.run()
    }

    /// Stores a new average rating of an edition if the stored one came from an export too, and not from a
    /// provider. The record does not count as updated.
    func renewAverageRating(
        _ id: Int64, with draft: ResultDraft, of batch: ResultBatchView, entry: Int64
    ) throws(SQLiteError) {
        let rating = batch.columns[draft.columns + WorkColumns.count + EditionColumns.averageRating]
        let offers = RecordLineage(draft, of: batch, entry: entry, candidates: [])
        guard !rating.isEmpty, let offer = offers.edition(.averageRating) else { return }
        try tables.new.settle(edition: id, batch)
        let read = tables.readEdition
        read.bind(1, id)
        guard try read.step() else { return }
        var lineage = Lineage(decoding: read.bytes(Int32(EditionColumns.count) + 3))
        read.reset()
        guard case .entry = lineage.origin(of: .averageRating)?.source else { return }
        lineage.set(.averageRating, from: offer.source, by: offer.rule)
        let update = tables.updateAverageRating
        update.bind(1, id)
        update.bind(2, numberInPlace: batch.bytes(of: rating))
        update.bind(3, blob: lineage.encoded())
        try update.run()
    }

    /// Updates a stored edition with a record's values.
    ///
    /// - Returns: Whether anything bibliographic changed.
    func update(
        _ id: Int64, with draft: ResultDraft, of batch: ResultBatchView, work: Int64, offers: RecordLineage,
        onlyFills: Bool
    ) throws(SQLiteError) -> Bool {
        try tables.new.settle(edition: id, batch)
        let read = tables.readEdition
        read.bind(1, id)
        guard try read.step() else { return false }
        let next = Int32(EditionColumns.count)
        var row = StoredRow(
            fields: EditionColumns.fields, columns: (0..<next).map { read.optionalString($0) },
            lineage: Lineage(decoding: read.bytes(next + 3)))
        var isbn = read.optionalInteger(next)
        var providers = StoredList.strings(read.string(next + 1))
        let (knownQuality, knownWork) = (read.integer(next + 2), read.integer(next + 4))
        read.reset()

        let first = draft.columns + WorkColumns.count
        for column in 0..<EditionColumns.count {
            let text = batch.columns[first + column]
            guard !text.isEmpty, let offer = offers.edition(EditionColumns.fields[column]) else { continue }
            let value = batch.string(text)
            if column == EditionColumns.isbns {
                row.offer(
                    column: column, ISBNList.union(row.columns[column] ?? "", value), from: offer.source,
                    by: offer.rule, onlyFills: false, isCommunity: false)
            } else {
                row.offer(
                    column: column, value, from: offer.source, by: offer.rule, onlyFills: onlyFills,
                    isCommunity: EditionColumns.isCommunity(column))
            }
        }
        for index in draft.isbns where try tables.indexes.isbns.value(of: batch.isbns[index]) == nil {
            try tables.indexes.isbns.insertNow(batch.isbns[index], id)
        }
        if isbn == nil { isbn = batch.firstISBN(of: draft) }
        let knownProviders = providers
        for provider in StoredList.strings(batch.string(draft.providers)) where !providers.contains(provider)
        {
            providers.append(provider)
        }
        let quality = max(knownQuality, Int64(draft.quality))
        let isBetter = quality != knownQuality || providers != knownProviders
        guard row.isTouched || isBetter || work != knownWork else { return false }

        let update = tables.updateEdition
        update.bind(1, id)
        for column in 0..<EditionColumns.count { update.bind(Int32(column + 2), row.columns[column]) }
        let after = Int32(EditionColumns.count + 2)
        update.bind(after, isbn)
        update.bind(after + 1, work)
        update.bind(after + 2, StoredList.stored(providers))
        update.bind(after + 3, quality)
        update.bind(after + 4, blob: row.lineage.encoded())
        try update.run()
        return row.isChanged || isBetter
    }
}

/// A new row of the table `editions`.
struct NewEdition: AppendedRow {
    static let columns =
        ["id", "work", "key", "isbn"] + EditionColumns.names + ["providers", "quality", "lineage"]

    let id: Int64
    /// Index of the record's draft.
    let number: Int
    let work: Int64
    let lineage: UnsafeRawBufferPointer
    /// Nil for the draft's key.
    var key: UnsafeRawBufferPointer?

    func put<Row: RowValues & ~Copyable>(into row: inout Row, from batch: ResultBatchView) {
        row.add(work)
        row.add(text: key ?? batch.bytes(of: batch.drafts[number].editionKey))
        row.add(batch.drafts[number].isbns.first.map { batch.isbns[$0] })
        let values = batch.drafts[number].columns + WorkColumns.count
        for column in 0..<EditionColumns.count {
            let bytes = batch.bytes(of: batch.columns[values + column])
            if EditionColumns.isNumber(column) {
                row.add(number: bytes, isReal: EditionColumns.isReal(column))
            } else {
                row.add(text: bytes)
            }
        }
        row.add(text: batch.bytes(of: batch.drafts[number].providers))
        row.add(Int64(batch.drafts[number].quality))
        row.add(blob: lineage)
    }
}

extension EditionColumns {
    /// The column that lists all ISBNs.
    static let isbns = Int(index[Int(Field.isbn13.rawValue)])
    static let averageRating = Int(index[Int(Field.averageRating.rawValue)])
}

/// The ISBNs of an edition as stored: all ISBN-13s, then the ISBN-10s.
enum ISBNList {
    /// The ISBNs of both lists, those of the first list first.
    static func union(_ first: String, _ second: String) -> String {
        let all = StoredList.strings(StoredList.union(first, second) ?? "")
        return StoredList.stored(all.filter { $0.utf8.count == 13 } + all.filter { $0.utf8.count != 13 })
            ?? ""
    }
}
