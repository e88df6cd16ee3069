import Bytes
package import Database
package import System

/// The outcome of a job's record.
package struct NumberedOutcome: Sendable, Hashable {
    /// Record number in its file, from 1.
    package var row: Int
    /// The line on which it starts, from 1.
    package var line: Int
    package var outcome: RecordOutcome
    /// Whether a provider matched it.
    package var isEnriched: Bool
    /// The entry it created, updated or repeats.
    package var entry: Int64
}

/// The outcomes of consecutive records of a file, stored as one row of `record_runs`.
///
/// A row per record would cost as much as its entry; packed, a record costs four bytes.
///
///     for each record:  varint     row, minus the previous one
///                       varint     line, minus the previous one
///                       1 byte     outcome, plus 8 if a provider matched
///                       zigzag     entry, minus the previous one
struct PackedOutcomes: Sendable, Hashable {
    private(set) var count = 0
    /// Number of the first record.
    private(set) var firstRow = 0
    /// Number of the last record.
    private(set) var lastRow = 0
    private(set) var packed: [UInt8] = []
    private var lastLine = 0
    private var lastEntry: Int64 = 0

    private static let enrichedBit: UInt8 = 8

    init() {}

    /// Appends a record. Its number and line must not be lower than the last record's.
    mutating func append(_ record: NumberedOutcome) {
        if count == 0 { firstRow = record.row }
        Varint.append(UInt64(max(0, record.row - lastRow)), to: &packed)
        Varint.append(UInt64(max(0, record.line - lastLine)), to: &packed)
        packed.append(record.outcome.rawValue | (record.isEnriched ? Self.enrichedBit : 0))
        Varint.append(signed: record.entry &- lastEntry, to: &packed)
        (lastRow, lastLine, lastEntry) = (record.row, record.line, record.entry)
        count += 1
    }

    /// Removes all records and keeps the memory.
    mutating func removeAll() {
        packed.removeAll(keepingCapacity: true)
        (count, firstRow, lastRow, lastLine, lastEntry) = (0, 0, 0, 0, 0)
    }

    /// The records of a packed run. If it is damaged, those before the damage.
    static func records(_ packed: [UInt8]) -> [NumberedOutcome] {
        packed.withUnsafeBytes { records($0) { _ in true } }
    }

    /// The records of a packed run whose entry satisfies a condition.
    static func records(
        _ packed: UnsafeRawBufferPointer, where isWanted: (_ entry: Int64) -> Bool
    ) -> [NumberedOutcome] {
        var records: [NumberedOutcome] = []
        var (at, row, line, entry) = (0, 0, 0, 0 as Int64)
        while let rowStep = Varint.take(packed, at: &at), let lineStep = Varint.take(packed, at: &at),
            at < packed.count
        {
            let byte = packed[at]
            at += 1
            guard let entryStep = Varint.takeSigned(packed, at: &at),
                let outcome = RecordOutcome(rawValue: byte & ~enrichedBit),
                rowStep <= StoredNumber.max, lineStep <= StoredNumber.max
            else { break }
            row += Int(rowStep)
            line += Int(lineStep)
            entry &+= entryStep
            guard row <= StoredNumber.max, line <= StoredNumber.max else { break }
            guard isWanted(entry) else { continue }
            records.append(
                NumberedOutcome(
                    row: row, line: line, outcome: outcome, isEnriched: byte & enrichedBit != 0, entry: entry)
            )
        }
        return records
    }
}

/// Reads the outcomes of jobs' records, one run of records at a time, in input order.
package struct PackedOutcomesReader {
    /// The records in one row of `record_runs`.
    package struct Run {
        package var job: Int64
        /// Index of the file among the job's inputs.
        package var file: Int
        package var records: [NumberedOutcome]
    }

    private let runs: Statement

    private init(_ connection: Connection, _ condition: String) throws(ETLError) {
        runs = try connection.prepare("SELECT job, file, outcomes FROM record_runs \(condition)")
    }

    /// All records of a job.
    package init(_ connection: Connection, of job: Int64) throws(ETLError) {
        try self.init(connection, "WHERE job = ?1 ORDER BY job, file, row")
        runs.bind(1, job)
    }

    /// All records of jobs that are not undone, those of the newest job first.
    package init(newestJobsFirst connection: Connection) throws(ETLError) {
        try self.init(connection, "WHERE job NOT IN (\(JobTable.undone)) ORDER BY job DESC, file, row")
    }

    /// The entries of all records that are left.
    ///
    /// - Parameter file: Index of the only file whose records count; nil for all.
    func entries(ofFile file: Int? = nil) throws(ETLError) -> RowSet {
        var entries = RowSet()
        while let run = try next() {
            guard file == nil || run.file == file else { continue }
            for record in run.records { entries.insert(record.entry) }
        }
        return entries
    }

    /// The next run; nil after the last.
    package func next() throws(ETLError) -> Run? {
        guard try runs.next() else { return nil }
        return Run(
            job: runs.integer(0), file: Int(runs.integer(1)), records: PackedOutcomes.records(runs.bytes(2)))
    }

    /// The next run with records of some entries, and only those records; nil after the last.
    package func next(of entries: Set<Int64>) throws(ETLError) -> Run? {
        guard let first = entries.min(), let last = entries.max() else { return nil }
        while try runs.next() {
            let records = runs.withBytes(2) { packed in
                // A million records are looked through, and nearly all are of other entries.
                PackedOutcomes.records(packed) { (first...last).contains($0) && entries.contains($0) }
            }
            if !records.isEmpty {
                return Run(job: runs.integer(0), file: Int(runs.integer(1)), records: records)
            }
        }
        return nil
    }

    /// The first record of a job's file that was not rejected.
    package static func first(
        ofFile file: Int, of job: Int64, in connection: Connection
    ) throws(ETLError) -> NumberedOutcome? {
        guard
            let run = try connection.row(
                "SELECT outcomes FROM record_runs WHERE job = ?1 AND file = ?2 ORDER BY row LIMIT 1", job,
                file)
        else { return nil }
        return PackedOutcomes.records(run.bytes(0)).first
    }

    /// One record of a job; nil if there is none with this number, or it was rejected.
    package static func record(
        _ row: Int, file: Int, of job: Int64, in connection: Connection
    ) throws(ETLError) -> NumberedOutcome? {
        guard
            let run = try connection.row(
                """
                SELECT outcomes FROM record_runs WHERE job = ?1 AND file = ?2 AND row <= ?3
                ORDER BY row DESC LIMIT 1
                """, job, file, row)
        else { return nil }
        return PackedOutcomes.records(run.bytes(0)).first { $0.row == row }
    }
}

/// Inserts outcomes among the stored ones. A rejected record that was corrected joins the run of
/// ``PackedOutcomes`` of its neighbors.
///
/// Runs of a file never overlap and are in the order of their records; ``PackedOutcomesReader`` relies on
/// that. A record between two runs, or after the last one, joins the run before it. A record before all runs
/// starts a new one.
struct OutcomeRuns {
    /// Maximum records of a run. Longer runs are split.
    static let maxRecords = 1_024

    private let read: Statement
    private let next: Statement
    private let delete: Statement
    private let insert: Statement

    init(_ connection: Connection) throws(ETLError) {
        read = try connection.prepare(
            """
            SELECT row, outcomes FROM record_runs WHERE job = ?1 AND file = ?2 AND row <= ?3
            ORDER BY row DESC LIMIT 1
            """)
        next = try connection.prepare(
            "SELECT row FROM record_runs WHERE job = ?1 AND file = ?2 AND row > ?3 ORDER BY row LIMIT 1")
        delete = try connection.prepare("DELETE FROM record_runs WHERE job = ?1 AND file = ?2 AND row = ?3")
        insert = try connection.prepare("INSERT INTO record_runs VALUES (?1,?2,?3,?4,?5,?6)")
    }

    /// Stores a run that does not overlap the stored ones.
    func append(_ outcomes: PackedOutcomes, file: Int, job: Int64) throws(ETLError) {
        guard outcomes.count > 0 else { return }
        try insert.run(job, file, outcomes.firstRow, outcomes.lastRow, outcomes.count, outcomes.packed)
    }

    /// Inserts records of a file, in ascending order. None of them may be stored yet.
    func insert(_ records: [NumberedOutcome], file: Int, job: Int64) throws(ETLError) {
        var rest = records[...]
        while let first = rest.first {
            let end = try firstRow(after: first.row, file: file, job: job)
            let joining = end.map { end in rest.prefix { $0.row < end } } ?? rest
            rest = rest.dropFirst(joining.count)
            let run = try takeRun(before: first.row, file: file, job: job) + joining
            try write(run.sorted { $0.row < $1.row }, file: file, job: job)
        }
    }

    private func firstRow(after row: Int, file: Int, job: Int64) throws(ETLError) -> Int? {
        bind(next, job, file, row)
        defer { next.reset() }
        return try next.next() ? Int(next.integer(0)) : nil
    }

    /// Removes and returns the run that a record joins; empty if it joins none.
    private func takeRun(before row: Int, file: Int, job: Int64) throws(ETLError) -> [NumberedOutcome] {
        bind(read, job, file, row)
        guard try read.next() else {
            read.reset()
            return []
        }
        let (begin, records) = (Int(read.integer(0)), PackedOutcomes.records(read.bytes(1)))
        read.reset()
        bind(delete, job, file, begin)
        try delete.run()
        return records
    }

    private func write(_ records: [NumberedOutcome], file: Int, job: Int64) throws(ETLError) {
        var rest = records[...]
        while !rest.isEmpty {
            var outcomes = PackedOutcomes()
            for record in rest.prefix(Self.maxRecords) { outcomes.append(record) }
            rest = rest.dropFirst(Self.maxRecords)
            try append(outcomes, file: file, job: job)
        }
    }

    private func bind(_ statement: Statement, _ job: Int64, _ file: Int, _ row: Int) {
        statement.bind(values: job, file, row)
    }
}
