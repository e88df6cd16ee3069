import Books
import Database
import System

/// A book that a library has, in one entry or in several.
struct LibraryBook: Hashable {
    /// Row ids of the library and the work.
    var library: Int64
    var work: Int64
}

/// The entries of books that a library has in several entries: from two programs, in two editions, or as copies. A person
/// has such a book once, so figures count one entry of it.
///
/// It is one that was read, then one that is being read, then the one with the most readings, then one with a date, then one
/// with a rating, then the oldest.
struct RepeatedEntries {
    /// Number of entries that do not count.
    let count: Int
    /// Their row ids as a JSON array.
    private let list: String

    /// Reads them. Costs a scan of the library.
    ///
    /// - Parameter library: Row id of the library; nil for all. Each library counts for itself.
    init(of library: Int64?, in connection: Connection) throws(ETLError) {
        let tables = "entries e JOIN editions d ON d.id = e.edition"
        let rows = try connection.query(
            """
            SELECT id FROM (
                SELECT e.id, row_number() OVER (PARTITION BY e.library, d.work
                    ORDER BY \(StatisticsReader.isRead) DESC, e.shelf IS 'currently-reading' DESC,
                        \(StatisticsReader.times) DESC, e.date_read IS NULL, e.rating IS NULL, e.id) AS place
                FROM \(tables) JOIN (SELECT e.library, d.work FROM \(tables) WHERE ?1 IS NULL OR e.library = ?1
                    GROUP BY 1, 2 HAVING count(*) > 1) r ON r.library = e.library AND r.work = d.work)
            WHERE place > 1
            """)
        if let library { rows.bind(1, library) }
        var ids: [String] = []
        while try rows.next() { ids.append(String(rows.integer(0))) }
        count = ids.count
        list = "[\(ids.joined(separator: ","))]"
    }

    /// The condition that leaves them out, for the second parameter of a statement; `1` if there are none.
    var condition: String { count == 0 ? "1" : "e.id NOT IN (SELECT value FROM json_each(?2))" }

    /// Gives ``condition`` its parameter. A statement without the condition is not changed.
    func bind(to rows: Statement) {
        if count > 0 { rows.bind(2, list) }
    }
}
