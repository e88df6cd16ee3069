import Contract
package import Database
package import Store
package import System

/// Rows that each record of a job created and changed, in the order of the records: the preview of an import.
package struct RowPreviews {
    private let connection: Connection
    private let job: Job

    /// - Parameters:
    ///   - job: The newest job that wrote to the store.
    ///   - connection: A store opened for reading.
    package init(of job: Job, _ connection: Connection) {
        self.connection = connection
        self.job = job
    }

    /// Passes the records to a closure that created or changed something. A work or an edition that several
    /// records have in common is shown with each of them.
    package func visit(_ body: (RowPreview) throws(ETLError) -> Void) throws(ETLError) {
        try connection.snapshot { () throws(ETLError) in
            let history = try RunHistory(connection)
            guard let interval = history.intervals(of: job).last else { return }
            let changed = try ChangedRows(in: interval, connection)
            let book = try connection.query(
                "SELECT e.edition, d.work FROM entries e JOIN editions d ON d.id = e.edition WHERE e.id = ?1")
            let outcomes = try PackedOutcomesReader(connection, of: job.id)
            while let run = try outcomes.next() {
                for record in run.records where record.outcome != .duplicate {
                    book.bind(1, record.entry)
                    defer { book.reset() }
                    guard try book.next() else { continue }
                    var changes: [RowChange] = []
                    for (kind, id) in [
                        (RowChange.Kind.work, book.integer(1)), (.edition, book.integer(0)),
                        (.entry, record.entry),
                    ] {
                        if let change = try changed.change(of: id, kind) { changes.append(change) }
                    }
                    guard !changes.isEmpty else { continue }
                    try body(
                        RowPreview(
                            row: record.row, file: job.inputs.count > 1 ? job.fileName(run.file) : nil,
                            outcome: record.outcome, changes: changes))
                }
            }
        }
    }

    /// Writes the records as NDJSON while they are read.
    package func write(to sink: ByteSink) throws(ETLError) {
        var objects = JSONObjects(isArray: false)
        try visit { (row) throws(ETLError) in
            try objects.write(to: sink) { out in row.writeFields(into: &out) }
        }
        _ = try objects.end(to: sink)
    }
}
