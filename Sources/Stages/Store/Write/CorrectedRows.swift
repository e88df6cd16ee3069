package import Books
package import Database
package import System

/// The corrected records of a job, in the table `corrections`.
///
/// They are kept next to the rejects they replace. So a pass over them can be killed and repeated, and a job
/// that is rolled back and run again (``JobRollback``) processes them again after the records of its files.
package struct CorrectedRows {
    package let connection: Connection

    package init(connection: Connection) {
        self.connection = connection
    }

    /// The result of keeping a corrected record.
    enum Kept {
        case kept
        /// It replaces an earlier row of the same list.
        case keptAgain
        /// It is not among the job's rejects, so nothing is kept.
        case noReject
    }

    /// Begins a list without records.
    ///
    /// The records of the list are remembered in a temporary table of the connection, because a list may be
    /// long.
    func beginList() throws(ETLError) {
        try connection.execute(
            """
            CREATE TEMP TABLE IF NOT EXISTS listed(file INTEGER, row INTEGER, PRIMARY KEY(file, row)) WITHOUT ROWID;
            DELETE FROM listed;
            """)
    }

    /// Keeps a record's corrected cells, replacing those of an earlier list.
    ///
    /// - Parameter layout: The row of `layouts` with the names of the cells' columns.
    func keep(_ corrected: CorrectedRow, layout: Int64, job: Int64) throws(ETLError) -> Kept {
        let place = RecordPlace(file: corrected.position.file, row: corrected.position.record)
        let insert = try connection.query(
            """
            INSERT OR REPLACE INTO corrections(job, file, row, line, byte, layout, cells, date_order)
            SELECT job, file, row, line, byte, ?4, ?5, ?6 FROM rejects WHERE job = ?1 AND file = ?2 AND row = ?3
            """, job, place.file, place.row, layout)
        var packed: [UInt8] = []
        for cell in corrected.cells {
            Array(cell.utf8).withUnsafeBytes { PackedCells.append($0, to: &packed) }
        }
        insert.bind(5, blob: packed)
        insert.bind(6, corrected.isDateOpen ? Self.openDate : corrected.dateOrder?.rawValue)
        try insert.run()
        guard connection.changes > 0 else { return .noReject }
        try connection.execute(
            "INSERT OR IGNORE INTO listed(file, row) VALUES (?1, ?2)", place.file, place.row)
        return connection.changes > 0 ? .kept : .keptAgain
    }

    /// The stored value for an undecided date order.
    private static let openDate = "open"

    private static let columns = """
        m.file, m.row, m.line, m.byte, y.format, y.columns, m.cells,
        EXISTS (SELECT 1 FROM rejects r WHERE r.job = m.job AND r.file = m.file AND r.row = m.row
            AND r.raw_length > length(r.raw))
        """

    /// Corrected records in the order of the input.
    ///
    /// - Parameters:
    ///   - place: The last record of the previous call; nil for the first call.
    ///   - onlyRejected: Whether to leave out records that have been stored since.
    ///   - count: Maximum number of records.
    ///   - bytes: Reading ends with the record that reaches this number of bytes of cells.
    func rows(
        ofJob job: Int64, after place: RecordPlace?, onlyRejected: Bool, atMost count: Int, bytes: Int
    ) throws(ETLError) -> [CorrectedRow] {
        let rejected =
            onlyRejected
            ? "AND EXISTS (SELECT 1 FROM rejects r WHERE r.job = m.job AND r.file = m.file AND r.row = m.row)"
            : ""
        let read = try connection.query(
            """
            SELECT \(Self.columns), m.date_order FROM corrections m JOIN layouts y ON y.id = m.layout
            WHERE m.job = ?1 AND (m.file, m.row) > (?2, ?3) \(rejected) ORDER BY m.file, m.row LIMIT ?4
            """, job, place?.file ?? -1, place?.row ?? 0, count)
        var rows: [CorrectedRow] = []
        var left = bytes
        while left > 0, try read.next() {
            var row = Self.row(read)
            let order = read.optionalString(8)
            row.dateOrder = order.flatMap { DateOrder(rawValue: $0) }
            row.isDateOpen = order == Self.openDate
            rows.append(row)
            left -= read.withBytes(6) { $0.count }
        }
        return rows
    }

    /// A corrected record without its date order; nil if the record at this place was not corrected.
    package func row(at place: RecordPlace, job: Int64) throws(ETLError) -> CorrectedRow? {
        guard
            let read = try connection.row(
                """
                SELECT \(Self.columns) FROM corrections m JOIN layouts y ON y.id = m.layout
                WHERE m.job = ?1 AND m.file = ?2 AND m.row = ?3
                """, job, place.file, place.row)
        else { return nil }
        return Self.row(read)
    }

    private static func row(_ read: Statement) -> CorrectedRow {
        CorrectedRow(
            position: Position(
                file: Int(read.integer(0)), byte: read.integer(3), line: Int(read.integer(2)),
                record: Int(read.integer(1))),
            layout: CorrectedRow.Layout(
                formatName: read.string(4), names: read.withBytes(5) { StoredList.strings($0) }),
            cells: read.withBytes(6) { PackedCells.cells($0, keptApart: "") },
            isCutOff: read.integer(7) != 0)
    }
}

/// A rejected record as corrected by the user.
package struct CorrectedRow: Sendable, Hashable {
    /// The columns of its cells.
    package struct Layout: Sendable, Hashable {
        /// The format that interprets the cells.
        package var formatName: String
        /// The column names, as in the source file.
        package var names: [String]

        package init(formatName: String, names: [String]) {
            self.formatName = formatName
            self.names = names
        }
    }

    /// Position of the record in the job's input.
    package var position: Position
    package var layout: Layout
    package var cells: [String]
    /// The order of its dates that end with the year; nil if it is that of its file.
    package var dateOrder: DateOrder?
    /// Whether it has a date that can be read in two ways, and nothing decides between them.
    package var isDateOpen = false
    /// Whether the reject kept only the beginning of the record. Cells missing from the list were then not
    /// cleared by the user.
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

/// Corrected records of a completed job.
extension ResultsStore {
    /// Opens a completed job whose rejects were corrected.
    ///
    /// - Throws: `.missing` if the job does not exist, `.temporary` if it is not completed.
    package func take(completed name: String) throws(ETLError) -> Job {
        let job = try jobTable.existing(name)
        guard !job.isUnfinished else { throw JobTable.unfinished(job) }
        try take(job)
        return job
    }

    /// Begins a list of corrected records.
    package func beginCorrections() throws(ETLError) {
        try CorrectedRows(connection: connection).beginList()
    }

    /// Whether a record of the job is among its rejects.
    package func isRejected(_ place: RecordPlace) throws(ETLError) -> Bool {
        guard let current else { return false }
        return try connection.row(
            "SELECT 1 FROM rejects WHERE job = ?1 AND file = ?2 AND row = ?3", current.job.id, place.file,
            place.row) != nil
    }

    /// Keeps corrected records of a list in one transaction.
    ///
    /// - Returns: The number of the job's rejects that they correct, and the number of rows for a record that
    ///   occurred earlier in the list. Other rows are ignored.
    package func keep(_ rows: [CorrectedRow]) throws(ETLError) -> (records: Int, repeated: Int) {
        guard let current else { return (0, 0) }
        let corrected = CorrectedRows(connection: connection)
        return try connection.transaction { () throws(ETLError) in
            var count = (records: 0, repeated: 0)
            for row in rows {
                let layout = try layout(
                    formatName: row.layout.formatName,
                    columns: StoredList.stored(row.layout.names) ?? "[]")
                switch try corrected.keep(row, layout: layout, job: current.job.id) {
                case .kept: count.records += 1
                case .keptAgain: count.repeated += 1
                case .noReject: break
                }
            }
            return count
        }
    }

    /// The job's corrected records in the order of its input, in parts.
    ///
    /// - Parameters:
    ///   - place: The last record of the previous part; nil for the first part.
    ///   - onlyRejected: Whether to leave out records that have been stored since.
    package func corrected(
        after place: RecordPlace?, onlyRejected: Bool, atMost count: Int, bytes: Int
    ) throws(ETLError) -> [CorrectedRow] {
        guard let current else { return [] }
        return try CorrectedRows(connection: connection).rows(
            ofJob: current.job.id, after: place, onlyRejected: onlyRejected, atMost: count, bytes: bytes)
    }

    /// Declares the following batches to be corrected records of the job. They replace their rejects, and the
    /// job's checkpoint does not change.
    ///
    /// - Returns: False if no corrected record is among the rejects, so that there is nothing to do.
    package func startCorrections() throws(ETLError) -> Bool {
        guard let current, try !corrected(after: nil, onlyRejected: true, atMost: 1, bytes: 1).isEmpty else {
            return false
        }
        try take(current.job, corrections: true)
        return true
    }
}
