import Bytes
import Database

/// Inserts new works with their contributors, updates stored works, and merges works.
struct WorkWriter {
    let tables: LibraryTables

    /// The facts about a stored work that decide identity.
    func stored(_ id: Int64, _ batch: ResultBatchView) throws(SQLiteError) -> RecordIdentity.Work? {
        try tables.new.settle(work: id, batch)
        let read = tables.readWorkStanding
        read.bind(1, id)
        defer { read.reset() }
        guard try read.step() else { return nil }
        return .init(id: id, isSynthetic: read.integer(0) != 0, hasOpenLibraryKey: read.integer(1) != 0)
    }

    /// Appends a new work with its contributors.
    ///
    /// - Parameter key: The public key of its edition, if it is not the record's. A work without another key
    ///   has the same.
    func insert(
        _ number: Int, of batch: ResultBatchView, key: UnsafeRawBufferPointer?,
        lineage: UnsafeRawBufferPointer
    ) throws(SQLiteError) -> Int64 {
        let id = batch.row(of: number)
        if let key = batch.drafts[number].openLibraryKey {
            let place = try tables.indexes.works.place(of: key)
            if place.row == nil { tables.indexes.works.insertRecent(key, row: id, at: place) }
        }
        tables.new.append(
            NewWork(
                id: id, number: number, lineage: lineage,
                key: batch.drafts[number].openLibraryKey == nil ? key : nil))
        let authors = AuthorWriter(tables: tables)
        for (position, index) in batch.drafts[number].authors.enumerated() {
            tables.new.append(
                NewContributor(
                    work: id, position: position, author: try authors.write(index, of: batch).id,
                    role: batch.authors[index].author.role))
        }
        return id
    }

    /// Updates a stored work with a record's values.
    ///
    /// - Returns: Whether anything bibliographic changed.
    func update(
        _ id: Int64, with draft: ResultDraft, of batch: ResultBatchView, offers: RecordLineage,
        onlyFills: Bool
    ) throws(SQLiteError) -> Bool {
        try tables.new.settle(work: id, batch)
        guard var work = try read(id) else { return false }
        let openLibrary = work.row.columns[WorkColumns.openLibrary]
        for column in 0..<WorkColumns.count {
            let text = batch.columns[draft.columns + column]
            if text.isEmpty, !onlyFills, !draft.isCutOff {
                // What was derived from the title or the shelves follows them.
                switch WorkColumns.fields[column] {
                case .seriesName: work.row.withdraw(column: column, by: offers.entry)
                case .genre: work.row.withdraw(column: column, by: offers.entry, rule: .fromShelves)
                default: break
                }
            }
            guard !text.isEmpty, let offer = offers.work(WorkColumns.fields[column]) else { continue }
            work.row.offer(
                column: column, batch.string(text), from: offer.source, by: offer.rule, onlyFills: onlyFills,
                isCommunity: false)
        }
        if !draft.isSynthetic { work.isSynthetic = false }
        var isBetter = work.adopt(draft, of: batch)
        if !draft.authors.isEmpty, let offer = offers.work(.authorName) {
            let present = work.row.lineage.origin(of: .authorName)?.source
            if !onlyFills,
                present == nil || present == offer.source
                    || StoredRow.rank(offer.source) < StoredRow.rank(present)
            {
                let areBetterKnown = try replaceContributors(
                    draft, of: batch, work: id, row: &work.row, offer: offer)
                isBetter = isBetter || areBetterKnown
            }
        }
        guard work.row.isTouched || isBetter else { return false }
        try write(id, work)
        // A work that gets another Open Library key is found by both keys.
        if work.row.columns[WorkColumns.openLibrary] != openLibrary, let key = draft.openLibraryKey,
            try tables.indexes.works.place(of: key).row == nil
        {
            try tables.indexes.works.insertNow(key, row: id)
        }
        return work.row.isChanged || isBetter
    }

    /// - Returns: Whether more is now known about one of them.
    private func replaceContributors(
        _ draft: ResultDraft, of batch: ResultBatchView, work: Int64, row: inout StoredRow,
        offer: (source: Lineage.Source, rule: MergeRule)
    ) throws(SQLiteError) -> Bool {
        let authors = AuthorWriter(tables: tables)
        var new: [NewContributor] = []
        var areBetterKnown = false
        for (position, index) in draft.authors.enumerated() {
            let author = try authors.write(index, of: batch)
            areBetterKnown = areBetterKnown || author.isBetterKnown
            new.append(
                NewContributor(
                    work: work, position: position, author: author.id,
                    role: batch.authors[index].author.role))
        }
        let known = try contributors(of: work)
        let isSameSource = row.lineage.origin(of: .authorName)?.source == offer.source
        if isSameSource, case .candidate = offer.source {
            // People whom only another row of the book names.
            for other in known
            where other.role != .author && !new.contains(where: { $0.author == other.author }) {
                guard new.count < ContributorIDs.maxPerWork else { break }
                new.append(
                    NewContributor(work: work, position: new.count, author: other.author, role: other.role))
            }
        }
        if new != known {
            try tables.journal?.noteContributors(new.count, ofWork: work)
            tables.deleteContributors.bind(1, work)
            try tables.deleteContributors.run()
            for contributor in new { tables.new.append(contributor) }
            // The work is on disk, so its contributors are expected there too.
            try tables.new.flush(batch)
        } else if isSameSource {
            return areBetterKnown
        }
        row.note(.authorName, from: offer.source, by: offer.rule)
        return areBetterKnown
    }

    /// The contributors of a work that is on disk.
    private func contributors(of work: Int64) throws(SQLiteError) -> [NewContributor] {
        let read = tables.readContributors
        read.bind(1, work)
        var all: [NewContributor] = []
        while try read.step() {
            all.append(
                NewContributor(
                    id: read.integer(0), author: read.integer(1),
                    role: ContributorRole(rawValue: UInt8(truncatingIfNeeded: read.integer(2)))
                        ?? .contributor))
        }
        return all
    }

    /// Merges a work into another one. Its values fill gaps, its editions and aliases move to the other work,
    /// and its key keeps resolving as an alias.
    func merge(_ loser: Int64, into survivor: Int64, _ batch: ResultBatchView) throws(SQLiteError) {
        try tables.new.flush(batch)
        guard var kept = try read(survivor), let merged = try read(loser) else { return }
        for column in 0..<WorkColumns.count {
            guard let value = merged.row.columns[column] else { continue }
            let origin = merged.row.lineage.origin(of: WorkColumns.fields[column])
            kept.row.offer(
                column: column, value, from: origin?.source ?? .entry(0), by: origin?.rule ?? .given,
                onlyFills: false, isCommunity: false)
        }
        kept.absorb(merged)
        try write(survivor, kept)
        for key in try openLibraryKeys(of: loser, merged) {
            try tables.indexes.works.insertNow(TextKey(key), row: survivor)
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
        tables.insertAlias.bind(1, merged.key)
        tables.insertAlias.bind(2, survivor)
        try tables.insertAlias.run()
    }

    /// All Open Library keys that lead to a work in the index: its own key, one that it got later, and those
    /// of works merged into it.
    private func openLibraryKeys(of id: Int64, _ work: StoredWork) throws(SQLiteError) -> Set<String> {
        var keys: Set<String> = [work.key]
        if let openLibrary = work.row.columns[WorkColumns.openLibrary] { keys.insert("ol:\(openLibrary)") }
        let read = tables.readAliases
        read.bind(1, id)
        while try read.step() { keys.insert(read.string(0)) }
        return keys.filter { $0.hasPrefix("ol:") }
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

/// A new row of the table `works`.
struct NewWork: AppendedRow {
    static let columns =
        ["id", "key"] + WorkColumns.names + ["synthetic", "providers", "quality", "review_status", "lineage"]

    let id: Int64
    /// Index of the record's draft.
    let number: Int
    let lineage: UnsafeRawBufferPointer
    /// Nil for the draft's key.
    var key: UnsafeRawBufferPointer?

    func put<Row: RowValues & ~Copyable>(into row: inout Row, from batch: ResultBatchView) {
        row.add(text: key ?? batch.bytes(of: batch.drafts[number].workKey))
        let values = batch.drafts[number].columns
        for column in 0..<WorkColumns.count {
            let bytes = batch.bytes(of: batch.columns[values + column])
            if WorkColumns.isNumber(column) {
                row.add(number: bytes, isReal: false)
            } else {
                row.add(text: bytes)
            }
        }
        row.add(batch.drafts[number].isSynthetic ? 1 : 0 as Int64)
        row.add(text: batch.bytes(of: batch.drafts[number].providers))
        row.add(Int64(batch.drafts[number].quality))
        row.add(Int64(batch.drafts[number].reviewStatus.rawValue))
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

/// A stored work that is being updated.
struct StoredWork {
    var row: StoredRow
    var isSynthetic: Bool
    /// Contract names, the provider of the work first.
    var providers: [String]
    var quality: Int64
    var reviewStatus: Int64
    let key: String

    /// Adopts providers, quality and review status from a record.
    ///
    /// - Returns: Whether any of them changed.
    mutating func adopt(_ draft: ResultDraft, of batch: ResultBatchView) -> Bool {
        let before = (providers, quality, reviewStatus)
        for provider in StoredList.strings(batch.string(draft.providers)) where !providers.contains(provider)
        {
            providers.append(provider)
        }
        quality = max(quality, Int64(draft.quality))
        if reviewStatus == Int64(ReviewStatus.needsReview.rawValue) {
            reviewStatus = Int64(draft.reviewStatus.rawValue)
        }
        return before != (providers, quality, reviewStatus)
    }

    /// Adopts providers, quality and review status of a work that is merged into this one.
    mutating func absorb(_ merged: StoredWork) {
        isSynthetic = isSynthetic && merged.isSynthetic
        for provider in merged.providers where !providers.contains(provider) { providers.append(provider) }
        quality = max(quality, merged.quality)
        if reviewStatus == Int64(ReviewStatus.needsReview.rawValue) { reviewStatus = merged.reviewStatus }
    }
}

extension WorkColumns {
    /// The column of the Open Library key.
    static let openLibrary = Int(index[Int(Field.workKey.rawValue)])
}
