/// Writes one record after the other: finds out what of it is new, and writes just that.
struct RecordWriter {
    private let tables: LibraryTables
    private let works: WorkWriter
    private let editions: EditionWriter
    private let entries: EntryWriter
    private let onlyFills: Bool

    /// - Parameter onlyFills: Whether known entries take only what they lack: an older export (contract section 5a).
    init(tables: LibraryTables, library: Int64, onlyFills: Bool) {
        self.tables = tables
        works = WorkWriter(tables: tables)
        editions = EditionWriter(tables: tables)
        entries = EntryWriter(tables: tables, library: library)
        self.onlyFills = onlyFills
    }

    /// - Returns: the record's fate and its entry.
    func write(
        _ draft: ResultDraft, of results: Results, layout: Int64
    ) throws(SQLiteError) -> (fate: Fate, entry: Int64) {
        let place = try tables.indexes.entries.place(of: draft.entry.key)
        guard let entry = place.row, let stored = try entries.read(entry) else {
            return (.created, try create(draft, of: results, at: place, layout: layout))
        }
        if stored.contribution == draft.entry.contribution {
            if stored.community != draft.entry.community, !onlyFills {
                try entries.updateCommunity(entry, draft.entry, of: results)
            }
            return (.duplicate, entry)
        }
        let isChanged = try update(entry, stored, with: draft, of: results, layout: layout)
        return (isChanged ? .updated : .duplicate, entry)
    }

    // MARK: A new entry

    private func create(
        _ draft: ResultDraft, of results: Results, at place: KeyIndex.Place, layout: Int64
    ) throws(SQLiteError) -> Int64 {
        tables.indexes.lastEntry += 1
        let entry = tables.indexes.lastEntry
        let candidates = try writeCandidates(draft, of: results)
        let identity = try identity(of: draft, in: results, byEntry: nil)
        let edition = try writeBook(
            draft, of: results, identity: identity, entry: entry, candidates: candidates, isNewEntry: true
        ).edition
        try entries.insert(draft.entry, of: results, at: place, edition: edition, layout: layout)
        return entry
    }

    // MARK: A known entry

    private func update(
        _ entry: Int64, _ stored: EntryWriter.Stored, with draft: ResultDraft, of results: Results,
        layout: Int64
    ) throws(SQLiteError) -> Bool {
        let candidates = try writeCandidates(draft, of: results)
        let known = try editions.work(of: stored.edition)
        let identity = try identity(
            of: draft, in: results, byEntry: known.map { .init(id: stored.edition, work: $0) })
        let book = try writeBook(
            draft, of: results, identity: identity, entry: entry, candidates: candidates, isNewEntry: false)
        if onlyFills {
            let isFilled = try entries.fill(entry, draft.entry, of: results)
            return isFilled || book.isChanged
        }
        try entries.update(entry, draft.entry, of: results, edition: book.edition, layout: layout)
        return true
    }

    // MARK: Edition and work

    private func identity(
        of draft: ResultDraft, in results: Results, byEntry: RecordIdentity.Edition?
    ) throws(SQLiteError) -> RecordIdentity {
        var found: [RecordIdentity.Edition] = []
        for index in draft.isbns {
            guard let id = try tables.indexes.isbns.value(of: results.isbns[index]),
                !found.contains(where: { $0.id == id }), let work = try editions.work(of: id)
            else { continue }
            found.append(.init(id: id, work: work))
        }
        var byTitle: RecordIdentity.Edition?
        if found.isEmpty, byEntry == nil, let key = draft.titleKey,
            let id = try tables.indexes.editions.place(of: key).row, let work = try editions.work(of: id)
        {
            byTitle = .init(id: id, work: work)
        }
        var byOpenLibrary: Int64?
        if let key = draft.openLibraryKey { byOpenLibrary = try tables.indexes.works.place(of: key).row }
        return try RecordIdentity.resolve(
            byISBN: found.first, byEntry: byEntry, byTitle: byTitle,
            otherISBNWorks: found.dropFirst().map(\.work), byOpenLibrary: byOpenLibrary,
            hasOpenLibraryKey: draft.openLibraryKey != nil
        ) { (id) throws(SQLiteError) in try works.standing(id) }
    }

    private func writeBook(
        _ draft: ResultDraft, of results: Results, identity: RecordIdentity, entry: Int64,
        candidates: [Int64],
        isNewEntry: Bool
    ) throws(SQLiteError) -> (edition: Int64, isChanged: Bool) {
        var isChanged = false
        let work: Int64
        if let known = identity.work {
            work = known
            for loser in identity.folded { try works.fold(loser, into: known) }
            let offers = LineageOffers(draft, of: results, entry: entry, candidates: candidates)
            // A new reader's row fills gaps like any other; what stands is not its to correct.
            isChanged = try works.update(
                known, with: draft, of: results, offers: offers, onlyFills: onlyFills)
            if identity.gainsOpenLibraryKey, let key = draft.openLibraryKey {
                try tables.indexes.works.insertNow(key, row: known)
            }
        } else {
            work = try works.insert(
                draft, of: results, lineage: lineage(draft.workLineage, results, entry, candidates))
        }
        if let known = identity.edition {
            let offers = LineageOffers(draft, of: results, entry: entry, candidates: candidates)
            let isBetter = try editions.update(
                known.id, with: draft, of: results, work: work, offers: offers, onlyFills: onlyFills)
            return (known.id, isChanged || isBetter)
        }
        let edition = try editions.insert(
            draft, of: results, work: work, lineage: lineage(draft.editionLineage, results, entry, candidates)
        )
        return (edition, true)
    }

    private func lineage(
        _ items: Text, _ results: Results, _ entry: Int64, _ candidates: [Int64]
    ) -> [UInt8] {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(16 + Int(items.length))
        Lineage.appendSources(entry: entry, candidates: candidates, to: &bytes)
        results.arena.withBytes(items) { bytes.append(contentsOf: $0) }
        return bytes
    }

    // MARK: Candidates

    /// Stores the record's candidates, each once; one that says something else now is replaced.
    private func writeCandidates(_ draft: ResultDraft, of results: Results) throws(SQLiteError) -> [Int64] {
        var ids: [Int64] = []
        ids.reserveCapacity(draft.candidates.count)
        for index in draft.candidates {
            let candidate = results.candidates[index]
            let place = try tables.indexes.candidates.place(of: candidate.place)
            if let id = place.row {
                try refresh(id, candidate, of: results)
                ids.append(id)
                continue
            }
            tables.indexes.lastCandidate += 1
            let id = tables.indexes.lastCandidate
            tables.indexes.candidates.insertRecent(candidate.place, row: id, at: place)
            let insert = tables.insertCandidate
            try results.arena.withAllBytes { (all) -> Result<Void, SQLiteError> in
                insert.bind(1, id)
                insert.bind(2, Int(candidate.provider.rawValue))
                insert.bind(3, textInPlace: all.bytes(of: candidate.record))
                insert.bind(4, Int(candidate.match.rawValue))
                insert.bind(5, blobInPlace: all.bytes(of: candidate.body))
                return Result { () throws(SQLiteError) in try insert.run() }
            }.get()
            ids.append(id)
        }
        return ids
    }

    private func refresh(_ id: Int64, _ candidate: CandidateDraft, of results: Results) throws(SQLiteError) {
        let read = tables.readCandidateBody
        read.bind(1, id)
        guard try read.step() else { return }
        let isSame = results.arena.withBytes(candidate.body) { new in
            read.withBytes(0) { $0.elementsEqual(new) }
        }
        read.reset()
        guard !isSame else { return }
        tables.updateCandidate.bind(1, id)
        tables.updateCandidate.bind(2, blob: results.arena.bytes(candidate.body))
        try tables.updateCandidate.run()
    }
}
