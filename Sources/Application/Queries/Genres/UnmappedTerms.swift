package import Books
import Contract
package import Database
package import System

/// Counts the subjects and shelves of a library that give no genre, for writing rules (``GenreRules``).
package struct UnmappedTerms {
    private let connection: Connection
    private let rules: GenreRules

    /// - Parameter connection: A store opened for reading.
    package init(_ connection: Connection, rules: GenreRules = GenreRules()) {
        self.connection = connection
        self.rules = rules
    }

    /// Calls `body` with each term, the most frequent first. Memory does not grow with the library: SQLite
    /// sorts in a temporary file.
    ///
    /// - Parameter body: Returns whether to go on.
    package func visit(_ body: (UnmappedTerm) throws(ETLError) -> Bool) throws(ETLError) {
        var line = GenreLine(rules: rules)
        try connection.snapshot { () throws(ETLError) in
            let query = try connection.query(Self.terms)
            while try query.next() {
                let isShelf = query.integer(0) != 0
                let hints = query.withBytes(1) { line.hintsOfUnmapped($0, isShelf: isShelf) }
                guard let hints else { continue }
                let term = UnmappedTerm(
                    text: query.string(1), source: isShelf ? .shelf : .subject, count: Int(query.integer(2)),
                    hints: hints)
                guard try body(term) else { return }
            }
        }
    }

    /// Shelves are a list separated by commas, which this converts to a JSON array.
    private static let terms = """
        SELECT is_shelf, term, count FROM (
            SELECT 0 AS is_shelf, min(trim(s.value)) AS term, count(*) AS count
            FROM works w, json_each(w.subjects) s GROUP BY lower(trim(s.value))
            UNION ALL
            SELECT 1, min(trim(s.value)), count(*)
            FROM entries e, json_each('[' || replace(json_quote(e.shelves), ',', '","') || ']') s
            WHERE e.shelves IS NOT NULL GROUP BY lower(trim(s.value)))
        ORDER BY count DESC, lower(term), is_shelf
        """
}
