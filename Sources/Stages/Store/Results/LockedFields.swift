package import Books
package import Database
package import System

/// The fields that the user has set or locked, and the entries that the user has removed. No import and no
/// service changes them.
///
/// Most stores have none: then a run checks this only once. Otherwise a bit for each row says whether its
/// fields must be looked up.
package final class LockedFields {
    private var edited = RowSet()
    private var removed = RowSet()
    private let read: Statement
    private let move: Statement
    private let readEditions: Statement
    private let readSpellings: Statement

    /// - Returns: nil if there are none.
    package init?(_ connection: Connection) throws(ETLError) {
        guard
            try connection.integer(
                "SELECT 1 WHERE EXISTS (SELECT 1 FROM edits) OR EXISTS (SELECT 1 FROM removed_entries)")
                != nil
        else { return nil }
        let rows = try connection.prepare("SELECT DISTINCT \(EditIDs.row(of: "id")) FROM edits")
        while try rows.next() { edited.insert(rows.integer(0)) }
        let entries = try connection.prepare("SELECT id FROM removed_entries")
        while try entries.next() { removed.insert(entries.integer(0)) }
        read = try connection.prepare("SELECT id & 255 FROM edits WHERE id BETWEEN ?1 AND ?2 ORDER BY id")
        readEditions = try connection.prepare(
            "SELECT id FROM editions WHERE \(EditionsOfWork.condition(work: "?1"))")
        readSpellings = try connection.prepare(
            """
            SELECT 1 FROM edits e JOIN contributors c
                ON \(ContributorIDs.condition(work: EditIDs.row(of: "e.id"), alias: "c."))
            WHERE e.id & 255 = \(EditableField.authors.rawValue) AND c.author = ?1 LIMIT 1
            """)
        move = try connection.prepare(
            "UPDATE edits SET id = ?2 WHERE id = ?1 AND NOT EXISTS (SELECT 1 FROM edits WHERE id = ?2)")
    }

    /// The fields of a work, an edition or an entry that are set or locked, in their order.
    package func fields(of part: EditableField.Part, _ row: Int64) throws(ETLError) -> [EditableField] {
        guard edited.contains(row) else { return [] }
        read.bind(
            values: row << EditIDs.bits + part.codes.lowerBound,
            row << EditIDs.bits + part.codes.upperBound - 1)
        defer { read.reset() }
        var fields: [EditableField] = []
        while try read.next() {
            if let field = EditableField(rawValue: UInt8(truncatingIfNeeded: read.integer(0))) {
                fields.append(field)
            }
        }
        return fields
    }

    /// The same for a work or an edition, as fields of its lineage. The authors are ``Field/authorName``.
    package func lineageFields(
        of part: EditableField.Part, _ row: Int64
    ) throws(ETLError) -> FieldSet {
        var set = FieldSet()
        for field in try fields(of: part, row) { if let field = field.field { set.insert(field) } }
        return set
    }

    /// The same for an entry, as fields of an export.
    func libraryFields(ofEntry row: Int64) throws(ETLError) -> LibraryFields {
        var set = LibraryFields()
        for field in try fields(of: .entry, row) { if let field = field.libraryField { set.insert(field) } }
        // The user's list of readings is a whole.
        if set.contains(.dateRead), set.contains(.dateStarted) { set.insert(.earlierReadings) }
        return set
    }

    /// Whether an edition stays in its work.
    func isFixed(edition: Int64) throws(ETLError) -> Bool {
        try fields(of: .edition, edition).contains(.work)
    }

    /// Whether an edition keeps its ISBN.
    func hasFixedISBN(edition: Int64) throws(ETLError) -> Bool {
        try fields(of: .edition, edition).contains(.isbn)
    }

    /// Whether an edition of a work stays in it.
    func hasFixedEdition(work: Int64) throws(ETLError) -> Bool {
        readEditions.bind(1, work)
        defer { readEditions.reset() }
        while try readEditions.next() { if try isFixed(edition: readEditions.integer(0)) { return true } }
        return false
    }

    /// Whether the user has set the authors of a work by this author. The spelling of the name is the user's then.
    func holdsSpelling(ofAuthor author: Int64) throws(ETLError) -> Bool {
        readSpellings.bind(1, author)
        defer { readSpellings.reset() }
        return try readSpellings.next()
    }

    /// Whether the user has removed an entry.
    package func isRemoved(_ entry: Int64) -> Bool { removed.contains(entry) }

    /// Notes that a field of a row was set or locked since.
    func noteEdit(ofRow row: Int64) { edited.insert(row) }

    /// Moves the edits of a work that is merged into another one, except for fields that the other one has.
    func move(work: Int64, to other: Int64) throws(ETLError) {
        for field in try fields(of: .work, work) {
            try move.run(EditIDs.id(row: work, field), EditIDs.id(row: other, field))
            edited.insert(other)
        }
    }
}
