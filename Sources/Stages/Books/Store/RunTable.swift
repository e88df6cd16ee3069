import Database

/// The runs of a store's jobs, in the order in which they wrote.
///
/// A run begins when a job takes the store for writing and ends when another job does. The rows that it
/// creates follow those that exist at its beginning, so a row's id says which run created it.
struct RunTable {
    static let tables = """
        -- Runs of jobs, in the order in which they wrote. A run created the rows from first_row, and the authors
        -- from first_author, up to those of the next run; first_author is NULL if an earlier version began it.
        CREATE TABLE runs(
            id INTEGER PRIMARY KEY,
            job INTEGER NOT NULL,
            first_row INTEGER NOT NULL,
            first_author INTEGER);
        INSERT INTO runs(job, first_row) SELECT abs(job), first_row FROM sittings ORDER BY first_row;
        DROP TABLE sittings;
        """

    /// A run as stored.
    struct Run: Sendable, Hashable {
        var id: Int64
        var job: Int64
        var firstRow: Int64
        /// Nil if it was begun by a version that kept no journal. What such a run changed is not known.
        var firstAuthor: Int64?
    }

    let connection: Connection

    init(_ connection: Connection) { self.connection = connection }

    /// The job that created a row of works, editions or entries, as SQL.
    static func job(ofRow id: String) -> String {
        "(SELECT job FROM runs WHERE first_row <= \(id) ORDER BY runs.id DESC LIMIT 1)"
    }

    /// All runs in their order.
    func all() throws(SQLiteError) -> [Run] {
        let read = try connection.prepare("SELECT id, job, first_row, first_author FROM runs ORDER BY id")
        var runs: [Run] = []
        while try read.step() {
            runs.append(
                Run(
                    id: read.integer(0), job: read.integer(1), firstRow: read.integer(2),
                    firstAuthor: read.optionalInteger(3)))
        }
        return runs
    }

    /// The last row and the last author before the last run.
    func lastNumbers() throws(SQLiteError) -> (row: Int64, author: Int64) {
        let read = try connection.prepare(
            "SELECT ifnull(max(first_row) - 1, 0), ifnull(max(first_author) - 1, 0) FROM runs")
        guard try read.step() else { return (0, 0) }
        return (read.integer(0), read.integer(1))
    }

    /// Begins a run of a job, or continues the last run if it is of the same job.
    ///
    /// - Parameters:
    ///   - row: The last existing row.
    ///   - author: The last existing author.
    func begin(job: Int64, afterRow row: Int64, author: Int64) throws(SQLiteError) -> Run {
        if let last = try all().last, last.job == job, last.firstAuthor != nil { return last }
        let insert = try connection.prepare(
            "INSERT INTO runs(job, first_row, first_author) VALUES (?1, ?2, ?3)")
        insert.bind(1, job)
        insert.bind(2, row + 1)
        insert.bind(3, author + 1)
        try insert.run()
        return Run(id: connection.lastRowID, job: job, firstRow: row + 1, firstAuthor: author + 1)
    }
}
