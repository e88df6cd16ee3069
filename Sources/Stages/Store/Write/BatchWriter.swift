import Books
import Database
import System

/// Writes a batch in the caller's transaction: its records, their outcomes, warnings and rejects.
struct BatchWriter {
    private let tables: LibraryTables
    private let records: RecordWriter
    private let job: Int64
    private let library: Int64
    /// Whether the records are corrected rejects. Records that are now stored leave the rejects and get an
    /// outcome among the other records; the others stay rejected with their current reason.
    let isCorrection: Bool
    /// Notes which books are refreshed; nil for a job that imports records.
    private let refreshes: (table: Refreshes, options: RefreshOptions)?
    private let asksServices: Bool
    private let clock: any RunClock

    /// - Parameters:
    ///   - job: The job of the batches. If its mode is `fill` (an older export), known entries only get
    ///     values they lack.
    ///   - library: The library of the entries.
    ///   - asksServices: Whether the job asks services in this run.
    init(
        tables: LibraryTables, job: Job, library: Int64, isCorrection: Bool = false,
        asksServices: Bool = false,
        clock: any RunClock
    ) throws(ETLError) {
        self.tables = tables
        self.clock = clock
        self.asksServices = asksServices
        refreshes = try job.options?.refresh.map { (options) throws(ETLError) in
            (try Refreshes(tables.connection, of: job, asksServices: asksServices), options)
        }
        self.job = job.id
        self.library = library
        self.isCorrection = isCorrection
        records = try RecordWriter(
            tables: tables, library: library, job: job.id, onlyFills: job.mode == .fill,
            writers: try EntryWriters(tables.connection, of: job),
            createdBefore: try PreviouslyCreated(tables.connection),
            seen: SeenEntries(tables.connection, of: job), superseded: SupersededRows(tables.connection),
            warnsOfReplacedRows: !isCorrection && job.inputs.count == 1)
    }

    /// - Parameter layout: The layout of the records' cells.
    /// - Returns: The outcomes of the records.
    func write(_ results: ResultBatch, rejects: [Reject], layout: Int64) throws(ETLError)
        -> BatchCounts
    {
        var batchCounts = BatchCounts()
        // A batch may have been composed without knowledge of the store. Its rows must still come after the
        // existing ones.
        let first = max(results.firstRow, tables.indexes.lastRow + 1)
        tables.new.begin(first == results.firstRow ? results.image : nil, library: library, layout: layout)
        try results.lend(firstRow: first) { (batch) -> Result<Void, ETLError> in
            Result { () throws(ETLError) in
                if let refreshes {
                    return try refresh(batch, refreshes.table, refreshes.options, &batchCounts)
                }
                let layout = EntryLayout(id: layout, columns: results.exportColumns)
                try write(batch, results.warnings, layout: layout, &batchCounts)
            }
        }.get()
        tables.indexes.lastRow = first + Int64(results.rows.count) - 1
        var last: Position?
        let sorted = rejects.sorted {
            ($0.position.file, $0.position.record) < ($1.position.file, $1.position.record)
        }
        for reject in sorted {
            // Several rows that a program made of one record were rejected.
            if reject.position == last { continue }
            last = reject.position
            if let refreshes {
                // The book has no key for a lookup.
                batchCounts.count(.duplicate, isEnriched: false)
                try refreshes.table.note(reject.position.byte, at: clock.epochMilliseconds())
                continue
            }
            // A program may have made several rows of the record, of which others are stored now.
            if isCorrection, try update(reject) { continue }
            batchCounts.count(.rejected, isEnriched: false)
            // A book with an ISBN that no provider knows is not matched.
            if reject.code == ReasonCode.notFound.code, reject.field == "ISBN" {
                batchCounts.recordsWithISBN += 1
            }
            try write(reject)
        }
        return batchCounts
    }

    private func write(
        _ batch: ResultBatchView, _ warnings: [PreparedWarning], layout: EntryLayout,
        _ batchCounts: inout BatchCounts
    ) throws(ETLError) {
        var warnings = warnings[...]
        var outcomes = PackedOutcomes()
        var file = batch.rows.first?.position.file ?? 0
        var later: [PreparedWarning] = []
        let written = try records.write(batch, layout: layout, addingTo: &later)
        var laterWarnings = later[...]
        // A program may have made several rows of one record.
        var (last, count): (Position?, Int) = (nil, 0)
        for (number, (written, entry)) in written.enumerated() {
            let position = batch.rows[number].position
            if position != last {
                count = 0
                if isCorrection {
                    try clear(position)
                    batchCounts.counts.rejected -= 1
                }
            }
            last = position
            let isEnriched = batch.rows[number].isEnriched
            let isPending = written == .created && !batch.rows[number].unanswered.isEmpty
            let outcome = isPending ? RecordOutcome.pending : written
            batchCounts.count(outcome, isEnriched: isEnriched)
            if batch.rows[number].hasISBN { batchCounts.recordsWithISBN += 1 }
            if batch.rows[number].isISBNMatch { batchCounts.recordsMatched += 1 }
            let match = batch.rows[number].match
            if written == .updated || written == .created && match != nil {
                try tables.matches.store(match, of: entry)
            }
            if position.file != file {
                try write(&outcomes, of: file)
                file = position.file
            }
            outcomes.append(
                NumberedOutcome(
                    row: position.record, line: position.line, outcome: outcome, isEnriched: isEnriched,
                    entry: entry))
            while var warning = warnings.first, warning.row == number {
                warnings.removeFirst()
                if warning.warning.code == ReasonCode.isbnUnknown.code, try hasTitle(entry) { continue }
                warning.number = count
                try write(warning, at: position, entry: entry)
                count += 1
            }
            // Warnings noted while writing come after those noted before.
            while var warning = laterWarnings.first, warning.row == number {
                warning.number = count
                try write(warning, at: position, entry: entry)
                laterWarnings.removeFirst()
                count += 1
            }
        }
        try write(&outcomes, of: file)
        tables.scratch.removeAll()
    }

    /// Whether the store knows the title of an entry's book, from another row.
    private func hasTitle(_ entry: Int64) throws(ETLError) -> Bool {
        defer { tables.readTitle.reset() }
        return try tables.readTitle.first(entry)
    }

    /// Writes what providers offer for stored books. A book that waits for a service stays in the queue.
    private func refresh(
        _ batch: ResultBatchView, _ refreshes: Refreshes, _ options: RefreshOptions,
        _ batchCounts: inout BatchCounts
    ) throws(ETLError) {
        for number in batch.rows.indices {
            // The source puts the edition there.
            let edition = batch.rows[number].position.byte
            let isChanged = try records.refresh(edition, with: number, of: batch, options)
            // Without services nothing is pending.
            let isAnswered = !asksServices || batch.rows[number].unanswered.isEmpty
            guard isChanged || isAnswered else { continue }
            batchCounts.count(isChanged ? .updated : .duplicate, isEnriched: batch.rows[number].isEnriched)
            if batch.rows[number].hasISBN { batchCounts.recordsWithISBN += 1 }
            if batch.rows[number].isISBNMatch { batchCounts.recordsMatched += 1 }
            if isAnswered { try refreshes.note(edition, at: clock.epochMilliseconds()) }
        }
        try tables.new.flush(batch)
        tables.scratch.removeAll()
    }

    private func write(_ outcomes: inout PackedOutcomes, of file: Int) throws(ETLError) {
        if isCorrection {
            try tables.runs.insert(PackedOutcomes.records(outcomes.packed), file: file, job: job)
        } else {
            try tables.runs.append(outcomes, file: file, job: job)
        }
        outcomes.removeAll()
    }

    /// Removes the reject of a record that is now stored, and the warnings about rows of it that were stored before.
    private func clear(_ position: Position) throws(ETLError) {
        for delete in [tables.deleteReject, tables.deleteWarnings] {
            try delete.run(job, position.file, position.record)
        }
    }

    /// Updates the reason of a corrected record that is rejected again; false if it is not among the rejects.
    private func update(_ reject: Reject) throws(ETLError) -> Bool {
        let update = tables.updateReject
        try update.run(
            job, reject.position.file, reject.position.record, reject.stage, reject.code, reject.field,
            reject.value, reject.message)
        return tables.connection.changes > 0
    }

    private func write(_ prepared: PreparedWarning, at position: Position, entry: Int64) throws(ETLError) {
        let insert = tables.insertWarning
        insert.bind(1, job)
        insert.bind(2, position.file)
        insert.bind(3, position.record)
        insert.bind(4, prepared.number)
        insert.bind(5, position.line)
        insert.bind(6, entry)
        insert.bind(7, prepared.warning.code)
        insert.bind(8, prepared.warning.field)
        insert.bind(9, prepared.warning.value)
        insert.bind(10, prepared.warning.message)
        try insert.run()
    }

    private func write(_ reject: Reject) throws(ETLError) {
        let insert = tables.insertReject
        insert.bind(1, job)
        insert.bind(2, reject.position.file)
        insert.bind(3, reject.position.record)
        insert.bind(4, reject.position.line)
        insert.bind(5, reject.position.byte)
        insert.bind(6, reject.stage)
        insert.bind(7, reject.code)
        insert.bind(8, reject.field)
        insert.bind(9, reject.value)
        insert.bind(10, reject.message)
        insert.bind(11, blob: reject.raw)
        insert.bind(12, reject.rawLength)
        try insert.run()
    }
}
