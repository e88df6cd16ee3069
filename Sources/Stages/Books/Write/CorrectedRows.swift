package import Database
package import Pipeline

/// The mended records of a job, as the table `mended` keeps them.
///
/// They are kept beside the rejects they take the place of, so that a pass over them can be killed and repeated, and
/// so that a job that is taken back and run again (``JobRollback``) meets them again behind the records of its files.
package struct CorrectedRows {
    package let connection: Connection

    package init(connection: Connection) {
        self.connection = connection
    }

    /// What became of a mended record.
    enum Kept {
        case kept
        /// It is kept in place of what the same list said of it before.
        case keptAgain
        /// It is not among the job's rejects: nothing is kept.
        case noReject
    }

    /// Begins a list: it has said nothing of any record yet.
    ///
    /// What it says is remembered in a table that lives as long as the connection does: a list may be long.
    func beginList() throws(SQLiteError) {
        try connection.execute(
            """
            CREATE TEMP TABLE IF NOT EXISTS listed(file INTEGER, row INTEGER, PRIMARY KEY(file, row)) WITHOUT ROWID;
            DELETE FROM listed;
            """)
    }

    /// Keeps a record's mended cells, in place of what an earlier list had.
    ///
    /// - Parameter layout: The row of `layouts` that the cells stand under.
    func keep(_ corrected: CorrectedRow, layout: Int64, job: Int64) throws(SQLiteError) -> Kept {
        let place = RecordPlace(file: corrected.position.file, row: corrected.position.record)
        let insert = try connection.prepare(
            """
            INSERT OR REPLACE INTO mended(job, file, row, line, byte, layout, cells, date_order)
            SELECT job, file, row, line, byte, ?4, ?5, ?6 FROM rejects WHERE job = ?1 AND file = ?2 AND row = ?3
            """)
        insert.bind(1, job)
        insert.bind(2, place.file)
        insert.bind(3, place.row)
        insert.bind(4, layout)
        var packed: [UInt8] = []
        for cell in corrected.cells {
            Array(cell.utf8).withUnsafeBytes { PackedCells.append($0, to: &packed) }
        }
        insert.bind(5, blob: packed)
        insert.bind(6, corrected.isDateOpen ? Self.openDate : corrected.dateOrder?.rawValue)
        try insert.run()
        guard connection.changes > 0 else { return .noReject }
        let list = try connection.prepare("INSERT OR IGNORE INTO listed(file, row) VALUES (?1, ?2)")
        list.bind(1, place.file)
        list.bind(2, place.row)
        try list.run()
        return connection.changes > 0 ? .kept : .keptAgain
    }

    /// What stands for the order of dates where nothing tells it.
    private static let openDate = "open"

    private static let columns = """
        m.file, m.row, m.line, m.byte, y.profile, y.columns, m.cells,
        EXISTS (SELECT 1 FROM rejects r WHERE r.job = m.job AND r.file = m.file AND r.row = m.row
            AND r.raw_length > length(r.raw))
        """

    /// Mended records in the order of the input.
    ///
    /// - Parameters:
    ///   - place: The last one that was read before; nil for the first.
    ///   - onlyRejected: Whether those are left out that were stored since.
    ///   - count: How many at the most.
    ///   - bytes: Bytes of cells at the most, but for the record that reaches them.
    func rows(
        ofJob job: Int64, after place: RecordPlace?, onlyRejected: Bool, atMost count: Int, bytes: Int
    ) throws(SQLiteError) -> [CorrectedRow] {
        let rejected =
            onlyRejected
            ? "AND EXISTS (SELECT 1 FROM rejects r WHERE r.job = m.job AND r.file = m.file AND r.row = m.row)"
            : ""
        let read = try connection.prepare(
            """
            SELECT \(Self.columns), m.date_order FROM mended m JOIN layouts y ON y.id = m.layout
            WHERE m.job = ?1 AND (m.file, m.row) > (?2, ?3) \(rejected) ORDER BY m.file, m.row LIMIT ?4
            """)
        read.bind(1, job)
        read.bind(2, place?.file ?? -1)
        read.bind(3, place?.row ?? 0)
        read.bind(4, count)
        var rows: [CorrectedRow] = []
        var left = bytes
        while left > 0, try read.step() {
            var row = Self.row(read)
            let order = read.optionalString(8)
            row.dateOrder = order.flatMap { DateOrder(rawValue: $0) }
            row.isDateOpen = order == Self.openDate
            rows.append(row)
            left -= read.withBytes(6) { $0.count }
        }
        return rows
    }

    /// A mended record, but for how its dates are read; nil where the record of that place is none. The store may be one
    /// that an earlier version has left, and that is only read.
    package func row(at place: RecordPlace, job: Int64) throws(SQLiteError) -> CorrectedRow? {
        let read = try connection.prepare(
            """
            SELECT \(Self.columns) FROM mended m JOIN layouts y ON y.id = m.layout
            WHERE m.job = ?1 AND m.file = ?2 AND m.row = ?3
            """)
        read.bind(1, job)
        read.bind(2, place.file)
        read.bind(3, place.row)
        return try read.step() ? Self.row(read) : nil
    }

    private static func row(_ read: Statement) -> CorrectedRow {
        CorrectedRow(
            position: Position(
                file: Int(read.integer(0)), byte: read.integer(3), line: Int(read.integer(2)),
                record: Int(read.integer(1))),
            layout: CorrectedRow.Layout(
                profile: read.string(4), names: read.withBytes(5) { StoredList.strings($0) }),
            cells: read.withBytes(6) { PackedCells.cells($0, keptApart: "") },
            isCutOff: read.integer(7) != 0)
    }
}

/// A record that was turned away, as its reader has mended it.
package struct CorrectedRow: Sendable, Hashable {
    /// What its cells stand under.
    package struct Layout: Sendable, Hashable {
        /// The profile that reads them.
        package var profile: String
        /// The columns' names, as the source has them.
        package var names: [String]

        package init(profile: String, names: [String]) {
            self.profile = profile
            self.names = names
        }
    }

    /// Where the record stands in the job's input.
    package var position: Position
    package var layout: Layout
    package var cells: [String]
    /// How its dates are read that have their year last; nil where it is as those of its file.
    package var dateOrder: DateOrder?
    /// Whether it has a date that may be read in two ways, and nothing tells in which.
    package var isDateOpen = false
    /// Whether only the beginning of its reject was kept: its list could not have the whole record, and what is missing
    /// there is nothing that its reader has cleared.
    package var isCutOff: Bool

    package init(
        position: Position, layout: Layout, cells: [String], isCutOff: Bool = false
    ) {
        self.position = position
        self.layout = layout
        self.cells = cells
        self.isCutOff = isCutOff
    }
}

/// Mended records of a completed job.
extension ResultsStore {
    /// Takes up a completed job whose rejects come back mended.
    ///
    /// - Throws: `.missing` where it is not there any more, `.temporary` where it is not completed.
    package func take(completed name: String) throws(StageFailure) -> Job {
        let job = try ledger.existing(name)
        guard !job.isUnfinished else { throw JobTable.unfinished(job) }
        do { try take(job) } catch { throw error.failure }
        return job
    }

    /// Begins a list of mended records.
    package func beginCorrections() throws(StageFailure) {
        do { try CorrectedRows(connection: connection).beginList() } catch { throw error.failure }
    }

    /// Whether a record of the job is among its rejects.
    package func isRejected(_ place: RecordPlace) throws(StageFailure) -> Bool {
        guard let current else { return false }
        do {
            let read = try connection.prepare(
                "SELECT 1 FROM rejects WHERE job = ?1 AND file = ?2 AND row = ?3")
            read.bind(1, current.job.id)
            read.bind(2, place.file)
            read.bind(3, place.row)
            return try read.step()
        } catch {
            throw error.failure
        }
    }

    /// Keeps mended records of a list in one transaction.
    ///
    /// - Returns: How many of the job's rejects they mend, and how many rows were for one that the list had before; the
    ///   others are passed over.
    package func keep(_ rows: [CorrectedRow]) throws(StageFailure) -> (records: Int, repeated: Int) {
        guard let current else { return (0, 0) }
        let corrected = CorrectedRows(connection: connection)
        do {
            return try connection.transaction { () throws(SQLiteError) in
                var count = (records: 0, repeated: 0)
                for row in rows {
                    let layout = try layout(
                        profile: row.layout.profile, columns: StoredList.stored(row.layout.names) ?? "[]")
                    switch try corrected.keep(row, layout: layout, job: current.job.id) {
                    case .kept: count.records += 1
                    case .keptAgain: count.repeated += 1
                    case .noReject: break
                    }
                }
                return count
            }
        } catch {
            throw error.failure
        }
    }

    /// The job's mended records, in the order of its input, portion by portion.
    ///
    /// - Parameters:
    ///   - place: The last one of the portion before; nil for the first.
    ///   - onlyRejected: Whether those are left out that were stored since.
    package func corrected(
        after place: RecordPlace?, onlyRejected: Bool, atMost count: Int, bytes: Int
    ) throws(StageFailure) -> [CorrectedRow] {
        guard let current else { return [] }
        do {
            return try CorrectedRows(connection: connection).rows(
                ofJob: current.job.id, after: place, onlyRejected: onlyRejected, atMost: count, bytes: bytes)
        } catch {
            throw error.failure
        }
    }

    /// From here on batches are mended records of the job, which take the place of their rejects; its checkpoint stays.
    ///
    /// - Returns: false where no mended record is among the rejects: there is nothing to be done.
    package func startCorrections() throws(StageFailure) -> Bool {
        guard let current, try !corrected(after: nil, onlyRejected: true, atMost: 1, bytes: 1).isEmpty else {
            return false
        }
        do { try take(current.job, corrections: true) } catch { throw error.failure }
        return true
    }
}
