import Books
import Bytes
import Database
import System

/// Writes a batch's records: determines the new values in each, and writes only those.
///
/// For a completely new record only its keys and authors are processed (``NewRecordWriter``). Such records
/// are written first, together. The others follow one by one (``DeferredRecords``).
struct RecordWriter {
    let tables: LibraryTables
    private let newRecords: NewRecordWriter
    let works: WorkWriter
    let editions: EditionWriter
    private let entries: EntryWriter
    let finder: EntryFinder
    private let collisions: SourceIDCollisions
    let copies: EntryCopies
    private let titles: TitleIdentity
    let shared: SharedISBN
    private let seen: SeenEntries
    private let superseded: SupersededRows
    private let warnsOfReplacedRows: Bool
    let candidates: CandidateWriter
    private let onlyFills: Bool
    private let writers: EntryWriters
    private let createdBefore: PreviouslyCreated?

    /// - Parameters:
    ///   - onlyFills: Whether known entries only get values they lack, because the file is an older export.
    ///   - warnsOfReplacedRows: Whether an update of the job's own entries is worth a warning. It is an ordinary one
    ///     where the job reads several exports, or a record a second time.
    init(
        tables: LibraryTables, library: Int64, job: Int64, onlyFills: Bool, writers: EntryWriters,
        createdBefore: PreviouslyCreated?, seen: SeenEntries, superseded: SupersededRows,
        warnsOfReplacedRows: Bool
    ) throws(ETLError) {
        self.tables = tables
        finder = EntryFinder(tables: tables, library: library)
        newRecords = NewRecordWriter(tables: tables)
        works = WorkWriter(tables: tables)
        editions = EditionWriter(tables: tables)
        entries = EntryWriter(tables: tables, library: library)
        collisions = try SourceIDCollisions(tables: tables, library: library, writers: writers, seen: seen)
        copies = EntryCopies(tables: tables, library: collisions.library, job: job)
        titles = TitleIdentity(tables: tables)
        shared = SharedISBN(tables: tables)
        self.seen = seen
        self.superseded = superseded
        self.warnsOfReplacedRows = warnsOfReplacedRows
        candidates = CandidateWriter(tables: tables)
        self.onlyFills = onlyFills
        self.writers = writers
        self.createdBefore = createdBefore
    }

    /// - Parameter warnings: Receives the warnings noted here, in the order of the records.
    /// - Returns: The outcome and the entry of each record.
    func write(
        _ batch: ResultBatchView, layout: EntryLayout, addingTo warnings: inout [PreparedWarning]
    ) throws(ETLError) -> [(outcome: RecordOutcome, entry: Int64)] {
        seen.beginBatch()
        tables.indexes.prefetch(batch)
        var known = DeferredRecords()
        for number in batch.rows.indices {
            // An entry that a deferred record will write is read when this record is written.
            let found =
                known.mayIncludeEntry(of: number, in: batch)
                ? nil : try finder.find(number, of: batch, layout: layout)
            switch found {
            case .stored(let entry): known.add(number, of: batch, entry: entry)
            case .at(let place) where place.row == nil && !known.mayInclude(number, of: batch):
                if try !newRecords.write(number, of: batch, entry: place) {
                    known.add(number, of: batch, entry: nil)
                }
            case .at, nil: known.add(number, of: batch, entry: nil)
            }
        }
        try tables.new.flush(batch)
        var written = batch.rows.indices.map { (outcome: RecordOutcome.created, entry: batch.row(of: $0)) }
        for record in known.records {
            let number = record.number
            written[number] = try write(
                number, of: batch, entry: record.entry, layout: layout, addingTo: &warnings)
            seen.note(written[number].entry)
            copies.note(written[number].entry, of: number, in: batch)
            if let createdBefore, try createdBefore.take(written[number].entry) {
                written[number].outcome = .created
            }
        }
        try tables.new.flush(batch)
        copies.end(batch, entries: written.lazy.map(\.entry))
        return written
    }

    /// Writes a record that may be stored already.
    ///
    /// - Parameter entry: Its entry; nil if it is not known whether there is one.
    private func write(
        _ number: Int, of batch: ResultBatchView, entry: StoredEntry?, layout: EntryLayout,
        addingTo warnings: inout [PreparedWarning]
    ) throws(ETLError) -> (outcome: RecordOutcome, entry: Int64) {
        // A prepared row is large, so only the fields needed are read from the batch.
        let stored: StoredEntry
        let found =
            if let entry { EntryFinder.Found.stored(entry) } else {
                try finder.lookUp(number, of: batch)
            }
        switch found {
        case .stored(let entry): stored = entry
        case .at(let place):
            if let removed = place.row, let locked = tables.locked, locked.isRemoved(removed) {
                return try write(
                    number, of: batch, asCopyOf: nil, row: removed,
                    sourceID: batch.bytes(of: batch.rows[number].entry.sourceID), layout: layout,
                    addingTo: &warnings)
            }
            let name = EntryKey(
                key: batch.rows[number].entry.key, place: place,
                sourceID: batch.bytes(of: batch.rows[number].entry.sourceID))
            return (.created, try create(number, of: batch, as: name, layout: layout, addingTo: &warnings))
        }
        // A row that a later row of the file replaced is not another book, whatever the entry has become since.
        if stored.contentHash != batch.rows[number].entry.contentHash,
            let name = try collisions.name(
                of: number, in: batch, besides: stored.id, edition: stored.edition, layout: layout),
            try !isSuperseded(number, of: batch, by: stored)
        {
            if let warning = collisions.warning(of: number, in: batch, layout: layout) {
                warnings.append(PreparedWarning(row: number, number: 0, warning: warning))
            }
            guard let duplicate = name.place.row, let known = try finder.read(duplicate, batch) else {
                return (
                    .created, try create(number, of: batch, as: name, layout: layout, addingTo: &warnings)
                )
            }
            return try write(
                number, of: batch, asCopyOf: known, row: known.id, sourceID: name.sourceID, layout: layout,
                addingTo: &warnings)
        }
        return try write(
            number, of: batch, asCopyOf: stored, row: stored.id,
            sourceID: batch.bytes(of: batch.rows[number].entry.sourceID), layout: layout, addingTo: &warnings)
    }

    /// Writes a record whose entry is stored.
    func write(
        _ number: Int, of batch: ResultBatchView, onto stored: StoredEntry, layout: EntryLayout,
        addingTo warnings: inout [PreparedWarning]
    ) throws(ETLError) -> (outcome: RecordOutcome, entry: Int64) {
        if stored.contentHash == batch.rows[number].entry.contentHash {
            if stored.community != batch.rows[number].entry.community, !onlyFills,
                !batch.rows[number].isCutOff, try !writers.isLater(stored.id)
            {
                try entries.updateCommunity(
                    stored.id, batch.rows[number].entry, of: batch, layout: layout)
                try editions.renewAverageRating(
                    stored.edition, with: batch.rows[number], of: batch, entry: stored.id)
            }
            return (.duplicate, stored.id)
        }
        if try isSuperseded(number, of: batch, by: stored) { return (.duplicate, stored.id) }
        let replacesOwn = onlyFills ? false : try writers.isOwn(stored.id)
        let isChanged = try update(stored, with: number, of: batch, layout: layout)
        if replacesOwn {
            try superseded.note(stored.contentHash, of: stored.id)
            if isChanged, warnsOfReplacedRows {
                let warning = Warning(
                    .rowReplaced, value: batch.string(batch.rows[number].entry.sourceID))
                warnings.append(PreparedWarning(row: number, number: 0, warning: warning))
            }
        }
        return (isChanged ? .updated : .duplicate, stored.id)
    }

    /// Whether a later row of the same files has replaced a record in its entry before.
    func isSuperseded(
        _ number: Int, of batch: ResultBatchView, by stored: StoredEntry
    ) throws(ETLError) -> Bool {
        guard try superseded.contains(batch.rows[number].entry.contentHash, of: stored.id) else {
            return false
        }
        return try writers.isOfSameFiles(stored.id)
    }

    // MARK: A new entry

    /// - Parameter other: The edition of another copy of the book; nil for the first copy.
    func create(
        _ number: Int, of batch: ResultBatchView, as name: EntryKey, layout: EntryLayout,
        edition other: Int64? = nil, addingTo warnings: inout [PreparedWarning]
    ) throws(ETLError) -> Int64 {
        let entry = batch.row(of: number)
        let candidates = try candidates.write(of: number, in: batch)
        let found = try editionsFound(byISBNsOf: number, in: batch)
        var byEntry: RecordIdentity.Edition?
        if let other, found.editions.isEmpty, try !isAboutOtherEdition(than: other, number, batch) {
            byEntry = try editions.work(of: other, batch).map { .init(id: other, work: $0) }
        }
        let book = try identity(of: number, in: batch, byISBN: found, byEntry: byEntry)
        let edition = try writeBook(
            number, of: batch, as: book, entry: entry, candidates: candidates, onlyFills: onlyFills
        ).edition
        if case .edition = book.byTitle {
            warnings.append(
                PreparedWarning(
                    row: number, number: 0,
                    warning: Warning(.mergedByTitle, value: batch.string(batch.rows[number].entry.title))))
        } else if let other = found.other {
            warnings.append(
                PreparedWarning(row: number, number: 0, warning: sharedISBN(of: number, in: batch, other)))
        }
        entries.insert(number, of: batch, as: name, edition: edition, layout: layout)
        return entry
    }

    // MARK: A known entry

    private func update(
        _ stored: StoredEntry, with number: Int, of batch: ResultBatchView, layout: EntryLayout
    ) throws(ETLError) -> Bool {
        let entry = stored.id
        // Values missing where a file was cut off are not corrections.
        let isCutOff = batch.rows[number].isCutOff
        let onlyFills = if self.onlyFills || isCutOff { true } else { try writers.isLater(entry) }
        let book: (edition: Int64, isChanged: Bool)
        let isISBNFixed = try tables.locked?.hasFixedISBN(edition: stored.edition) == true
        if isISBNFixed, try isAboutOtherISBN(than: stored.edition, number, batch) {
            // The user has corrected the record's ISBN. What is known about that is about another book.
            book = (stored.edition, false)
        } else {
            let candidates = try candidates.write(of: number, in: batch)
            var known = try editions.work(of: stored.edition, batch)
            var found = try editionsFound(byISBNsOf: number, in: batch)
            if isISBNFixed { found.editions.removeAll { $0.id != stored.edition } }
            if found.editions.isEmpty, !isISBNFixed,
                try isAboutOtherEdition(than: stored.edition, number, batch)
            {
                // The ISBN of an older export is the one that the entry had before.
                guard !onlyFills else {
                    return try entries.fill(
                        entry, batch.rows[number].entry, of: batch, layout: layout,
                        correcting: writers.isReread)
                }
                known = nil
            }
            let identity = try identity(
                of: number, in: batch, byISBN: found,
                byEntry: known.map { .init(id: stored.edition, work: $0) })
            book = try writeBook(
                number, of: batch, as: identity, entry: entry, candidates: candidates, onlyFills: onlyFills,
                layout: layout)
        }
        if onlyFills, !isCutOff, try writers.isOfSameFiles(entry) {
            let isSame = try entries.update(
                entry, batch.rows[number].entry, of: batch, edition: stored.edition, layout: layout)
            return !isSame || book.isChanged
        }
        if onlyFills {
            let isFilled = try entries.fill(
                entry, batch.rows[number].entry, of: batch, layout: layout, correcting: writers.isReread)
            return isFilled || book.isChanged
        }
        let isSame = try entries.update(
            entry, batch.rows[number].entry, of: batch, edition: book.edition, layout: layout)
        try writers.note(entry)
        if book.edition != stored.edition { try editions.noteLeft(stored.edition) }
        return !isSame || book.isChanged || book.edition != stored.edition
    }

    // MARK: Edition and work

    /// Identity of a record, and the finding by its title.
    typealias Identity = (record: RecordIdentity, byTitle: TitleIdentity.Finding)

    private func identity(
        of number: Int, in batch: ResultBatchView, byISBN found: FoundByISBN,
        byEntry: RecordIdentity.Edition?
    ) throws(ETLError) -> Identity {
        var byTitle = TitleIdentity.Finding.new(key: nil, work: nil)
        if found.editions.isEmpty, byEntry == nil {
            byTitle = try titles.find(number, of: batch, ignoringISBN: found.other != nil)
        }
        var byOpenLibrary: Int64?
        let openLibraryKey = batch.rows[number].openLibraryKey
        if let key = openLibraryKey { byOpenLibrary = try tables.indexes.works.place(of: key).row }
        let record = try RecordIdentity.resolve(
            byISBN: found.editions.first, byEntry: byEntry, byTitle: byTitle.edition,
            otherISBNWorks: found.editions.dropFirst().map(\.work), byOpenLibrary: byOpenLibrary,
            hasOpenLibraryKey: openLibraryKey != nil, workOfTitle: byTitle.work
        ) { (id) throws(ETLError) in try works.stored(id, batch) }
        return (record, byTitle)
    }

    /// The identity without what the user has decided otherwise: works whose editions stay in them are not
    /// merged, and get no other key.
    private func asLocked(_ record: RecordIdentity) throws(ETLError) -> RecordIdentity {
        guard let locked = tables.locked, let edition = record.edition else { return record }
        var isFixed = try locked.isFixed(edition: edition.id)
        if !record.merged.isEmpty {
            // The places of the works' editions are known on disk only.
            try tables.books.write()
            for work in record.merged + [edition.work] where !isFixed {
                isFixed = try locked.hasFixedEdition(work: work)
            }
        }
        return isFixed ? RecordIdentity(edition: edition, work: edition.work) : record
    }

    private func writeBook(
        _ number: Int, of batch: ResultBatchView, as book: Identity, entry: Int64, candidates: [Int64],
        onlyFills: Bool, layout: EntryLayout? = nil
    ) throws(ETLError) -> (edition: Int64, isChanged: Bool) {
        try writeBook(
            number, of: batch, as: book,
            from: RecordSources(
                entry: entry, isNewEntry: entry == batch.row(of: number), candidates: candidates,
                layout: layout),
            onlyFills: onlyFills)
    }

    func writeBook(
        _ number: Int, of batch: ResultBatchView, as book: Identity, from sources: RecordSources,
        onlyFills: Bool, onlyIfBetter: Bool = false
    ) throws(ETLError) -> (edition: Int64, isChanged: Bool) {
        let identity = try asLocked(book.record)
        var isChanged = !identity.merged.isEmpty
        let work: Int64
        if let known = identity.work {
            work = known
            for loser in identity.merged { try works.merge(loser, into: known, batch) }
            // The row of a new entry fills gaps like any other, but does not change existing values.
            let isUpdated = try works.update(
                known, with: batch.rows[number], of: batch, from: sources, onlyFills: onlyFills,
                onlyIfBetter: onlyIfBetter)
            isChanged = isChanged || isUpdated
            if identity.gainsOpenLibraryKey, let key = batch.rows[number].openLibraryKey {
                try tables.indexes.works.change(key, row: known)
            }
        } else {
            work = try works.insert(
                number, of: batch, key: book.byTitle.key,
                lineage: lineage(batch.rows[number].workLineage, batch, sources))
        }
        if let known = identity.edition {
            let isBetter = try editions.update(
                known.id, with: batch.rows[number], of: batch, work: work, from: sources,
                onlyFills: onlyFills, onlyIfBetter: onlyIfBetter)
            return (known.id, isChanged || isBetter)
        }
        let edition = try editions.insert(
            number, of: batch, key: book.byTitle.key, work: work,
            lineage: lineage(batch.rows[number].editionLineage, batch, sources))
        return (edition, true)
    }

    /// The ids of the sources are only known here. They precede the fields, which were packed earlier.
    private func lineage(
        _ fields: Text, _ batch: ResultBatchView, _ sources: RecordSources
    ) -> UnsafeRawBufferPointer {
        tables.scratch.keep { out in
            Lineage.appendSources(entry: sources.entry, candidates: sources.candidates, to: &out)
            out.append(contentsOf: batch.bytes(of: fields))
        }
    }
}
