import Books
package import Database
package import Pipeline
package import Store
import Syntax
package import System

/// Lists the entries of a store with chosen fields: `etl list`.
package struct LibraryList {
    /// Filter and order of a list.
    package struct Query: Sendable {
        /// A condition over ``StoredBookField/schema``; nil for all entries.
        package var condition: RecordExpression?
        package var columns: [StoredBookField]
        /// Fields to sort by, the first one first. Entries without a value come last.
        package var order: [(field: StoredBookField, isDescending: Bool)]
        /// The library to list; nil for all.
        package var library: String?
        /// Maximum number of entries; nil for all.
        package var limit: Int?
        /// Whether entries of books that the user is known not to own are left out.
        package var isOfCopies = false

        package init(
            columns: [StoredBookField], order: [(field: StoredBookField, isDescending: Bool)] = [],
            condition: RecordExpression? = nil, library: String? = nil, limit: Int? = nil
        ) {
            self.columns = columns
            self.order = order
            self.condition = condition
            self.library = library
            self.limit = limit
        }
    }

    /// The formats for programs.
    package enum Format: String, Sendable, CaseIterable {
        case csv, json, ndjson
        /// One key per line, as other commands take it.
        case ids
    }

    /// The length of a list.
    package struct Count: Sendable, Hashable {
        package var entries = 0
        /// Fewer than entries if books have several: from two programs, in two editions, or as copies.
        package var books = 0
    }

    private let connection: Connection
    private let query: Query

    /// - Parameter connection: A store opened for reading.
    package init(_ connection: Connection, _ query: Query) {
        self.connection = connection
        self.query = query
    }

    /// Passes the texts of the columns of each entry to a closure; empty for missing values.
    ///
    /// - Throws: `.missing` if there is no such library.
    @discardableResult
    package func visit(_ body: ([String]) throws(ETLError) -> Void) throws(ETLError) -> Count {
        var books: Set<LibraryBook> = []
        let entries = try read { row throws(ETLError) in
            let place = Int32(query.columns.count + 1)
            books.insert(LibraryBook(library: row.integer(place), work: row.integer(place + 1)))
            try body(
                query.columns.indices.map { query.columns[$0].value(row, Int32($0 + 1)).text ?? "" })
        }
        return Count(entries: entries, books: books.count)
    }

    /// Writes the list for a program, while it is read.
    ///
    /// - Parameter guardsFormulas: Whether CSV cells that a spreadsheet would run as a formula get an apostrophe.
    /// - Returns: The number of entries.
    @discardableResult
    package func write(
        as format: Format, guardsFormulas: Bool = false, to sink: ByteSink
    ) throws(ETLError) -> Int {
        switch format {
        case .json, .ndjson: return try writeJSON(isArray: format == .json, to: sink)
        case .csv:
            var out = CSVWriter(guardsFormulas: guardsFormulas)
            out.record(query.columns.map(\.name))
            let count = try visit { cells throws(ETLError) in
                out.record(cells)
                try out.flush(to: sink)
            }
            try out.flush(to: sink, isEnd: true)
            return count.entries
        case .ids:
            var out = CSVWriter()
            let count = try read { row throws(ETLError) in
                out.record([row.string(0)])
                try out.flush(to: sink)
            }
            try out.flush(to: sink, isEnd: true)
            return count
        }
    }

    private func writeJSON(isArray: Bool, to sink: ByteSink) throws(ETLError) -> Int {
        var objects = JSONObjects(isArray: isArray)
        _ = try read { row throws(ETLError) in
            try objects.write(to: sink) { out throws(ETLError) in
                out.field("key", row.string(0))
                for (index, field) in query.columns.enumerated() where field.name != "key" {
                    let column = Int32(index + 1)
                    if row.isNull(column) { continue }
                    out.key(field.name)
                    switch field.form {
                    case .list, .series: row.withBytes(column) { out.spliced(json: $0) }
                    case .plain where field.type == .number: out.number(row.double(column))
                    case .plain: row.withBytes(column) { out.string(utf8: $0) }
                    case .cover: out.string(CoverAddress.shown(row.string(column)))
                    }
                }
            }
        }
        return try objects.end(to: sink)
    }

    /// Passes the row of each entry: its key, the columns, its library and work, then the fields of the condition.
    private func read(_ body: (Statement) throws(ETLError) -> Void) throws(ETLError) -> Int {
        try connection.snapshot { () throws(ETLError) -> Int in
            let indexes = query.condition?.fields ?? []
            let tested = indexes.compactMap { StoredBookField.field($0) }
            let rows = try connection.query(sql(tested))
            if let library = query.library {
                rows.bind(1, try LibraryNames(connection).id(of: library))
            }
            var count = 0
            let first = query.columns.count + 3
            while count < query.limit ?? .max, try rows.next() {
                if let condition = query.condition {
                    let values = tested.enumerated().map { $1.value(rows, Int32(first + $0)) }
                    guard condition.holds(for: StoredBookValues(indexes: indexes, values: values)) else {
                        continue
                    }
                }
                try body(rows)
                count += 1
            }
            return count
        }
    }

    /// The key is that of the edition, because a work can be in a library several times.
    private func sql(_ tested: [StoredBookField]) -> String {
        let values = query.columns.map(\.sql) + ["e.library", "w.id"] + tested.map(\.sql)
        let order = query.order.flatMap { field, isDescending in
            let value = field.type == .number ? "(\(field.sql))" : "(\(field.sql)) COLLATE NOCASE"
            return ["(\(field.sql)) IS NULL", "\(value)\(isDescending ? " DESC" : "")"]
        }
        return """
            SELECT \((["d.key"] + values).joined(separator: ", "))
            FROM entries e JOIN editions d ON d.id = e.edition JOIN works w ON w.id = d.work
            LEFT JOIN refreshes r ON r.edition = d.id
            WHERE (?1 IS NULL OR e.library = ?1)\(query.isOfCopies ? " AND ifnull(e.owned_copies, 1) > 0" : "")
            ORDER BY \((order + ["e.id"]).joined(separator: ", "))
            """
    }
}
