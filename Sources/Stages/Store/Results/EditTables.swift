import Database

/// The tables of what the user has changed: fields that are set or locked, and entries that were removed
/// (Decision 0036).
enum EditTables {
    /// An id combines the row with the field (``EditIDs``). `is_set` is 0 if the field is only locked. A
    /// removed entry keeps its id and its key, so that a later import finds it and leaves it out. `joined_into`
    /// is the entry that got its values, if both are of one book.
    static let tables = """
        CREATE TABLE edits(
            id INTEGER PRIMARY KEY,
            part INTEGER NOT NULL,
            field TEXT NOT NULL,
            is_set INTEGER NOT NULL,
            edited_at INTEGER NOT NULL);
        CREATE TABLE removed_entries(
            id INTEGER PRIMARY KEY,
            library INTEGER NOT NULL,
            layout INTEGER NOT NULL,
            source_id TEXT NOT NULL,
            joined_into INTEGER);
        """
}

/// The ids of edits. Those of a row are consecutive. A work, an edition and an entry with the same id have
/// different fields.
enum EditIDs {
    static let bits: Int64 = 8

    static func id(row: Int64, _ field: EditableField) -> Int64 { row << bits | Int64(field.rawValue) }

    /// The same as SQL.
    static func id(row: String, _ field: EditableField) -> String {
        "(\(row) << \(bits)) + \(field.rawValue)"
    }

    /// The row that an edit is about, as SQL.
    static func row(of id: String) -> String { "(\(id) >> \(bits))" }

    /// The SQL condition for the edits of a row.
    static func condition(_ id: String = "id", row: String, _ part: EditableField.Part) -> String {
        let (first, last) = (part.codes.lowerBound, part.codes.upperBound - 1)
        return "\(id) BETWEEN (\(row) << \(bits)) + \(first) AND (\(row) << \(bits)) + \(last)"
    }

    /// The SQL condition for edits of rows in a query.
    static func condition(rowIn query: String, _ part: EditableField.Part) -> String {
        "(part = \(part.rawValue) AND \(row(of: "id")) IN (\(query)))"
    }
}

/// What the user changed in a job, for the list of jobs.
package struct EditNote: Sendable, Hashable, Codable {
    /// The title of the book, or its key; nil if there are several.
    package var book: String?
    /// Number of books.
    package var books: Int
    /// Number of fields that were set, locked or unlocked; 0 for other changes.
    package var fields: Int
    /// The names of the fields, each once; nil for other changes.
    package var names: [String]?

    package init(book: String?, books: Int, fields: Int) {
        self.book = book
        self.books = books
        self.fields = fields
    }
}
