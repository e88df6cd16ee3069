import Books
import Contract
import Database
import Pipeline
import Store
import Syntax
import System

/// The canonical dump, `etl export --what all`: the complete state of a library, but not its history.
///
/// It has one object per line, `kind` first: works with contributors and lineage, editions with lineage,
/// authors, entries with all their cells, aliases (keys of merged works), rejects; each kind in the order of
/// public keys. Two stores hold the same library exactly if their dumps have the same bytes. Tests of
/// resuming and of concurrency rely on this. Therefore the dump has no row ids, job ids, times, caches or
/// attempts. Lineage names a provider and its record, or the user's row by library, format and source id. A
/// reject that several runs have in common is listed once.
struct CanonicalDump {
    private let connection: Connection
    private let contributors: ContributorReader
    private let sources: LineageSources
    private let cells: EntryCells
    private let edits: StoredEdits

    init(_ connection: Connection) throws(ETLError) {
        self.connection = connection
        contributors = try ContributorReader(connection)
        sources = try LineageSources(connection)
        cells = try EntryCells(connection)
        edits = try StoredEdits(connection)
    }

    func write(into objects: inout JSONObjects, to sink: ByteSink) throws(ETLError) {
        let works = try connection.query("SELECT lineage FROM works WHERE id = ?1")
        try write("work", .bareWorks.withStoredCovers, into: &objects, to: sink) { id, out throws(ETLError) in
            try writePeople(of: id, into: &out)
            try writeLineage(of: id, by: works, into: &out)
            try writeEdits(of: .work, id, into: &out)
        }
        let editions = try connection.query("SELECT lineage FROM editions WHERE id = ?1")
        try write("edition", .editions.withStoredCovers, into: &objects, to: sink) {
            id, out throws(ETLError) in
            try writeLineage(of: id, by: editions, into: &out)
            try writeEdits(of: .edition, id, into: &out)
        }
        try write("author", .authors, into: &objects, to: sink) { _, _ in }
        try write("entry", .entries, into: &objects, to: sink) { id, out throws(ETLError) in
            try writeCells(of: id, into: &out)
            try writeEdits(of: .entry, id, into: &out)
        }
        try writeRemovedEntries(into: &objects, to: sink)
        try writeAliases(into: &objects, to: sink)
        try writeRejects(into: &objects, to: sink)
    }

    /// Writes the rows of a table in its order, each with the fields that `more` adds.
    private func write(
        _ kind: StaticString, _ table: ExportTable, into objects: inout JSONObjects, to sink: ByteSink,
        more: (Int64, inout JSONWriter) throws(ETLError) -> Void
    ) throws(ETLError) {
        let row = try ExportRow(table, in: connection)
        let ids = try connection.query(table.order)
        while try ids.next() {
            let id = ids.integer(0)
            guard try row.move(to: id) else { continue }
            try objects.write(to: sink) { out throws(ETLError) in
                out.field("kind", "\(kind)")
                try row.writeFields(into: &out)
                try more(id, &out)
            }
        }
    }

    private func writePeople(of work: Int64, into out: inout JSONWriter) throws(ETLError) {
        let people = try contributors.all(of: work)
        out.key("people")
        out.array { out in
            for person in people {
                out.object { out in
                    out.field("author", person.author.key)
                    out.field("role", String(describing: person.role))
                }
            }
        }
    }

    private func writeLineage(
        of id: Int64, by query: Statement, into out: inout JSONWriter
    ) throws(ETLError) {
        guard try query.first(id) else { return }
        let lineage = Lineage(decoding: query.bytes(0))
        query.reset()
        var named: [Explanation.Source?] = []
        for source in lineage.sources { named.append(try sources.source(source)) }
        out.field("lineage") { out in
            let items = Dictionary(grouping: lineage.items, by: \.field)
            for (field, items) in items.sorted(by: { $0.key.rawValue < $1.key.rawValue }) {
                func write(_ item: Lineage.Item, _ out: inout JSONWriter) {
                    out.field("rule", String(describing: item.rule))
                    named[item.source]?.writeFields(into: &out)
                }
                out.key(field.name)
                out.object { out in
                    if let first = items.first { write(first, &out) }
                    guard items.count > 1 else { return }
                    // The elements of a list are from several sources.
                    out.key("elements")
                    out.array { out in for item in items { out.object { out in write(item, &out) } } }
                }
            }
        }
    }

    /// The cells under the names of their columns. A column without a name, or with the name of an earlier
    /// one, is named by its number.
    private func writeCells(of entry: Int64, into out: inout JSONWriter) throws(ETLError) {
        guard let row = try cells.cells(of: entry) else { return }
        var taken: Set<String> = []
        out.field("cells") { out in
            for (column, cell) in row.cells.enumerated() where !cell.isEmpty {
                var name = row.names.indices.contains(column) ? row.names[column] : ""
                if name.isEmpty {
                    name = "#\(column + 1)"
                } else if !taken.insert(name).inserted {
                    name = "#\(column + 1) \(name)"
                }
                out.key(name)
                out.string(cell)
            }
        }
    }

    /// The fields that the user has set or locked.
    private func writeEdits(
        of part: EditableField.Part, _ id: Int64, into out: inout JSONWriter
    ) throws(ETLError) {
        let edits = try self.edits.edits(of: part, id)
        guard !edits.isEmpty else { return }
        out.field("edits") { out in
            for edit in edits {
                out.key(edit.field.name)
                out.string(edit.isSet ? "set" : "locked")
            }
        }
    }

    private func writeRemovedEntries(into objects: inout JSONObjects, to sink: ByteSink) throws(ETLError) {
        let removed = try connection.query(
            """
            SELECT l.name, y.format, e.source_id FROM removed_entries e JOIN libraries l ON l.id = e.library
            JOIN layouts y ON y.id = e.layout ORDER BY 1, 2, 3, e.id
            """)
        while try removed.next() {
            try objects.write(to: sink) { out in
                out.field("kind", "removedEntry")
                out.field("library", removed.string(0))
                out.field("sourceFormat", removed.string(1))
                out.field("sourceId", removed.string(2))
            }
        }
    }

    private func writeAliases(into objects: inout JSONObjects, to sink: ByteSink) throws(ETLError) {
        let aliases = try connection.query(
            "SELECT a.key, w.key FROM aliases a CROSS JOIN works w ON w.id = a.work ORDER BY a.key")
        while try aliases.next() {
            try objects.write(to: sink) { out in
                out.field("kind", "alias")
                out.field("id", WorkAlias.key(ofStored: aliases.string(0)))
                out.field("work", aliases.string(1))
            }
        }
    }

    private func writeRejects(into objects: inout JSONObjects, to sink: ByteSink) throws(ETLError) {
        let rejects = try connection.query(
            """
            SELECT DISTINCT l.name, j.format, r.code, r.field, r.value, r.message, r.raw
            FROM rejects r JOIN jobs j ON j.id = r.job JOIN libraries l ON l.id = j.library
            WHERE r.job NOT IN (\(JobTable.undone))
            ORDER BY 1, 2, 3, 4, 5, 6, 7
            """)
        while try rejects.next() {
            try objects.write(to: sink) { out in
                out.field("kind", "reject")
                out.field("library", rejects.string(0))
                out.field("sourceFormat", rejects.optionalString(1))
                out.field("code", rejects.string(2))
                out.field("field", rejects.optionalString(3))
                out.field("value", rejects.optionalString(4))
                out.field("message", rejects.string(5))
                out.key("raw")
                rejects.withBytes(6) { out.string(utf8: $0) }
            }
        }
    }
}
