import Books
import Bytes
import Database
import Pipeline
import System

/// Inserts new editions and updates stored ones.
struct EditionWriter {
    let tables: LibraryTables

    /// Appends a new edition and indexes its ISBNs that no other edition has.
    ///
    /// - Parameter key: Its public key, if it is not the record's.
    func insert(
        _ number: Int, of batch: ResultBatchView, key: UnsafeRawBufferPointer?, work: Int64,
        lineage: UnsafeRawBufferPointer
    ) throws(ETLError) -> Int64 {
        let id = batch.row(of: number)
        for index in batch.rows[number].isbns
        where try tables.indexes.isbns.value(of: batch.isbns[index]) == nil {
            tables.indexes.isbns.insertRecent(batch.isbns[index], id)
        }
        if let key = key.map({ TextKey($0) }) ?? batch.rows[number].titleKey {
            let place = try tables.indexes.editions.place(of: key)
            if place.row == nil { tables.indexes.editions.insertRecent(key, row: id, at: place) }
        }
        tables.new.append(NewEdition(id: id, number: number, work: work, lineage: lineage, key: key))
        return id
    }

    /// The work of a stored edition.
    func work(of id: Int64, _ batch: ResultBatchView) throws(ETLError) -> Int64? {
        try tables.books.edition(id, batch)?.work
    }

    /// The ISBNs of a stored edition, ISBN-13s and ISBN-10s, and their origin.
    func isbns(
        of id: Int64, _ batch: ResultBatchView
    ) throws(ETLError) -> (list: [String], origin: Lineage.Source?) {
        guard let edition = try tables.books.edition(id, batch), case let list = edition.isbns, !list.isEmpty
        else { return ([], nil) }
        return (list, edition.source(of: .isbn13))
    }

    /// Notes that an entry has moved from this edition to another.
    func noteLeft(_ id: Int64) throws(ETLError) {
        tables.noteLeftEdition.bind(1, id)
        try tables.noteLeftEdition.run()
    }

    /// Stores a new average rating of an edition, unless it has one from a provider. The record does not count as
    /// updated.
    func renewAverageRating(
        _ id: Int64, with prepared: PreparedRow, of batch: ResultBatchView, entry: Int64
    ) throws(ETLError) {
        let rating = batch.columns[prepared.columns + WorkColumns.count + EditionColumns.averageRating]
        let sources = RecordSources(entry: entry, isNewEntry: false, candidates: [])
        let lineage = batch.bytes(of: prepared.editionLineage)
        guard !rating.isEmpty, let offer = sources.offer(of: .averageRating, in: lineage) else { return }
        guard let row = try tables.books.edition(id, batch) else { return }
        switch row.source(of: .averageRating) {
        case .candidate, .user: return
        case .entry, nil: break
        }
        var edition = StoredEdition(row)
        edition.row.renew(
            column: EditionColumns.averageRating, batch.string(rating), from: offer.source, by: offer.rule)
        try tables.books.set(edition: id, CachedEdition(edition))
    }

    /// Updates a stored edition with a record's values.
    ///
    /// - Parameter onlyIfBetter: Whether a provider's value is only replaced by a better one.
    /// - Returns: Whether anything bibliographic changed.
    func update(
        _ id: Int64, with prepared: PreparedRow, of batch: ResultBatchView, work: Int64,
        from sources: RecordSources, onlyFills: Bool, onlyIfBetter: Bool = false
    ) throws(ETLError) -> Bool {
        guard let stored = try tables.books.edition(id, batch) else { return false }
        var policy = OfferPolicy(
            onlyFills: onlyFills, quality: onlyIfBetter ? (Int64(prepared.quality), stored.quality) : nil)
        let isISBNFixed = try tables.locked?.hasFixedISBN(edition: id) == true
        // What providers said about the edition with the former ISBN gives way.
        policy.replacesProviders =
            isISBNFixed && prepared.isISBNMatch && prepared.isbns.contains { batch.isbns[$0] == stored.isbn }
        if !isISBNFixed {
            for index in prepared.isbns where try tables.indexes.isbns.value(of: batch.isbns[index]) == nil {
                tables.indexes.isbns.change(batch.isbns[index], id)
            }
        }
        if stored.work == work, sources.areSettled(prepared, of: batch, in: stored, onlyFills: onlyFills) {
            return false
        }
        var edition = StoredEdition(stored)
        if let locked = tables.locked { edition.row.locked = try locked.lineageFields(of: .edition, id) }
        let lineage = batch.bytes(of: prepared.editionLineage)
        let first = prepared.columns + WorkColumns.count
        let comparison = sources.comparison(
            ofLineage: prepared.editionLineage, of: batch, with: stored.lineage, onlyFills: onlyFills)
        for column in 0..<EditionColumns.count {
            let (field, text) = (EditionColumns.fields[column], batch.columns[first + column])
            let isCommunity = EditionColumns.isCommunity(column)
            // Most columns of a changed row stay, and comparing bytes is cheaper than making strings.
            let isSettled = stored.texts.withColumns {
                column != EditionColumns.isbns
                    && comparison.isSettled(
                        field, batch.bytes(of: text), $0[column], isCommunity: isCommunity)
            }
            guard !text.isEmpty, !isSettled, let offer = sources.offer(of: field, in: lineage) else {
                continue
            }
            let value = batch.string(text)
            if column == EditionColumns.isbns {
                edition.row.offer(
                    column: column, ISBNList.union(edition.row[column] ?? "", value),
                    from: offer.source, by: offer.rule,
                    elements: sources.elements(of: field, in: lineage, value),
                    policy: OfferPolicy(onlyFills: false), isCommunity: false)
            } else {
                edition.row.offer(
                    column: column, value, from: offer.source, by: offer.rule,
                    elements: sources.elements(of: field, in: lineage, value), policy: policy,
                    isCommunity: isCommunity)
            }
        }
        if edition.isbn == nil, !isISBNFixed { edition.isbn = batch.firstISBN(of: prepared) }
        let knownProviders = edition.providers.count
        for provider in StoredList.strings(batch.bytes(of: prepared.providers))
        where !edition.providers.contains(provider) { edition.providers.append(provider) }
        edition.quality = max(edition.quality, Int64(prepared.quality))
        let isBetter =
            edition.quality != stored.quality || edition.providers.count != knownProviders
        guard edition.row.isTouched || isBetter || work != stored.work else { return false }
        edition.work = work
        try tables.books.set(edition: id, CachedEdition(edition))
        return edition.row.isChanged || isBetter
    }
}

/// A new row of the table `editions`.
struct NewEdition: AppendedRow {
    static let columns =
        ["id", "work", "key", "isbn"] + EditionColumns.names + ["providers", "quality", "lineage"]

    let id: Int64
    /// Index of the record's prepared row.
    let number: Int
    let work: Int64
    let lineage: UnsafeRawBufferPointer
    /// Nil for the prepared row's key.
    var key: UnsafeRawBufferPointer?

    func put<Row: RowValues & ~Copyable>(into row: inout Row, from batch: ResultBatchView) {
        row.add(work)
        row.add(text: key ?? batch.bytes(of: batch.rows[number].editionKey))
        row.add(batch.rows[number].isbns.first.map { batch.isbns[$0] })
        let values = batch.rows[number].columns + WorkColumns.count
        for column in 0..<EditionColumns.count {
            let bytes = batch.bytes(of: batch.columns[values + column])
            if EditionColumns.isNumber(column) {
                row.add(number: bytes, isReal: EditionColumns.isReal(column))
            } else {
                row.add(text: bytes)
            }
        }
        row.add(text: batch.bytes(of: batch.rows[number].providers))
        row.add(Int64(batch.rows[number].quality))
        row.add(blob: lineage)
    }
}
