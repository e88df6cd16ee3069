import Database

/// Puts fates among those that are stored: a record that was turned away and came back mended joins the run of
/// ``RecordOutcomes`` that its neighbours are in.
///
/// Runs of a file never overlap and stand in the order of their records, which ``RecordOutcomesReader`` goes by. A record
/// between two of them, or behind the last, joins the one before it; one before all others begins a run of its own.
struct RecordRuns {
    /// Records of a run at the most; one that has grown beyond is cut.
    static let mostRecords = 1_024

    private let read: Statement
    private let next: Statement
    private let delete: Statement
    private let insert: Statement

    init(_ connection: Connection) throws(SQLiteError) {
        read = try connection.prepare(
            """
            SELECT row, fates FROM record_runs WHERE job = ?1 AND file = ?2 AND row <= ?3
            ORDER BY row DESC LIMIT 1
            """)
        next = try connection.prepare(
            "SELECT row FROM record_runs WHERE job = ?1 AND file = ?2 AND row > ?3 ORDER BY row LIMIT 1")
        delete = try connection.prepare("DELETE FROM record_runs WHERE job = ?1 AND file = ?2 AND row = ?3")
        insert = try connection.prepare("INSERT INTO record_runs VALUES (?1,?2,?3,?4,?5,?6)")
    }

    /// Stores a run that stands behind, before or between those there are, and overlaps none.
    func append(_ fates: RecordOutcomes, file: Int, job: Int64) throws(SQLiteError) {
        guard fates.count > 0 else { return }
        insert.bind(1, job)
        insert.bind(2, file)
        insert.bind(3, fates.firstRow)
        insert.bind(4, fates.lastRow)
        insert.bind(5, fates.count)
        insert.bind(6, blob: fates.packed)
        try insert.run()
    }

    /// Puts records of a file, in their order, among those stored. None of them is stored yet.
    func insert(_ records: [OutcomeOfRecord], file: Int, job: Int64) throws(SQLiteError) {
        var rest = records[...]
        while let first = rest.first {
            let end = try firstRow(after: first.row, file: file, job: job) ?? .max
            let joining = rest.prefix { $0.row < end }
            rest = rest.dropFirst(joining.count)
            let run = try takeRun(before: first.row, file: file, job: job) + joining
            try write(run.sorted { $0.row < $1.row }, file: file, job: job)
        }
    }

    private func firstRow(after row: Int, file: Int, job: Int64) throws(SQLiteError) -> Int? {
        bind(next, job, file, row)
        defer { next.reset() }
        return try next.step() ? Int(next.integer(0)) : nil
    }

    /// Takes out the run that a record joins; empty where it joins none.
    private func takeRun(before row: Int, file: Int, job: Int64) throws(SQLiteError) -> [OutcomeOfRecord] {
        bind(read, job, file, row)
        guard try read.step() else {
            read.reset()
            return []
        }
        let (begin, records) = (Int(read.integer(0)), RecordOutcomes.records(read.bytes(1)))
        read.reset()
        bind(delete, job, file, begin)
        try delete.run()
        return records
    }

    private func write(_ records: [OutcomeOfRecord], file: Int, job: Int64) throws(SQLiteError) {
        var rest = records[...]
        while !rest.isEmpty {
            var fates = RecordOutcomes()
            for record in rest.prefix(Self.mostRecords) { fates.append(record) }
            rest = rest.dropFirst(Self.mostRecords)
            try append(fates, file: file, job: job)
        }
    }

    private func bind(_ statement: Statement, _ job: Int64, _ file: Int, _ row: Int) {
        statement.bind(1, job)
        statement.bind(2, file)
        statement.bind(3, row)
    }
}
