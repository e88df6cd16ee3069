package import Database
package import System

/// The runs of a store's jobs, in the order in which they wrote.
///
/// A run begins when a job takes the store for writing and ends when another job does. The rows that it
/// creates follow those that exist at its beginning, so a row's id says which run created it.
struct RunTable {
    static let tables = """
        -- Runs of jobs, in the order in which they wrote. A run created the rows from first_row, and the authors
        -- from first_author, up to those of the next run. first_author is NULL if no before-images are kept of it.
        CREATE TABLE runs(
            id INTEGER PRIMARY KEY,
            job INTEGER NOT NULL,
            first_row INTEGER NOT NULL,
            first_author INTEGER,
            started_at INTEGER);
        """

    let connection: Connection

    init(_ connection: Connection) { self.connection = connection }

    /// The last row and the last author before the last run.
    func lastNumbers() throws(ETLError) -> (row: Int64, author: Int64) {
        guard
            let read = try connection.row(
                "SELECT ifnull(max(first_row) - 1, 0), ifnull(max(first_author) - 1, 0) FROM runs")
        else { return (0, 0) }
        return (read.integer(0), read.integer(1))
    }

    /// Begins a run of a job, or continues the last run if it is of the same job. A last run that has written
    /// nothing is replaced, so that a job that is tried again every night does not leave a run each time.
    ///
    /// - Parameters:
    ///   - row: The last existing row.
    ///   - author: The last existing author.
    ///   - now: Milliseconds since 1970.
    func begin(job: Int64, afterRow row: Int64, author: Int64, now: Int64) throws(ETLError) -> Run {
        var id: Int64?
        if let last = try last() {
            if last.job == job, last.isKnown { return last }
            if last.firstRow == row + 1, last.firstAuthor == author + 1, try !hasImages(last) { id = last.id }
        }
        try connection.execute(
            """
            INSERT OR REPLACE INTO runs(id, job, first_row, first_author, started_at)
            VALUES (?1, ?2, ?3, ?4, ?5)
            """, id, job, row + 1, author + 1, now)
        return Run(
            id: connection.lastRowID, job: job, firstRow: row + 1, firstAuthor: author + 1, startedAt: now)
    }

    private func last() throws(ETLError) -> Run? {
        let read = try connection.prepare("SELECT \(Run.columns) FROM runs ORDER BY id DESC LIMIT 1")
        return try read.next() ? Run(read) : nil
    }

    private func hasImages(_ run: Run) throws(ETLError) -> Bool {
        for table in JournaledTable.allCases {
            let sql = "SELECT 1 FROM \(table.images) WHERE run = \(run.id) LIMIT 1"
            if try connection.integer(sql) != nil { return true }
        }
        return false
    }
}

/// A run of a job, as stored.
package struct Run: Sendable, Hashable {
    package var id: Int64
    package var job: Int64
    /// The first row that it can have created.
    var firstRow: Int64
    /// The first author that it can have created. Nil if no before-images are kept of the run: an earlier
    /// version began it, or they were deleted because of their age. Its changes are then not known.
    package var firstAuthor: Int64?
    /// Milliseconds since 1970; nil if unknown.
    package var startedAt: Int64?

    /// Whether its changes are known.
    package var isKnown: Bool { firstAuthor != nil }

    fileprivate static let columns = "id, job, first_row, first_author, started_at"

    fileprivate init(_ row: Statement) {
        self.init(
            id: row.integer(0), job: row.integer(1), firstRow: row.integer(2),
            firstAuthor: row.optionalInteger(3), startedAt: row.optionalInteger(4))
    }

    fileprivate init(id: Int64, job: Int64, firstRow: Int64, firstAuthor: Int64?, startedAt: Int64?) {
        self.id = id
        self.job = job
        self.firstRow = firstRow
        self.firstAuthor = firstAuthor
        self.startedAt = startedAt
    }

    /// The first ids of the rows that it can have created. A run that is not known counts as having created
    /// no authors.
    var span: RunSpan { RunSpan(firstRow: firstRow, firstAuthor: firstAuthor ?? .max) }
}

/// All runs of a store in their order, and which rows each of them created.
package struct RunHistory: Sendable {
    package let runs: [Run]

    package init(_ connection: Connection) throws(ETLError) {
        let read = try connection.prepare("SELECT \(Run.columns) FROM runs ORDER BY id")
        var runs: [Run] = []
        while try read.next() { runs.append(Run(read)) }
        self.runs = runs
    }

    /// The runs of some jobs.
    package func runs(of jobs: Set<Int64>) -> [Run] { runs.filter { jobs.contains($0.job) } }

    /// The run that created a row of works, editions or entries; nil if unknown.
    package func run(ofRow id: Int64) -> Run? { runs.last { $0.firstRow <= id } }

    /// The last run of a job; nil if it wrote nothing.
    package func last(of job: Job) -> Run? { runs.last { $0.job == job.id } }

    /// The rows of a table that some runs created.
    func created(_ table: JournaledTable, by runs: [Run]) -> CreatedRows {
        let ids = Set(runs.map(\.id))
        var ranges: [Range<Int64>] = []
        for (index, run) in self.runs.enumerated() where ids.contains(run.id) {
            guard let first = table.firstID(of: run.span) else { break }
            let next = index + 1 < self.runs.count ? table.firstID(of: self.runs[index + 1].span) : nil
            let range = first..<max(first, next ?? .max)
            if range.isEmpty { continue }
            if ranges.last?.upperBound == first {
                ranges[ranges.count - 1] = ranges[ranges.count - 1].lowerBound..<range.upperBound
            } else {
                ranges.append(range)
            }
        }
        return CreatedRows(table: table, ranges: ranges)
    }
}

/// The rows of a table that some runs created, as ranges of ids. There are none in tables whose ids do not
/// say who created a row.
struct CreatedRows: Sendable {
    let table: JournaledTable
    /// Ascending; ranges do not touch.
    let ranges: [Range<Int64>]

    func contains(_ id: Int64) -> Bool { ranges.contains { $0.contains(id) } }

    /// The SQL condition for an id of one of them.
    func contain(_ id: String) -> String {
        guard let first = ranges.first else { return "false" }
        if ranges.count == 1 { return "(\(id) >= \(first.lowerBound) AND \(id) < \(first.upperBound))" }
        // Not a disjunction, whose length SQLite limits.
        return "EXISTS (SELECT 1 FROM (VALUES \(rows)) WHERE \(id) >= column1 AND \(id) < column2)"
    }

    /// The SQL query for the ids of those that exist.
    var ids: String {
        guard !ranges.isEmpty else { return "SELECT NULL AS id WHERE false" }
        return """
            SELECT c.\(table.key) AS id FROM (VALUES \(rows)) CROSS JOIN \(table.name) c
            WHERE c.\(table.key) >= column1 AND c.\(table.key) < column2
            """
    }

    private var rows: String { ranges.map { "(\($0.lowerBound), \($0.upperBound))" }.joined(separator: ", ") }
}

extension [Run] {
    /// Their ids, for use in an SQL list.
    var sqlList: String { map { "\($0.id)" }.joined(separator: ", ") }
}
