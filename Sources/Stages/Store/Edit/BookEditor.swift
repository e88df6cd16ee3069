import Books
import Bytes
import Database
import System

/// Changes fields of stored rows as the user asks, in the caller's transaction (Decision 0036).
///
/// A value that is set goes into its row like any other, with the user as its source. A row of `edits` keeps
/// later imports from changing it.
struct BookEditor {
    private let tables: LibraryTables
    private let connection: Connection
    private let indexes: LibraryIndexes
    /// Milliseconds since 1970.
    private let now: Int64
    private let readEdit: Statement
    private let insertEdit: Statement
    private let deleteEdit: Statement

    init(_ tables: LibraryTables, now: Int64) throws(ETLError) {
        self.tables = tables
        connection = tables.connection
        indexes = tables.indexes
        self.now = now
        readEdit = try connection.prepare("SELECT is_set FROM edits WHERE id = ?1")
        insertEdit = try connection.prepare(
            "INSERT OR REPLACE INTO edits(id, part, field, is_set, edited_at) VALUES (?1, ?2, ?3, ?4, ?5)")
        deleteEdit = try connection.prepare("DELETE FROM edits WHERE id = ?1")
    }

    /// Finds out what a change does; nil if nothing. Changes nothing.
    func plan(_ change: EditRequest.Change) throws(ETLError) -> EditedField? {
        let before = try values(of: change.field, row: change.row)
        let edit = try edit(change)
        var planned = EditedField(
            field: change.field, row: change.row, before: before, after: before, wasLocked: edit != nil,
            isLocked: true)
        switch change.action {
        case .set(let values):
            planned.after = values
            if edit == true, values == before { return nil }
        case .lock:
            if edit != nil { return nil }
        case .unlock:
            planned.isLocked = false
            if edit == nil { return nil }
        }
        return planned
    }

    /// Makes changes.
    func apply(_ changes: [EditRequest.Change]) throws(ETLError) {
        if changes.contains(where: { $0.field == .isbn }) { try indexes.flush() }
        var freed: Set<Int64> = []
        for change in changes { freed.formUnion(try apply(change)) }
        if !freed.isEmpty { try OrphanedEditions(connection).handOver(freed, in: indexes) }
    }

    /// - Returns: The ISBNs that an edition no longer has, in its keyspace.
    private func apply(_ change: EditRequest.Change) throws(ETLError) -> Set<Int64> {
        let id = EditIDs.id(row: change.row, change.field)
        switch change.action {
        case .set(let values):
            let freed = try set(change.field, values, ofRow: change.row)
            try note(id, change.field, isSet: true)
            return freed
        case .lock: try note(id, change.field, isSet: false)
        case .unlock:
            try deleteEdit.run(id)
        }
        return []
    }

    /// Whether a field is set; false if it is only locked, nil if it is neither.
    private func edit(_ change: EditRequest.Change) throws(ETLError) -> Bool? {
        readEdit.bind(1, EditIDs.id(row: change.row, change.field))
        defer { readEdit.reset() }
        return try readEdit.next() ? readEdit.integer(0) != 0 : nil
    }

    private func note(_ id: Int64, _ field: EditableField, isSet: Bool) throws(ETLError) {
        try insertEdit.run(id, Int64(field.part.rawValue), field.name, isSet ? 1 : 0 as Int64, now)
    }

    // MARK: Values

    private func values(of field: EditableField, row: Int64) throws(ETLError) -> [String] {
        guard let column = field.column else { return try people(ofWork: row).authors.map(\.name) }
        let read = try connection.query("SELECT \(column) FROM \(field.part.table.name) WHERE id = ?1", row)
        defer { read.reset() }
        guard try read.next(), let text = read.optionalString(0), !text.isEmpty else { return [] }
        return field.values(ofStored: text)
    }

    private func set(
        _ field: EditableField, _ values: [String], ofRow row: Int64
    ) throws(ETLError) -> Set<Int64> {
        let table = field.part.table
        var freed: Set<Int64> = []
        var people: ChangedPeople?
        guard let lineageField = field.field else {
            try update(table, row, "\(field.column ?? "")", field.stored(values))
            return freed
        }
        if field == .isbn {
            freed = try EditionISBN(tables).set(values.first.flatMap { ISBN($0) }, ofEdition: row)
        } else if let column = field.column {
            try update(table, row, column, field.stored(values))
        } else {
            people = try setAuthors(values, ofWork: row)
        }
        try noteReader(of: lineageField, table, row, people)
        let work =
            try field.part == .work ? row : connection.integer("SELECT work FROM editions WHERE id = ?1", row)
        if let work {
            try connection.execute(
                "UPDATE works SET review_status = \(ReviewStatus.userEdited.rawValue) WHERE id = ?1", work)
        }
        return freed
    }

    private func update(
        _ table: JournaledTable, _ row: Int64, _ column: String, _ value: String?
    ) throws(ETLError) {
        try connection.execute("UPDATE \(table.name) SET \(column) = ?2 WHERE id = ?1", row, value)
    }

    /// Records the user as the source of a field.
    ///
    /// - Parameter people: The contributors of a work; nil for another field.
    private func noteReader(
        of field: Field, _ table: JournaledTable, _ row: Int64, _ people: ChangedPeople?
    ) throws(ETLError) {
        guard let read = try connection.row("SELECT lineage FROM \(table.name) WHERE id = ?1", row) else {
            return
        }
        var lineage = Lineage(decoding: read.bytes(0))
        read.reset()
        let user = Lineage.Origin(.user, .edited)
        if let people {
            let before = lineage.origins(of: field, count: people.before)
            let others = people.others.map { before.indices.contains($0) ? before[$0] : user }
            lineage.set(field, elements: Array(repeating: user, count: people.authors) + others)
        } else {
            lineage.set(field, from: .user, by: .edited)
        }
        try connection.execute("UPDATE \(table.name) SET lineage = ?2 WHERE id = ?1", row, lineage.encoded())
    }

    // MARK: Authors

    private struct Person {
        var id: Int64
        var name: String
        var role: Int64
        /// Index among the work's contributors.
        var place: Int
    }

    /// The contributors of a work whose authors the user has set.
    private struct ChangedPeople {
        /// Number of contributors before.
        var before: Int
        /// Number of authors now.
        var authors: Int
        /// The former places of the other contributors, who follow the authors.
        var others: [Int]
    }

    private func people(ofWork work: Int64) throws(ETLError) -> (authors: [Person], others: [Person]) {
        let read = try connection.query(
            """
            SELECT a.id, a.name, c.role FROM contributors c JOIN authors a ON a.id = c.author
            WHERE \(ContributorIDs.condition(work: "?1", alias: "c.")) ORDER BY c.id
            """, work)
        var all: [Person] = []
        while try read.next() {
            all.append(
                Person(
                    id: read.integer(0), name: read.string(1), role: read.integer(2), place: all.count))
        }
        let author = Int64(ContributorRole.author.rawValue)
        return (all.filter { $0.role == author }, all.filter { $0.role != author })
    }

    /// Replaces the authors of a work. Its other contributors stay, after them.
    private func setAuthors(_ names: [String], ofWork work: Int64) throws(ETLError) -> ChangedPeople {
        let (present, others) = try people(ofWork: work)
        var all: [Person] = []
        for name in names {
            let key = KeyComposer.authorKey(named: name)
            let known = (present + others).first { KeyComposer.authorKey(named: $0.name) == key }
            let id = if let known { known.id } else { try author(named: name) }
            try respell(author: id, name)
            if !all.contains(where: { $0.id == id }) {
                all.append(Person(id: id, name: name, role: Int64(ContributorRole.author.rawValue), place: 0))
            }
        }
        let authors = all.count
        all += others
        try connection.execute("DELETE FROM contributors WHERE \(ContributorIDs.condition(work: "\(work)"))")
        let insert = try connection.prepare("INSERT INTO contributors(id, author, role) VALUES (?1, ?2, ?3)")
        for (position, person) in all.prefix(ContributorIDs.maxPerWork).enumerated() {
            try insert.run(ContributorIDs.id(work: work, position: position), person.id, person.role)
        }
        return ChangedPeople(
            before: present.count + others.count, authors: authors, others: others.map(\.place))
    }

    /// Gives an author the spelling that the user has set. An author is stored once for all works.
    private func respell(author: Int64, _ name: String) throws(ETLError) {
        try connection.execute("UPDATE authors SET name = ?2 WHERE id = ?1 AND name <> ?2", author, name)
    }

    /// The row of the author with a name, which is created if there is none.
    private func author(named name: String) throws(ETLError) -> Int64 {
        var text = KeyComposer.authorKey(named: name)
        let key = text.withUTF8 { TextKey(UnsafeRawBufferPointer($0)) }
        if let known = try indexes.authors.place(of: key).row { return known }
        indexes.lastAuthor += 1
        try connection.execute(
            "INSERT INTO authors(id, key, name, gender, identification) VALUES (?1, ?2, ?3, 0, 0)",
            indexes.lastAuthor, text, name)
        try indexes.authors.change(key, row: indexes.lastAuthor)
        return indexes.lastAuthor
    }
}

extension EditableField {
    /// A stored value as one value, or as the elements of a list. A series is written `Earthsea Cycle #1`.
    package func values(ofStored text: String) -> [String] {
        switch self {
        case .seriesName: StoredSeries.read(text).map(\.description)
        case _ where isList: StoredList.strings(text)
        case .rating: [Double(text).flatMap { Int64(exactly: $0) }.map(String.init) ?? text]
        default: [text]
        }
    }

    /// Values in stored form; nil if there are none.
    fileprivate func stored(_ values: [String]) -> String? {
        switch self {
        case .seriesName: StoredSeries.stored(values.map { StoredSeries($0) })
        case _ where isList: StoredList.stored(values)
        default: values.first
        }
    }
}
