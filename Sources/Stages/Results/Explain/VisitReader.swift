import Foundation
import Pipeline

/// Reads who has a book, and which records of which jobs led to it.
///
/// Neither entries nor records are indexed by what they point at, for writing them is what an import spends its
/// time on: both tables are passed over once, in well under a second for a million rows.
struct VisitReader {
    private let connection: Connection

    init(_ connection: Connection) { self.connection = connection }

    /// Readers' entries of some editions, by library, profile and source id.
    func entries(
        of editions: [Int64], atMost most: Int
    ) throws(StageFailure) -> [(id: Int64, entry: Explanation.Entry)] {
        let question = try connection.question(
            """
            SELECT e.id, l.name, y.profile, e.source_id, d.key, e.rating, e.shelf, e.date_read
            FROM entries e JOIN libraries l ON l.id = e.library JOIN layouts y ON y.id = e.layout
            JOIN editions d ON d.id = e.edition
            WHERE e.edition IN (\(Self.list(editions))) ORDER BY 2, 3, 4, 1 LIMIT ?1
            """)
        question.bind(1, most)
        var entries: [(id: Int64, entry: Explanation.Entry)] = []
        while try question.next() {
            var next = RowCursor(question, at: 1)
            let entry = Explanation.Entry(
                library: next.text() ?? "", profile: next.text() ?? "", sourceID: next.text() ?? "",
                edition: next.text() ?? "", rating: next.optionalNumber(), shelf: next.text(),
                dateRead: next.text())
            entries.append((question.integer(0), entry))
        }
        return entries
    }

    /// The records that led to some entries, the newest job first.
    func visits(of entries: Set<Int64>, atMost most: Int) throws(StageFailure) -> [Explanation.Visit] {
        let question = try connection.question(
            """
            SELECT r.row, r.line, r.fate, r.enriched, j.name, j.started_at, j.ended_at, j.inputs, r.file, r.job
            FROM records r JOIN jobs j ON j.id = r.job
            WHERE r.entry IN (\(Self.list(entries.sorted()))) ORDER BY r.job DESC, r.file, r.row LIMIT ?1
            """)
        question.bind(1, most)
        let notices = try connection.question(
            """
            SELECT code, field, value, message FROM notices WHERE job = ?1 AND file = ?2 AND row = ?3
            ORDER BY number
            """)
        var visits: [Explanation.Visit] = []
        while try question.next() {
            notices.bind(1, question.integer(9))
            notices.bind(2, question.integer(8))
            notices.bind(3, question.integer(0))
            var told: [Notice] = []
            while try notices.next() {
                told.append(
                    Notice(
                        code: notices.string(0), field: notices.optionalString(1), value: notices.string(2),
                        message: notices.string(3)))
            }
            visits.append(Self.visit(question, told))
        }
        return visits
    }

    private static func visit(_ row: Statement, _ notices: [Notice]) -> Explanation.Visit {
        let inputs = (try? JSONDecoder().decode([SourceFingerprint].self, from: Data(row.bytes(7)))) ?? []
        let file = Int(row.integer(8))
        return Explanation.Visit(
            job: row.string(4), row: Int(row.integer(0)), line: Int(row.integer(1)),
            file: inputs.count > 1 && inputs.indices.contains(file) ? inputs[file].name : nil,
            fate: Fate(rawValue: UInt8(truncatingIfNeeded: row.integer(2))) ?? .created,
            isEnriched: row.integer(3) != 0, startedAt: row.integer(5), endedAt: row.optionalInteger(6),
            notices: notices)
    }

    /// Row ids are numbers of ours: they stand in the question as they are.
    private static func list(_ ids: [Int64]) -> String { ids.map(String.init).joined(separator: ",") }
}
