import Database
import System

/// The tables of the library whose rows the journal keeps as they were (``Journal``).
package enum JournaledTable: String, CaseIterable, Sendable {
    case works, editions, contributors, authors, entries, candidates
    case aliases
    case updatedEntries = "updated_entries"
    case leftEditions = "left_editions"
    case matches
    case edits
    case removedEntries = "removed_entries"
    case supersededRows = "superseded_rows"

    /// Begins an update of one row, which also fires the journal's triggers. A violated constraint is a bug and rolls
    /// the transaction back; otherwise SQLite would keep the pages before each statement, up to fourteen, in a file.
    static let update = "UPDATE OR ROLLBACK"

    /// The statements that create the tables of before-images, and the indexes by which the history of a book finds
    /// rows that were parts of it. The tables themselves must be there.
    static let tables =
        allCases.map(\.creation).joined()
            + """
            CREATE INDEX before_editions_work ON before_editions(work);
            CREATE INDEX before_entries_edition ON before_entries(edition);
            """

    package var name: String { rawValue }

    /// The table of before-images: the columns of the table, preceded by `run` and `present`.
    package var images: String { "before_\(name)" }

    /// The column that identifies a row.
    package var key: String {
        switch self {
        case .works, .editions, .contributors, .authors, .entries, .candidates, .edits, .removedEntries: "id"
        case .aliases: "key"
        case .updatedEntries, .matches, .supersededRows: "entry"
        case .leftEditions: "edition"
        }
    }

    /// The first id that a run can give to a row of the table; nil if ids do not say who created a row.
    func firstID(of span: RunSpan) -> Int64? {
        switch self {
        case .works, .editions, .entries, .matches, .supersededRows: span.firstRow
        case .authors: span.firstAuthor
        case .contributors: ContributorIDs.id(work: span.firstRow, position: 0)
        case .candidates: CandidateIDs.id(row: span.firstRow, number: 0)
        case .aliases, .updatedEntries, .leftEditions, .edits, .removedEntries: nil
        }
    }

    /// Whether rows belong to entries, and can be stored later than these.
    var isOfEntries: Bool { self == .matches || self == .supersededRows }

    /// The table's columns, in their order.
    func columns(in connection: Connection) throws(ETLError) -> [String] {
        let info = try connection.prepare("SELECT name FROM pragma_table_info('\(name)')")
        var columns: [String] = []
        while try info.next() { columns.append(info.string(0)) }
        return columns
    }

    /// The statements that create the table of before-images.
    ///
    /// The columns have no constraints, because an image of a row that did not exist has no values.
    /// Before-images are found by run, and by row for the history of a book.
    var creation: String {
        """
        CREATE TABLE \(images) AS SELECT 0 AS run, 0 AS present, * FROM \(name) WHERE 0;
        CREATE INDEX \(images)_run ON \(images)(run);
        CREATE UNIQUE INDEX \(images)_row ON \(images)(\(key), run);
        """
    }
}

/// The first row and the first author that a run can create. Rows are only appended, so a row belongs to the
/// last run that does not begin after it.
struct RunSpan: Sendable, Hashable {
    var firstRow: Int64
    var firstAuthor: Int64
}
