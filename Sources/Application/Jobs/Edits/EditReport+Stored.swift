import Books
import Contract
import Database
import Queries
import Store
import System

extension EditReport {
    /// Names the rows that an edit has changed.
    init(_ outcome: EditOutcome, isDryRun: Bool, in connection: Connection) throws(ETLError) {
        self.init(job: outcome.job?.name, isDryRun: isDryRun, rows: [])
        let names = [
            try connection.query("SELECT w.key, \(ShownTitle.sql(ofWork: "w")) FROM works w WHERE w.id = ?1"),
            try connection.query(
                """
                SELECT d.key, \(ShownTitle.sql) FROM editions d JOIN works w ON w.id = d.work
                WHERE d.id = ?1
                """),
            try connection.query(
                """
                SELECT l.name || '/' || y.format || '/' || e.source_id, \(ShownTitle.sql) FROM entries e
                JOIN libraries l ON l.id = e.library JOIN layouts y ON y.id = e.layout
                JOIN editions d ON d.id = e.edition JOIN works w ON w.id = d.work WHERE e.id = ?1
                """),
        ]
        var places: [RowID: Int] = [:]
        for field in outcome.fields {
            let id = RowID(part: field.field.part, row: field.row)
            if let place = places[id] {
                rows[place].fields.append(field)
                continue
            }
            let read = names[Int(field.field.part.rawValue)]
            read.bind(1, field.row)
            defer { read.reset() }
            guard try read.next() else { continue }
            places[id] = rows.count
            rows.append(
                Row(
                    kind: RowChange.Kind(field.field.part), key: read.string(0),
                    title: read.optionalString(1),
                    fields: [field]))
        }
    }

    private struct RowID: Hashable {
        var part: EditableField.Part
        var row: Int64
    }
}

extension RowChange.Kind {
    init(_ part: EditableField.Part) {
        self =
            switch part {
            case .work: .work
            case .edition: .edition
            case .entry: .entry
            }
    }
}
