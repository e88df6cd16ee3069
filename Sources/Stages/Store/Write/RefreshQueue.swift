import Bytes
package import Database
import Pipeline
package import System

/// The stored books that a refresh still has to process: one entry of each edition, the editions with the oldest
/// answers first.
///
/// Each run computes the queue again. Books that the job has refreshed are not in it, so it needs no
/// checkpoint. It is a temporary table, because a library may have millions of books.
package struct RefreshQueue {
    /// Which books are chosen.
    package struct Selection: Sendable {
        package var options: RefreshOptions
        /// When the job started, in milliseconds since 1970.
        package var start: Int64
        /// Row id of the job; nil if it has not begun.
        package var job: Int64?
        /// Number of books that the job has processed.
        package var done: Int
        /// Whether the order is that of the answers' ages. Without services any order will do, and that of the
        /// store is the fastest.
        package var ordersByAge: Bool

        package init(
            _ options: RefreshOptions, start: Int64, job: Int64? = nil, done: Int = 0, ordersByAge: Bool
        ) {
            self.options = options
            self.start = start
            self.job = job
            self.done = done
            self.ordersByAge = ordersByAge
        }
    }

    /// A book in the queue: its edition, and the row of an entry as its file had it.
    package struct StoredBook: Sendable {
        /// Milliseconds since 1970.
        var askedAt: Int64
        package var edition: Int64
        package var entry: Int64
        package var layout: CorrectedRow.Layout
        /// The cells of the entry's row; the review is empty.
        package var cells: [String]
        /// The ISBN that the user has set in place of that of the row, as a number; 0 for none, nil if the user
        /// has not set it.
        package var isbn: Int64?
    }

    private let connection: Connection

    package init(_ connection: Connection) { self.connection = connection }

    /// The number of books that a selection chooses.
    ///
    /// - Throws: `.configuration` if the condition is invalid, `.missing` if there is no such library.
    package func count(_ selection: Selection) throws(ETLError) -> Int {
        var count = 0
        try choose(selection) { _, _, _ in count += 1 }
        return min(count, Self.limit(selection))
    }

    /// Fills the queue. Nothing may be uncommitted.
    ///
    /// - Returns: The number of books.
    /// - Throws: As ``count(_:)``.
    package func fill(_ selection: Selection) throws(ETLError) -> Int {
        try connection.execute(
            """
            CREATE TEMP TABLE IF NOT EXISTS refresh_queue(
                asked_at INTEGER, edition INTEGER, entry INTEGER, PRIMARY KEY(asked_at, edition)) WITHOUT ROWID;
            DELETE FROM temp.refresh_queue;
            """)
        try connection.transaction { () throws(ETLError) in
            let insert = try connection.query("INSERT INTO temp.refresh_queue VALUES (?1, ?2, ?3)")
            try choose(selection) { (edition, entry, askedAt) throws(ETLError) in
                try insert.run(selection.ordersByAge ? askedAt : 0, edition, entry)
            }
            let limit = Self.limit(selection)
            guard limit < .max else { return }
            try connection.execute(
                """
                DELETE FROM temp.refresh_queue WHERE (asked_at, edition) IN
                    (SELECT asked_at, edition FROM temp.refresh_queue ORDER BY asked_at, edition LIMIT -1 OFFSET \(limit))
                """)
        }
        return Int(try connection.number("SELECT count(*) FROM temp.refresh_queue"))
    }

    private static func limit(_ selection: Selection) -> Int {
        selection.options.limit.map { max(0, $0 - selection.done) } ?? .max
    }

    /// The books after another one.
    ///
    /// - Parameters:
    ///   - book: The last book of the previous call; nil for the first call.
    ///   - count: Maximum number of books.
    ///   - bytes: Reading ends with the book whose cells reach this number of bytes.
    package func books(
        after book: StoredBook?, atMost count: Int, bytes: Int
    ) throws(ETLError) -> [StoredBook] {
        let read = try connection.query(
            """
            SELECT q.asked_at, q.edition, q.entry, y.format, y.columns, e.cells, (
                SELECT ifnull(d.isbn, 0) FROM edits x JOIN editions d ON d.id = q.edition
                WHERE x.id = \(EditIDs.id(row: "q.edition", .isbn)) AND x.is_set)
            FROM temp.refresh_queue q
            CROSS JOIN entries e ON e.id = q.entry JOIN layouts y ON y.id = e.layout
            WHERE (q.asked_at, q.edition) > (?1, ?2) ORDER BY q.asked_at, q.edition LIMIT ?3
            """, book?.askedAt ?? .min, book?.edition ?? .min, count)
        var books: [StoredBook] = []
        var left = bytes
        while left > 0, try read.next() {
            books.append(
                StoredBook(
                    askedAt: read.integer(0), edition: read.integer(1), entry: read.integer(2),
                    layout: .init(
                        formatName: read.string(3), names: read.withBytes(4) { StoredList.strings($0) }),
                    cells: read.withBytes(5) { PackedCells.cells($0, keptApart: "") },
                    isbn: read.optionalInteger(6)))
            left -= read.withBytes(5) { $0.count }
        }
        return books
    }

    // MARK: Choosing

    /// Passes the chosen books to a closure, in any order, regardless of the limit.
    private func choose(
        _ selection: Selection,
        _ body: (_ edition: Int64, _ entry: Int64, _ askedAt: Int64) throws(ETLError) -> Void
    ) throws(ETLError) {
        let options = selection.options
        let condition = try Self.condition(options.condition)
        let missing = (options.missing ?? []).compactMap { StoredBookField.field(named: $0)?.sql }
        let fields = condition?.fields.compactMap { StoredBookField.field($0) } ?? []
        let library = try options.library.map { (name) throws(ETLError) in
            try LibraryNames(connection).id(of: name)
        }
        var conditions = library.map { ["library = \($0)"] } ?? []
        if let rows = options.rows { conditions.append("id IN (\(try entries(of: rows)))") }
        let lacks = missing.map { "ifnull(\($0), '') = ''" }.joined(separator: " OR ")
        let needsBooks = !missing.isEmpty || !fields.isEmpty
        let books = try connection.query(
            """
            SELECT c.edition, c.entry, r.asked_at, r.job\(fields.map { ", \($0.sql)" }.joined())
            FROM (SELECT edition, min(id) AS entry FROM entries
                \(conditions.isEmpty ? "" : "WHERE \(conditions.joined(separator: " AND "))") GROUP BY edition) c
            LEFT JOIN refreshes r ON r.edition = c.edition
            \(needsBooks ? Self.join : "")
            \(lacks.isEmpty ? "" : "WHERE \(lacks)")
            """)
        let imports = try ImportTimes(connection)
        let oldest = options.staleAfter == nil ? nil : Optional(options.oldestAnswer(from: selection.start))
        while try books.next() {
            let edition = books.integer(0)
            if let job = selection.job, books.optionalInteger(3) == job { continue }
            let askedAt = max(books.integer(2), imports.askedAt(edition))
            if let oldest, askedAt >= oldest { continue }
            if let condition {
                let values = fields.enumerated().map { $1.value(books, Int32($0 + 4)) }
                guard condition.holds(for: StoredBookValues(indexes: condition.fields, values: values)) else {
                    continue
                }
            }
            try body(edition, books.integer(1), askedAt)
        }
    }

    /// The row ids of the entries that rows of a job are about, as an SQL list.
    private func entries(of rows: RefreshOptions.Rows) throws(ETLError) -> String {
        var entries: Set<Int64> = []
        let outcomes = try PackedOutcomesReader(connection, of: rows.job)
        while let run = try outcomes.next() {
            for record in run.records where (rows.first...rows.last).contains(record.row) {
                entries.insert(record.entry)
            }
        }
        return entries.sorted().map(String.init).joined(separator: ", ")
    }

    private static let join = """
        JOIN editions d ON d.id = c.edition JOIN works w ON w.id = d.work JOIN entries e ON e.id = c.entry
        """

    private static func condition(_ text: String?) throws(ETLError) -> RecordExpression? {
        guard let text else { return nil }
        do throws(ExpressionError) {
            return try RecordExpression(text, over: StoredBookField.schema, as: .condition)
        } catch {
            throw ETLError(.configuration, "The condition `\(text)` is wrong: \(error).")
        }
    }
}

/// When services were asked about the books that imports created.
private struct ImportTimes {
    /// First row of each run, ascending, and when it began. 0 if it asked no service.
    private var runs: [(firstRow: Int64, askedAt: Int64)] = []

    init(_ connection: Connection) throws(ETLError) {
        let jobs = try JobTable(connection).all()
        let asked = Set(jobs.filter { !($0.runState.services ?? []).isEmpty }.map(\.id))
        let history = try RunHistory(connection)
        for run in history.runs {
            runs.append((run.firstRow, asked.contains(run.job) ? run.startedAt ?? 0 : 0))
        }
    }

    /// When services were asked about an edition while it was imported, in milliseconds since 1970; 0 if they
    /// were not.
    func askedAt(_ edition: Int64) -> Int64 {
        let next = runs.indices.partitioningIndex { runs[$0].firstRow > edition }
        return next > 0 ? runs[next - 1].askedAt : 0
    }
}
