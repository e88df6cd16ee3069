import Books
import Contract
package import Database
import Pipeline
package import Store
import Syntax
package import System

/// Changes by jobs to the library: `etl diff`.
package struct LibraryDifference {
    /// Its output format.
    package enum Format: String, Sendable, CaseIterable {
        /// One object per row.
        case ndjson
        /// One array of objects.
        case json
        /// One line per field.
        case csv
    }

    private let connection: Connection
    private let intervals: [RunInterval]
    private let absent: AbsentEntries?
    /// The job, or both jobs.
    package let jobs: [Job]

    /// - Parameters:
    ///   - connection: A store opened for reading.
    ///   - name: The job whose changes are shown; nil for the newest one that changed the library.
    ///   - other: A second job: then the library after the first one is compared with the library after this
    ///     one.
    /// - Throws: `.missing` if there is no such job; `.usage` if the second job did not write after the first
    ///   one, or if what they changed is not known.
    package init(_ connection: Connection, of name: String?, with other: String? = nil) throws(ETLError) {
        self.connection = connection
        let table = JobTable(connection)
        let history = try RunHistory(connection)
        let first = if let name { try table.any(name) } else { try table.newestChange() }
        guard let other else {
            jobs = [first]
            intervals = history.intervals(of: first)
            absent = AbsentEntries(of: first, connection)
            try check()
            return
        }
        let second = try table.any(other)
        jobs = [first, second]
        guard let from = history.last(of: first)?.id, let through = history.last(of: second)?.id,
            from < through
        else {
            throw ETLError(
                .usage, "Job `\(second.name)` did not write after job `\(first.name)`.",
                advice: "Specify the earlier job first. \(UserCommand.jobs) lists the jobs.")
        }
        intervals = [RunInterval(after: from, through: through, of: history)]
        absent = nil
        try check()
    }

    private func check() throws(ETLError) {
        guard intervals.allSatisfy(\.isKnown) else {
            throw ETLError(
                .usage, "The history of job `\(jobs[0].name)` was deleted.",
                advice: "Compare later jobs. \(UserCommand.jobs) lists the jobs.")
        }
    }

    /// Passes the changes to a closure, one by one.
    package func visit(_ body: (RowChange) throws(ETLError) -> Void) throws(ETLError) {
        try connection.snapshot { () throws(ETLError) in
            for interval in intervals { try ChangedRows(in: interval, connection).visit(nil, body) }
            try absent?.visit(body)
        }
    }

    /// Writes the changes while they are read.
    package func write(as format: Format, guardsFormulas: Bool = false, to sink: ByteSink)
        throws(ETLError)
    {
        guard format == .csv else {
            var objects = JSONObjects(isArray: format == .json)
            try visit { (change) throws(ETLError) in
                try objects.write(to: sink) { out throws(ETLError) in change.writeFields(into: &out) }
            }
            _ = try objects.end(to: sink)
            return
        }
        var out = CSVWriter(guardsFormulas: guardsFormulas)
        out.record(["change", "kind", "id", "title", "field", "before", "after", "from", "because"])
        try visit { (change) throws(ETLError) in
            let row = [change.effect.rawValue, change.kind.rawValue, change.key, change.title ?? ""]
            if change.fields.isEmpty { out.record(row + ["", "", "", "", ""]) }
            for field in change.fields {
                out.record(
                    row + [
                        field.field, field.before.joined(separator: "; "),
                        field.after.joined(separator: "; "),
                        field.source?.words ?? "", field.rule?.sentence ?? "",
                    ])
            }
            try out.flush(to: sink)
        }
        try out.flush(to: sink, isEnd: true)
    }
}

/// The entries that a newer export of their library no longer has.
private struct AbsentEntries {
    private let connection: Connection
    private let job: Job
    private let formatName: String

    /// - Returns: nil if the job did not read one whole export.
    init?(of job: Job, _ connection: Connection) {
        guard job.hasRecords, !job.isUnfinished, let formatName = job.formatName, job.options?[.limit] == nil
        else { return nil }
        self.connection = connection
        self.job = job
        self.formatName = formatName
    }

    func visit(_ body: (RowChange) throws(ETLError) -> Void) throws(ETLError) {
        var present = RowSet()
        let outcomes = try PackedOutcomesReader(connection, of: job.id)
        while let run = try outcomes.next() {
            for record in run.records { present.insert(record.entry) }
        }
        let entries = try connection.query(
            """
            SELECT e.id, e.source_id, \(ShownTitle.sql) FROM entries e
            JOIN libraries l ON l.id = e.library JOIN layouts y ON y.id = e.layout
            JOIN editions d ON d.id = e.edition JOIN works w ON w.id = d.work
            WHERE l.name = ?1 AND y.format = ?2
            AND e.id < (SELECT min(first_row) FROM runs WHERE job = \(job.id)) ORDER BY e.id
            """, job.library, formatName)
        while try entries.next() {
            guard !present.contains(entries.integer(0)) else { continue }
            try body(
                RowChange(
                    kind: .entry, effect: .missing, key: "\(job.library)/\(formatName)/\(entries.string(1))",
                    title: entries.optionalString(2)))
        }
    }
}

extension Explanation.Source {
    /// The source in a few words.
    package var words: String {
        switch self {
        case .provider(let provider, let record, _): "\(provider.contractName) \(record)"
        case .row(let library, let formatName, let id): "\(library)/\(formatName)/\(id)"
        case .otherLibrary: "another library"
        case .user: "by hand"
        }
    }
}
