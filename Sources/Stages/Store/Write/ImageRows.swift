import Database
import System

/// Copies the rows of a batch's new records from its image into the store.
///
/// If two tables have the same definition, SQLite copies a whole table without decoding its rows, which takes
/// a sixth of the time of inserting them. Therefore records that are not new are removed from the image
/// first.
final class ImageRows {
    private let connection: Connection
    /// The image of the current batch, until its rows are copied.
    private var image: DatabaseImage?
    private var library: Int64 = 0
    private var layout: Int64 = 0
    /// Records whose rows are to be copied.
    private var taken: [Range<Int>] = []
    private var statements: [Statement] = []

    init(_ connection: Connection) { self.connection = connection }

    /// Whether there is an image to take rows from.
    var isOpen: Bool { image != nil }

    /// Begins a batch.
    func begin(_ image: DatabaseImage?, library: Int64, layout: Int64) {
        self.image = max(library, layout) <= DatabaseImage.largestPlaceholder ? image : nil
        self.library = library
        self.layout = layout
        taken.removeAll(keepingCapacity: true)
    }

    /// Sets the row of an author.
    @inline(__always)
    func set(author: Int64, at place: UInt32) { image?.set(author, at: place) }

    /// Marks a record's rows to be copied. Its authors must be set.
    func take(_ number: Int, of batch: ResultBatchView) {
        let place = batch.rows[number].entryPlaceholder
        image?.set(library, at: place)
        image?.set(layout, at: place + UInt32(MemoryLayout<UInt32>.size))
        if let last = taken.last, last.upperBound == number {
            taken[taken.count - 1] = last.lowerBound..<number + 1
        } else {
            taken.append(number..<number + 1)
        }
    }

    /// Copies the marked rows, once per batch. Afterwards there is no image.
    func flush(_ batch: ResultBatchView) throws(ETLError) {
        guard let image else { return }
        self.image = nil
        guard !taken.isEmpty else { return }
        let others = recordsBetween(batch)
        for table in ImageLayout.tables where !others.isEmpty {
            image.remove(others.map(table.ids(ofRows:)), fromRoot: table.root)
        }
        try connection.attach(image)
        if statements.isEmpty { statements = try Self.statements(connection) }
        for statement in statements { try statement.run() }
    }

    /// The row numbers of the records that were not taken.
    private func recordsBetween(_ batch: ResultBatchView) -> [ClosedRange<Int64>] {
        var others: [ClosedRange<Int64>] = []
        var next = 0
        for range in taken + [batch.rows.count..<batch.rows.count] {
            if next < range.lowerBound {
                others.append(batch.row(of: next)...batch.row(of: range.lowerBound - 1))
            }
            next = range.upperBound
        }
        return others
    }

    private static func statements(_ connection: Connection) throws(ETLError) -> [Statement] {
        var statements: [Statement] = []
        for table in ImageLayout.tables {
            // An error rolls back everything in any case. With `OR ROLLBACK` SQLite keeps no statement
            // journal.
            statements.append(
                try connection.prepare(
                    """
                    INSERT OR ROLLBACK INTO main.\(table.name)
                    SELECT * FROM \(Connection.image).\(table.name)
                    """))
        }
        return statements
    }
}

/// The tables of a batch's image, in the order in which they are copied.
enum ImageLayout: Int, CaseIterable {
    case works, editions, contributors, entries, candidates

    static let tables = allCases
    var name: String { String(describing: self) }

    /// The ids of the records' rows in the table.
    ///
    /// - Parameter rows: The records' numbers (``RowNumbers``).
    func ids(ofRows rows: ClosedRange<Int64>) -> ClosedRange<Int64> {
        switch self {
        case .works, .editions, .entries: rows
        case .contributors:
            ContributorIDs.id(
                work: rows.lowerBound, position: 0)...ContributorIDs.id(
                    work: rows.upperBound, position: ContributorIDs.maxPerWork - 1)
        case .candidates:
            CandidateIDs.id(row: rows.lowerBound, number: 0)...CandidateIDs.last(ofRow: rows.upperBound)
        }
    }

    private var sql: String {
        switch self {
        case .works: BookTables.works
        case .editions: BookTables.editions
        case .contributors: BookTables.contributors
        case .entries: BookTables.entries
        case .candidates: BookTables.candidates
        }
    }

    /// The tables from which an image is built.
    static let imageTables = tables.map { table in
        ImageWriter.Table(
            name: table.name, sql: table.sql,
            // A new edition has the same id as its work.
            emptyIndex: table == .editions ? ("editions_work", BookTables.editionsOfOtherWorks) : nil)
    }

    private static let roots = ImageWriter.roots(of: imageTables)

    /// The page number of the table's root.
    var root: Int { Self.roots[rawValue] }
}
