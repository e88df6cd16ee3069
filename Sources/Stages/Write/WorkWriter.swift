/// Writes works and who made them: new ones as they are composed, stored ones brought up to date, folded ones into
/// the one that survives.
struct WorkWriter {
    let tables: LibraryTables

    /// What of a stored work decides identity.
    func standing(_ id: Int64) throws(SQLiteError) -> RecordIdentity.Work? {
        let read = tables.readWorkStanding
        read.bind(1, id)
        defer { read.reset() }
        guard try read.step() else { return nil }
        return .init(id: id, isSynthetic: read.integer(0) != 0, hasOpenLibraryKey: read.integer(1) != 0)
    }

    /// Appends a new work with its contributors.
    func insert(_ draft: ResultDraft, of results: Results, lineage: [UInt8]) throws(SQLiteError) -> Int64 {
        tables.indexes.lastWork += 1
        let id = tables.indexes.lastWork
        if let key = draft.openLibraryKey {
            let place = try tables.indexes.works.place(of: key)
            if place.row == nil { tables.indexes.works.insertRecent(key, row: id, at: place) }
        }
        let insert = tables.insertWork
        try results.arena.withAllBytes { (all) -> Result<Void, SQLiteError> in
            insert.bind(1, id)
            insert.bind(2, textInPlace: all.bytes(of: draft.workKey))
            for column in 0..<WorkColumns.count {
                insert.bind(
                    Int32(column + 3), textInPlace: all.bytes(of: results.columns[draft.columns + column]))
            }
            let next = Int32(WorkColumns.count + 3)
            insert.bind(next, draft.isSynthetic ? 1 : 0)
            insert.bind(next + 1, textInPlace: all.bytes(of: draft.providers))
            insert.bind(next + 2, Int(draft.quality))
            insert.bind(next + 3, Int(draft.reviewStatus.rawValue))
            return lineage.withUnsafeBytes { bytes in
                insert.bind(next + 4, blobInPlace: bytes)
                return Result { () throws(SQLiteError) in try insert.run() }
            }
        }.get()
        try insertContributors(draft, of: results, work: id)
        return id
    }

    private func insertContributors(
        _ draft: ResultDraft, of results: Results, work: Int64
    ) throws(SQLiteError) {
        let authors = AuthorWriter(tables: tables)
        for (position, index) in draft.authors.enumerated() {
            let author = try authors.write(results.authors[index], of: results)
            tables.insertContributor.bind(1, work)
            tables.insertContributor.bind(2, position)
            tables.insertContributor.bind(3, author)
            tables.insertContributor.bind(4, Int(results.authors[index].author.role.rawValue))
            try tables.insertContributor.run()
        }
    }

    /// Brings a stored work up to date with what a record says of it.
    ///
    /// - Returns: Whether anything bibliographic changed.
    func update(
        _ id: Int64, with draft: ResultDraft, of results: Results, offers: LineageOffers, onlyFills: Bool
    ) throws(SQLiteError) -> Bool {
        guard var work = try read(id) else { return false }
        for column in 0..<WorkColumns.count {
            let text = results.columns[draft.columns + column]
            guard !text.isEmpty, let offer = offers.work(WorkColumns.fields[column]) else { continue }
            work.row.offer(
                column: column, results.arena[text], from: offer.source, by: offer.rule, onlyFills: onlyFills,
                isCommunity: false)
        }
        if !draft.isSynthetic { work.isSynthetic = false }
        let isBetter = work.adopt(draft, of: results)
        if !draft.authors.isEmpty, let offer = offers.work(.authorName) {
            let present = work.row.lineage.origin(of: .authorName)?.source
            if !onlyFills,
                present == nil || present == offer.source
                    || StoredRow.rank(offer.source) < StoredRow.rank(present)
            {
                try replaceContributors(draft, of: results, work: id, row: &work.row, offer: offer)
            }
        }
        guard work.row.isTouched || isBetter else { return false }
        try write(id, work)
        return work.row.isChanged || isBetter
    }

    private func replaceContributors(
        _ draft: ResultDraft, of results: Results, work: Int64, row: inout StoredRow,
        offer: (source: Lineage.Source, rule: MergeRule)
    ) throws(SQLiteError) {
        let present = try contributors(of: work)
        tables.deleteContributors.bind(1, work)
        try tables.deleteContributors.run()
        try insertContributors(draft, of: results, work: work)
        let isSame = try contributors(of: work) == present
        if !isSame || row.lineage.origin(of: .authorName)?.source != offer.source {
            row.note(.authorName, from: offer.source, by: offer.rule)
        }
    }

    private func contributors(of work: Int64) throws(SQLiteError) -> [Int64] {
        let read = try tables.connection.prepare(
            "SELECT author, role FROM contributors WHERE work = ?1 ORDER BY position")
        read.bind(1, work)
        var all: [Int64] = []
        while try read.step() { all += [read.integer(0), read.integer(1)] }
        return all
    }

    /// Folds a work into the one that survives: its values fill gaps, what pointed at it points at the survivor, its
    /// key goes on resolving (contract.md section 5a).
    func fold(_ loser: Int64, into survivor: Int64) throws(SQLiteError) {
        guard var kept = try read(survivor), let folded = try read(loser) else { return }
        for column in 0..<WorkColumns.count {
            guard let value = folded.row.columns[column] else { continue }
            let origin = folded.row.lineage.origin(of: WorkColumns.fields[column])
            kept.row.offer(
                column: column, value, from: origin?.source ?? .entry(0), by: origin?.rule ?? .given,
                onlyFills: false, isCommunity: false)
        }
        kept.absorb(folded)
        try write(survivor, kept)
        if let openLibrary = folded.row.columns[WorkColumns.openLibrary] {
            try tables.indexes.works.insertNow(TextKey("ol:\(openLibrary)"), row: survivor)
        }
        tables.hasContributors.bind(1, survivor)
        let survivorHasAuthors = try tables.hasContributors.step()
        tables.hasContributors.reset()
        let contributors = survivorHasAuthors ? tables.deleteContributors : tables.moveContributors
        contributors.bind(1, loser)
        if !survivorHasAuthors { contributors.bind(2, survivor) }
        try contributors.run()
        for move in [tables.moveEditions, tables.moveAliases] {
            move.bind(1, loser)
            move.bind(2, survivor)
            try move.run()
        }
        tables.deleteWork.bind(1, loser)
        try tables.deleteWork.run()
        tables.insertAlias.bind(1, folded.key)
        tables.insertAlias.bind(2, survivor)
        try tables.insertAlias.run()
    }

    private func read(_ id: Int64) throws(SQLiteError) -> StoredWork? {
        let read = tables.readWork
        read.bind(1, id)
        defer { read.reset() }
        guard try read.step() else { return nil }
        let next = Int32(WorkColumns.count)
        return StoredWork(
            row: StoredRow(
                fields: WorkColumns.fields, columns: (0..<next).map { read.optionalString($0) },
                lineage: Lineage(decoding: read.bytes(next + 4))),
            isSynthetic: read.integer(next) != 0, providers: StoredList.strings(read.string(next + 1)),
            quality: read.integer(next + 2), reviewStatus: read.integer(next + 3), key: read.string(next + 5))
    }

    private func write(_ id: Int64, _ work: StoredWork) throws(SQLiteError) {
        let update = tables.updateWork
        update.bind(1, id)
        for column in 0..<WorkColumns.count { update.bind(Int32(column + 2), work.row.columns[column]) }
        let next = Int32(WorkColumns.count + 2)
        update.bind(next, work.isSynthetic ? 1 : 0)
        update.bind(next + 1, StoredList.stored(work.providers))
        update.bind(next + 2, work.quality)
        update.bind(next + 3, work.reviewStatus)
        update.bind(next + 4, blob: work.row.lineage.encoded())
        try update.run()
    }
}
