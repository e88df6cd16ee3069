import Books
import Bytes
import Database
import Pipeline
import System

/// Inserts new works with their contributors, updates stored works, and merges works.
struct WorkWriter {
    let tables: LibraryTables

    /// The facts about a stored work that decide identity.
    func stored(_ id: Int64, _ batch: ResultBatchView) throws(ETLError) -> RecordIdentity.Work? {
        guard let work = try tables.books.work(id, batch) else { return nil }
        return .init(
            id: id, isSynthetic: work.isSynthetic, hasOpenLibraryKey: work.hasOpenLibraryKey)
    }

    /// Appends a new work with its contributors.
    ///
    /// - Parameter key: The public key of its edition, if it is not the record's. A work without another key
    ///   has the same.
    func insert(
        _ number: Int, of batch: ResultBatchView, key: UnsafeRawBufferPointer?,
        lineage: UnsafeRawBufferPointer
    ) throws(ETLError) -> Int64 {
        let id = batch.row(of: number)
        if let key = batch.rows[number].openLibraryKey {
            let place = try tables.indexes.works.place(of: key)
            if place.row == nil { tables.indexes.works.insertRecent(key, row: id, at: place) }
        }
        tables.new.append(
            NewWork(
                id: id, number: number, lineage: lineage,
                key: batch.rows[number].openLibraryKey == nil ? key : nil))
        let authors = AuthorWriter(tables: tables)
        for (position, index) in batch.rows[number].authors.enumerated() {
            tables.new.append(
                NewContributor(
                    work: id, position: position, author: try authors.write(index, of: batch).id,
                    role: batch.authors[index].author.role))
        }
        return id
    }

    /// Updates a stored work with a record's values.
    ///
    /// - Parameter onlyIfBetter: Whether a provider's value is only replaced by a better one.
    /// - Returns: Whether anything bibliographic changed.
    func update(
        _ id: Int64, with prepared: PreparedRow, of batch: ResultBatchView, from sources: RecordSources,
        onlyFills: Bool, onlyIfBetter: Bool = false
    ) throws(ETLError) -> Bool {
        guard let row = try tables.books.work(id, batch) else { return false }
        try AuthorWriter(tables: tables).respell(prepared, of: batch)
        let added = try addContributors(prepared, of: batch, work: id)
        let addsPeople = added.new > 0
        guard addsPeople || !sources.areSettled(prepared, of: batch, in: row, onlyFills: onlyFills) else {
            return false
        }
        var work = StoredWork(row)
        if addsPeople {
            let known = work.row.lineage.origins(of: .authorName, count: added.known)
            let new = Array(
                repeating: Lineage.Origin(.entry(sources.entry), .filledFromRow), count: added.new)
            if !known.isEmpty { work.row.note(contributors: known + new) }
        }
        if let locked = tables.locked { work.row.locked = try locked.lineageFields(of: .work, id) }
        let policy = OfferPolicy(
            onlyFills: onlyFills, quality: onlyIfBetter ? (Int64(prepared.quality), work.quality) : nil)
        let lineage = batch.bytes(of: prepared.workLineage)
        let openLibrary = work.row[WorkColumns.openLibrary]
        let comparison = sources.comparison(
            ofLineage: prepared.workLineage, of: batch, with: row.lineage, onlyFills: onlyFills)
        for column in 0..<WorkColumns.count {
            let (field, text) = (WorkColumns.fields[column], batch.columns[prepared.columns + column])
            if field == .genre, text.isEmpty, !onlyFills, !prepared.isCutOff {
                // Genres from the user's shelves follow them. A series from the title stays: programs drop it from
                // titles of books that are still in it.
                work.row.withdraw(column: column, by: .entry(sources.entry), rule: .fromShelves)
            }
            // Most columns of a changed row stay, and comparing bytes is cheaper than making strings.
            let isSettled = row.texts.withColumns {
                comparison.isSettled(field, batch.bytes(of: text), $0[column], isCommunity: false)
            }
            guard !isSettled, let offer = sources.offer(of: field, in: lineage) else { continue }
            let value = batch.string(text)
            work.row.offer(
                column: column, value, from: offer.source, by: offer.rule,
                elements: sources.elements(of: field, in: lineage, value), policy: policy, isCommunity: false)
        }
        if !prepared.isSynthetic { work.isSynthetic = false }
        var isBetter = work.adopt(prepared, of: batch)
        if !prepared.authors.isEmpty, !work.row.locked.contains(.authorName),
            let offer = sources.offer(of: .authorName, in: lineage)
        {
            let present = work.row.lineage.origin(of: .authorName)?.source
            let isWorse = onlyIfBetter && present != nil && Int64(prepared.quality) <= row.quality
            if !onlyFills, !isWorse,
                present == nil || present == offer.source
                    || StoredRow.rank(offer.source) < StoredRow.rank(present)
            {
                let areBetterKnown = try replaceContributors(
                    prepared, of: batch, work: id, row: &work.row, offer: offer, from: sources)
                isBetter = isBetter || areBetterKnown
            }
        }
        guard work.row.isTouched || isBetter else { return addsPeople }
        try tables.books.set(work: id, CachedWork(work))
        // A work that gets another Open Library key is found by both keys.
        if work.row[WorkColumns.openLibrary] != openLibrary, let key = prepared.openLibraryKey,
            try tables.indexes.works.place(of: key).row == nil
        {
            try tables.indexes.works.change(key, row: id)
        }
        return work.row.isChanged || isBetter || addsPeople
    }

    /// Replaces a stored work's genres by those that the current rules derive from its subjects and from the shelves
    /// of an entry. Genres from the shelves of another entry stay.
    ///
    /// - Returns: Whether they changed.
    func rederiveGenres(
        _ id: Int64, with prepared: PreparedRow, of batch: ResultBatchView, entry: Int64
    ) throws(ETLError) -> Bool {
        guard let row = try tables.books.work(id, batch) else { return false }
        var work = StoredWork(row)
        if let locked = tables.locked, try locked.lineageFields(of: .work, id).contains(.genre) {
            return false
        }
        let column = Int(WorkColumns.index[Int(Field.genre.rawValue)])
        let genres = batch.string(batch.columns[prepared.columns + column])
        let origin = work.row.lineage.origin(of: .genre)
        if case .entry(let other)? = origin?.source, other != entry { return false }
        guard genres != work.row[column] ?? "" else { return false }
        let own = RecordSources(entry: entry, isNewEntry: false, candidates: [])
        let fromShelves = own.offer(of: .genre, in: batch.bytes(of: prepared.workLineage))
        let known = if case .candidate? = origin?.source { origin?.source } else { nil as Lineage.Source? }
        let source =
            fromShelves?.source ?? known ?? work.row.lineage.origin(of: .subject)?.source ?? .entry(entry)
        work.row.rederive(column: column, genres, from: source, by: fromShelves?.rule ?? .normalized)
        try tables.books.set(work: id, CachedWork(work))
        return true
    }

    /// Merges a work into another one. Its values fill gaps, its editions and aliases move to the other work,
    /// and its key keeps resolving as an alias.
    func merge(_ loser: Int64, into survivor: Int64, _ batch: ResultBatchView) throws(ETLError) {
        try tables.new.flush(batch)
        guard var kept = try tables.books.work(survivor, batch).map(StoredWork.init),
            let merged = try tables.books.work(loser, batch).map(StoredWork.init)
        else { return }
        // A field that the user has emptied is adopted, too.
        var adopted = FieldSet()
        if let locked = tables.locked {
            kept.row.locked = try locked.lineageFields(of: .work, survivor)
            adopted = try locked.lineageFields(of: .work, loser)
            try locked.move(work: loser, to: survivor)
        }
        for column in 0..<WorkColumns.count {
            let field = WorkColumns.fields[column]
            if adopted.contains(field), !kept.row.locked.contains(field) {
                kept.row.adopt(column: column, of: merged.row)
                continue
            }
            guard let value = merged.row[column] else { continue }
            let origin = merged.row.lineage.origin(of: WorkColumns.fields[column])
            kept.row.offer(
                column: column, value, from: origin?.source ?? .entry(0), by: origin?.rule ?? .given,
                elements: merged.row.elements(column), policy: OfferPolicy(onlyFills: false),
                isCommunity: false)
        }
        kept.absorb(merged)
        tables.hasContributors.bind(1, survivor)
        let survivorHasAuthors = try tables.hasContributors.next()
        tables.hasContributors.reset()
        let adoptsAuthors = adopted.contains(.authorName) && !kept.row.locked.contains(.authorName)
        if !survivorHasAuthors || adoptsAuthors { kept.row.adoptContributors(of: merged.row) }
        try tables.books.set(work: survivor, CachedWork(kept))
        for key in try openLibraryKeys(of: loser, merged) {
            try tables.indexes.works.change(TextKey(key), row: survivor)
        }
        if survivorHasAuthors {
            tables.deleteContributors.bind(1, adoptsAuthors ? survivor : loser)
            try tables.deleteContributors.run()
        }
        if !survivorHasAuthors || adoptsAuthors {
            tables.moveContributors.bind(1, loser)
            tables.moveContributors.bind(2, survivor)
            try tables.moveContributors.run()
        }
        try tables.books.moveEditions(of: loser, to: survivor, batch)
        if hasAliases(loser) {
            tables.moveAliases.bind(1, loser)
            tables.moveAliases.bind(2, survivor)
            try tables.moveAliases.run()
        }
        tables.books.remove(work: loser)
        tables.deleteWork.bind(1, loser)
        try tables.deleteWork.run()
        let space = tables.indexes.keyspaces.space(ofRow: survivor)
        tables.insertAlias.bind(1, WorkAlias.stored(merged.key, in: space))
        tables.insertAlias.bind(2, survivor)
        try tables.insertAlias.run()
        tables.aliasedWorks?.insert(survivor)
    }

    /// Whether aliases may lead to a work.
    private func hasAliases(_ work: Int64) -> Bool { tables.aliasedWorks?.contains(work) ?? true }

    /// All Open Library keys that lead to a work in the index: its own key, one that it got later, and those
    /// of works merged into it.
    private func openLibraryKeys(of id: Int64, _ work: StoredWork) throws(ETLError) -> Set<String> {
        var keys: Set<String> = [work.key]
        if let openLibrary = work.row[WorkColumns.openLibrary] { keys.insert("ol:\(openLibrary)") }
        let read = tables.readAliases
        guard hasAliases(id) else { return keys.filter { $0.hasPrefix("ol:") } }
        read.bind(1, id)
        while try read.next() { keys.insert(WorkAlias.key(ofStored: read.string(0))) }
        return keys.filter { $0.hasPrefix("ol:") }
    }
}

/// A new row of the table `works`.
struct NewWork: AppendedRow {
    static let columns =
        ["id", "key"] + WorkColumns.names + ["synthetic", "providers", "quality", "review_status", "lineage"]

    let id: Int64
    /// Index of the record's prepared row.
    let number: Int
    let lineage: UnsafeRawBufferPointer
    /// Nil for the prepared row's key.
    var key: UnsafeRawBufferPointer?

    func put<Row: RowValues & ~Copyable>(into row: inout Row, from batch: ResultBatchView) {
        row.add(text: key ?? batch.bytes(of: batch.rows[number].workKey))
        let values = batch.rows[number].columns
        for column in 0..<WorkColumns.count {
            let bytes = batch.bytes(of: batch.columns[values + column])
            if WorkColumns.isNumber(column) {
                row.add(number: bytes, isReal: false)
            } else {
                row.add(text: bytes)
            }
        }
        row.add(batch.rows[number].isSynthetic ? 1 : 0 as Int64)
        row.add(text: batch.bytes(of: batch.rows[number].providers))
        row.add(Int64(batch.rows[number].quality))
        row.add(Int64(batch.rows[number].reviewStatus.rawValue))
        row.add(blob: lineage)
    }
}

/// A new row of the table `contributors`.
struct NewContributor: AppendedRow, Equatable {
    static let columns = ["id", "author", "role"]

    let id: Int64
    let author: Int64
    let role: ContributorRole

    init(id: Int64, author: Int64, role: ContributorRole) {
        self.id = id
        self.author = author
        self.role = role
    }

    /// - Parameter position: Index among the work's contributors.
    init(work: Int64, position: Int, author: Int64, role: ContributorRole) {
        self.init(id: ContributorIDs.id(work: work, position: position), author: author, role: role)
    }

    func put<Row: RowValues & ~Copyable>(into row: inout Row, from source: Void) {
        row.add(placeholder: author)
        row.add(Int64(role.rawValue))
    }
}
