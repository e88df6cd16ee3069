import Books
import Contract
import Database
import Formats
import FoundationEssentials
import Store
import System

/// Reads which entries refer to a book, and which records of which jobs led to it.
///
/// Entries and records have no index on their references, because an import spends most of its time writing
/// them. Both tables are read once instead, which takes well under a second for a million rows.
struct RecordHistoryReader {
    /// An entry with its row ids.
    struct FoundEntry {
        var id: Int64
        var edition: Int64
        var entry: Explanation.Entry
    }

    private let connection: Connection

    init(_ connection: Connection) { self.connection = connection }

    /// Entries of some editions, sorted by library, format and source id.
    func entries(
        of editions: [Int64], atMost most: Int
    ) throws(ETLError) -> [FoundEntry] {
        let query = try connection.query(
            """
            SELECT e.id, e.edition, l.name, y.format, e.source_id, d.key, e.rating, e.shelf, e.date_read,
                \(EntryMatches.score(entry: "e", edition: "d", work: "w")), m.evidence, m.duplicates
            FROM entries e JOIN libraries l ON l.id = e.library JOIN layouts y ON y.id = e.layout
            JOIN editions d ON d.id = e.edition JOIN works w ON w.id = d.work
            LEFT JOIN matches m ON m.entry = e.id
            WHERE e.edition IN (\(Self.list(editions))) ORDER BY 3, 4, 5, 1 LIMIT ?1
            """, most)
        let edits = try StoredEdits(connection)
        let cells = try EntryCells(connection)
        var entries: [FoundEntry] = []
        while try query.next() {
            var next = RowCursor(query, at: 2)
            var entry = Explanation.Entry(
                id: query.integer(0), library: next.text() ?? "", formatName: next.text() ?? "",
                sourceID: next.text() ?? "",
                edition: next.text() ?? "", rating: next.optionalNumber(), shelf: next.text(),
                dateRead: next.text())
            if let score = next.optionalNumber() {
                let (evidence, duplicates) = (next.list(), next.list())
                entry.match = AcceptedMatch(
                    score: score, evidence: evidence.isEmpty ? [AcceptedMatch.byISBN] : evidence,
                    duplicates: duplicates)
            }
            let id = query.integer(0)
            entry.edits = try edits.edits(of: .entry, id)
            if entry.formatName == PhotoScan.formatName {
                entry.photo = try cells.cells(of: id).map { DetectionCells($0).source }
            }
            entries.append(
                FoundEntry(id: query.integer(0), edition: query.integer(1), entry: entry))
        }
        return entries
    }

    /// The records that led to some entries, newest job first.
    func visits(of entries: Set<Int64>, atMost most: Int) throws(ETLError) -> [Explanation.Visit] {
        let job = try connection.query("SELECT name, started_at, ended_at, inputs FROM jobs WHERE id = ?1")
        let warningRows = try connection.query(
            """
            SELECT code, field, value, message FROM warnings WHERE job = ?1 AND file = ?2 AND row = ?3
            ORDER BY number
            """)
        let pendingRecords = PendingRecords(connection)
        var visits: [Explanation.Visit] = []
        let runs = try PackedOutcomesReader(newestJobsFirst: connection)
        while visits.count < most, let run = try runs.next(of: entries) {
            job.bind(1, run.job)
            defer { job.reset() }
            guard try job.next() else { continue }
            for record in run.records.prefix(most - visits.count) {
                var visit = Self.visit(
                    record, of: run, job, try Self.warnings(warningRows, of: record, run))
                visit.pending = try pendingRecords.reasons(
                    ofRow: record.row, file: run.file, job: run.job
                )
                .map { Explanation.Pending(service: $0.service, reason: $0.outcome) }
                visits.append(visit)
            }
        }
        return visits
    }

    private static func warnings(
        _ warningRows: Statement, of record: NumberedOutcome, _ run: PackedOutcomesReader.Run
    ) throws(ETLError) -> [Warning] {
        warningRows.bind(values: run.job, run.file, record.row)
        var warnings: [Warning] = []
        while try warningRows.next() {
            warnings.append(
                Warning(
                    code: warningRows.string(0), field: warningRows.optionalString(1),
                    value: warningRows.string(2),
                    message: warningRows.string(3)))
        }
        return warnings
    }

    private static func visit(
        _ record: NumberedOutcome, of run: PackedOutcomesReader.Run, _ job: Statement,
        _ warnings: [Warning]
    ) -> Explanation.Visit {
        let inputs = (try? JSONDecoder().decode([SourceFingerprint].self, from: Data(job.bytes(3)))) ?? []
        return Explanation.Visit(
            job: job.string(0), row: record.row, line: record.line,
            file: inputs.count > 1 && inputs.indices.contains(run.file) ? inputs[run.file].name : nil,
            outcome: record.outcome, isEnriched: record.isEnriched, startedAt: job.integer(1),
            endedAt: job.optionalInteger(2), warnings: warnings)
    }

    /// Row ids are our own numbers, so they can be part of the SQL text.
    private static func list(_ ids: [Int64]) -> String { ids.map(String.init).joined(separator: ",") }
}
